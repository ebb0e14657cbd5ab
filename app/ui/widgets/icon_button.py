"""A button that is only an icon, and therefore must say what it does."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip


class IconButton(QToolButton):
    """`text` is the tool tip and the accessible name."""

    def __init__(
        self, theme: Theme, icon: str, text: str, parent: QWidget | None = None, *, size: int = 16, token: str = "muted"
    ) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAutoRaise(True)
        self._size = size
        self.set_icon(theme, icon, token)
        self.describe(text)

    def describe(self, text: str) -> None:
        set_safe_tooltip(self, text)
        self.setAccessibleName(text)

    def set_icon(self, theme: Theme, icon: str, token: str = "muted") -> None:
        edge = round(self._size * theme.zoom)
        self.setIconSize(QSize(edge, edge))
        self.setIcon(theme.icon(icon, token, self._size))
