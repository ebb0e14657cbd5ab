"""A message of the desktop, where it has a place for them: made at the first one, gone when it was seen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMainWindow, QSystemTrayIcon

from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible

_LONGEST = 200
_SHOWN_MS = 20_000
_UNMARKED = str.maketrans({"<": "‹", ">": "›", "&": "＆"})
"""Some desktops read markup in messages; ours hold titles a model may have written."""


class DesktopMessage(QObject):
    clicked = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        window.installEventFilter(self)

    def show(self, title: str, text: str) -> bool:
        """False where the desktop has no place for messages."""
        if not QSystemTrayIcon.isSystemTrayAvailable() or not QSystemTrayIcon.supportsMessages():
            return False
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._icon(), self)
            self._tray.setToolTip("Triptych")
            self._tray.messageClicked.connect(self.clicked)
            self._tray.activated.connect(self.clicked)
        self._tray.show()
        self._tray.showMessage(plain(title), plain(text), self._tray.icon(), _SHOWN_MS)
        return True

    def take_back(self) -> None:
        """It has been seen, or nobody is there any more."""
        if self._tray is not None:
            self._tray.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowActivate:
            self.take_back()
        return super().eventFilter(watched, event)

    def _icon(self) -> QIcon:
        icon = self._window.windowIcon()
        return icon if not icon.isNull() else Theme().icon("sparkles", "accent")


def plain(text: str) -> str:
    """Literal on every desktop: no markup, no hidden characters, one short line."""
    return " ".join(visible(text).translate(_UNMARKED).split())[:_LONGEST]
