"""Servers from the JSON that everybody passes around: pasted, shown, added – and none of them started."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.errors import BadInput
from app.core.text.i18n import _, ngettext
from app.ui.texts import fault_text, hint_text
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.mcp.service import McpService, Pasted


class McpPasteSheet(QDialog):
    """`on_add` gets what was read; the sheet is closed by then."""

    def __init__(
        self, mcp: McpService, theme: Theme, on_add: Callable[[list[Pasted]], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("mcpPasteSheet")
        self.setWindowTitle(_("Servers from JSON"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_at(self, theme.space(76), theme.space(62))
        self._mcp, self._on_add = mcp, on_add
        self._found: list[Pasted] = []
        self.field = QPlainTextEdit()
        self.field.setObjectName("mcpPasteField")
        self.field.setAccessibleName(_("JSON"))
        self.field.setFont(theme.font("code"))
        self.field.setTabChangesFocus(True)
        self.field.setPlaceholderText('{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}')
        self.field.textChanged.connect(self._read)
        self.outcome = SafeLabel(role="meta")
        self.outcome.setWordWrap(True)
        self.found = PlainView(theme, code=True, lines=8)
        self.found.setAccessibleName(_("Servers found"))
        label = SafeLabel(
            _("Paste the block with mcpServers (or servers) from the server's documentation. Nothing starts by this."),
            role="meta",
        )
        label.setWordWrap(True)
        cancel = QPushButton(_("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.add_button = QPushButton()
        self.add_button.setProperty("kind", "primary")
        self.add_button.setAutoDefault(False)
        self.add_button.clicked.connect(self._add)
        foot = QHBoxLayout()
        foot.setSpacing(theme.space(1))
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.add_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Servers from JSON"), role="title"))
        layout.addWidget(label)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.outcome)
        layout.addWidget(self.found)
        layout.addLayout(foot)
        self._read()

    def _read(self) -> None:
        text = self.field.toPlainText()
        self._found, error = [], ""
        if text.strip():
            try:
                self._found = self._mcp.read_paste(text)
            except BadInput as wrong:
                error = "\n".join(part for part in (fault_text(wrong), hint_text(wrong.hint)) if part)
        self._tell(error)
        lines = [f"{one.config.title}: {_what(one)}" for one in self._found]
        self.found.set_text("\n".join(lines))
        self.found.setVisible(bool(lines))
        count = len(self._found)
        self.add_button.setText(ngettext("Add {n} server", "Add {n} servers", count or 1).format(n=count or 1))
        self.add_button.setEnabled(count > 0)

    def _tell(self, error: str) -> None:
        open_ = sorted({name for one in self._found for name in one.inputs})
        text = error or (_("Values to be typed afterwards: {names}").format(names=", ".join(open_)) if open_ else "")
        self.outcome.setProperty("role", "error" if error else "meta")
        self.outcome.style().unpolish(self.outcome)
        self.outcome.style().polish(self.outcome)
        self.outcome.setText(text)
        self.outcome.setVisible(bool(text))

    def _add(self) -> None:
        servers = self._found
        self.accept()
        self._on_add(servers)


def _what(pasted: Pasted) -> str:
    config = pasted.config
    return config.url or " ".join([config.command, *config.args])
