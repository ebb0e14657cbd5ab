"""Larger and smaller text, by commands."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.ui.widgets.dialog_parent import DialogParent

_STEP = 10


class Zoom(QObject):
    asked = Signal(int)
    """In percent; whoever owns the theme answers with another one."""

    def __init__(self, window: DialogParent) -> None:
        super().__init__(window)
        self._window = window

    def zoom_in(self) -> None:
        self.asked.emit(self._percent() + _STEP)

    def zoom_out(self) -> None:
        self.asked.emit(self._percent() - _STEP)

    def zoom_reset(self) -> None:
        self.asked.emit(100)

    def _percent(self) -> int:
        return round(self._window.theme.zoom * 100)
