"""The line below a page that stores at once: what was stored, or why it was not, and the button that takes it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class UndoLine(QWidget):
    wanted = Signal()
    """The button, or Ctrl+Z anywhere on the page outside a field that has an undo of its own."""

    def __init__(self, theme: Theme, page: QWidget) -> None:
        super().__init__()
        self.note = SafeLabel(role="meta")
        self.note.setWordWrap(True)
        self.button = QPushButton(_("Undo"))
        self.button.setProperty("kind", "quiet")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.wanted)
        self.button.hide()
        keys = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), page)
        keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        keys.activated.connect(self.wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(1))
        row.addWidget(self.note, 1)
        row.addWidget(self.button)

    def tell(self, text: str, *, is_error: bool = False) -> None:
        self.note.setProperty("role", "error" if is_error else "meta")
        self.note.style().unpolish(self.note)
        self.note.style().polish(self.note)
        self.note.setText(text)
