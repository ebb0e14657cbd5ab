"""Servers from the text of a documentation, in whatever form: pasted, shown, added – and none of them started."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core import detached
from app.core.errors import BadInput
from app.core.text.i18n import _, ngettext
from app.services.mcp.paste.found import PasteReading
from app.ui.texts import fault_text, hint_text
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.sheet import Sheet

if TYPE_CHECKING:
    from app.services.mcp.paste.found import Blank, Pasted
    from app.services.mcp.service import McpService

SHORT: Final = 4_000
"""Characters that are read between two frames."""


class McpPasteSheet(Sheet):
    """`on_add` gets what was read; the sheet is closed by then."""

    was_read = Signal(int, object)

    def __init__(
        self, mcp: McpService, theme: Theme, on_add: Callable[[list[Pasted]], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("mcpPasteSheet")
        self.setWindowTitle(_("Servers from a text"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_at(self, theme.space(76), theme.space(62))
        self._mcp, self._on_add = mcp, on_add
        self._found: list[Pasted] = []
        self._asked = 0
        self.was_read.connect(self._show)
        self.field = QPlainTextEdit()
        self.field.setObjectName("mcpPasteField")
        self.field.setAccessibleName(_("Text"))
        self.field.setFont(theme.font("code"))
        self.field.setTabChangesFocus(True)
        self.field.setPlaceholderText('{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}')
        self.field.textChanged.connect(self._read)
        self.outcome = SafeLabel(role="meta")
        self.outcome.setWordWrap(True)
        self.found = PlainView(theme, code=True, lines=8)
        self.found.setAccessibleName(_("Servers found"))
        label = SafeLabel(
            _("Paste what the server's documentation gives: JSON, TOML, YAML, an address or a command. "
              "Nothing starts by this."),
            role="meta",
        )  # fmt: skip
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
        layout.addWidget(SafeLabel(_("Servers from a text"), role="title"))
        layout.addWidget(label)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.outcome)
        layout.addWidget(self.found)
        layout.addLayout(foot)
        self._read()

    def _read(self) -> None:
        """A long text is read on a thread of its own: the window goes on meanwhile."""
        text = self.field.toPlainText()
        self._asked += 1
        if len(text) <= SHORT:
            self._show(self._asked, self._outcome(text))
            return
        self._show(self._asked, PasteReading())
        asked = self._asked
        future = detached.start(self._outcome, text)
        future.add_done_callback(lambda done: self._emit(asked, done))

    def _outcome(self, text: str) -> PasteReading | BadInput:
        try:
            return self._mcp.read_paste(text) if text.strip() else PasteReading()
        except BadInput as error:
            return error

    def _emit(self, asked: int, done: Future[PasteReading | BadInput]) -> None:
        """On the thread that has read."""
        if done.exception() is None:
            with suppress(RuntimeError):  # the sheet has gone meanwhile
                self.was_read.emit(asked, done.result())

    def _show(self, asked: int, outcome: PasteReading | BadInput) -> None:
        if asked != self._asked:
            return  # of a text that is no longer there
        self._found, lines, error = [], [], ""
        if isinstance(outcome, BadInput):
            error = "\n".join(part for part in (fault_text(outcome), hint_text(outcome.hint)) if part)
        else:
            self._found = list(outcome.servers)
            lines = [f"{one.config.title}: {one.line}" for one in outcome.servers]
            lines += [f"✗ {one.name}: {fault_text(one.error)}" for one in outcome.broken]
        self._tell(error)
        self.found.set_text("\n".join(lines))
        self.found.setVisible(bool(lines))
        count = len(self._found)
        self.add_button.setText(ngettext("Add {n} server", "Add {n} servers", count or 1).format(n=count or 1))
        self.add_button.setEnabled(count > 0)

    def _tell(self, error: str) -> None:
        open_ = sorted({_blank_line(one, blank) for one in self._found for blank in one.blanks})
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


def _blank_line(pasted: Pasted, blank: Blank) -> str:
    """Its name; with the words around it where it is a part of a variable or header."""
    text = next((pasted.open_texts[place] for place in blank.places if place in pasted.open_texts), "")
    return f"{blank.name} ({text})" if text and text != blank.sign else blank.name
