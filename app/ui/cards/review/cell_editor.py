"""The field over one cell of the review card: Enter keeps, Tab keeps and goes on to the next cell, Esc leaves it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.ui.theme import Theme


class CellEditor(QLineEdit):
    kept = Signal(str)
    """What was typed."""
    left = Signal(int)
    """It is over; 1 and -1: the cell behind or before it is wanted."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("reviewCell")
        self.setFont(theme.font("ui"))
        self.setMaxLength(500)
        self.hide()

    def open(self, box: QRect, text: str, name: str, *, is_number: bool) -> None:
        self.setAlignment(Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName(name)
        self.setGeometry(box)
        self.setText(text)
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Tab goes to the next cell, not out of the list; Esc is the cell's and not the window's."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            if event.type() is QEvent.Type.KeyPress:
                self._leave(0)
            return True
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1, Qt.Key.Key_Return: 0, Qt.Key.Key_Enter: 0}
            if event.key() in step:
                self.kept.emit(self.text())
                self._leave(step[Qt.Key(event.key())])
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.isVisible():
            self.kept.emit(self.text())
            self._leave(0)

    def _leave(self, step: int) -> None:
        self.hide()
        self.left.emit(step)
