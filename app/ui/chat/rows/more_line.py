"""The line that unfolds the text beside an answer card."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme


class MoreLine(QPushButton):
    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("moreLine")
        self.setProperty("kind", "fold")
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_open(self, *, is_open: bool) -> None:
        self.setText(_("Less") if is_open else _("The whole answer in words"))
        self.setIcon(self._theme.icon("chevron-down" if is_open else "chevron-right", "muted", 14))
