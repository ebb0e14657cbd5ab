"""The line that tests a provider: the button, what was found in words, and a remedy where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.dialogs.providers.labels import result_words
from app.ui.dialogs.providers.proxy_field import DIRECT
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.providers.service import CheckResult, ProviderEntry


class ConnectionLine(QWidget):
    wanted = Signal()
    mended = Signal(str, str)
    """A field – `address` or `proxy` – and the text that would mend it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._remedy = ("", "")
        self.button = QPushButton(_("Test the connection"))
        self.button.setObjectName("testConnectionButton")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.wanted)
        self.outcome = SafeLabel()
        self.outcome.setWordWrap(True)
        self.outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.mend = QPushButton()
        self.mend.setAccessibleName(_("Mend it and test again"))
        self.mend.setProperty("kind", "link")
        self.mend.setAutoDefault(False)
        self.mend.clicked.connect(self._mend)
        self.mend.hide()
        layout_text = QVBoxLayout()
        layout_text.setSpacing(theme.space(0.5))
        layout_text.addWidget(self.outcome)
        layout_text.addWidget(self.mend, 0, Qt.AlignmentFlag.AlignLeft)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(1.5), theme.space(3), 0)
        layout.setSpacing(theme.space(2))
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(layout_text, 1)

    def tell(self, text: str, *, is_error: bool = False) -> None:
        self.mend.hide()
        self.outcome.setProperty("role", "error" if is_error else "")
        self.outcome.style().unpolish(self.outcome)
        self.outcome.style().polish(self.outcome)
        self.outcome.setText(text)

    def add(self, text: str) -> None:
        """Below what was told last."""
        if text:
            self.outcome.setText(f"{self.outcome.full_text()}\n{text}")

    def tell_result(self, result: CheckResult, entry: ProviderEntry) -> None:
        """`entry` is what was tested; its `has_key` counts a key that is only typed yet."""
        self.tell(result_words(result, entry), is_error=not result.ok)
        if result.suggested:
            self._offer(_("Use {address}").format(address=result.suggested), "address", result.suggested)
        elif result.place == "proxy":
            self._offer(_("Connect directly"), "proxy", DIRECT)

    def _mend(self) -> None:
        self.mended.emit(*self._remedy)

    def _offer(self, text: str, field: str, value: str) -> None:
        self._remedy = (field, value)
        self.mend.setText(text)
        self.mend.setAccessibleName(text)
        self.mend.show()
