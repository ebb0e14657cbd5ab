"""The size and place a window opens with: never beyond its screen."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

_FRAME = 40
"""Pixels of a title bar, which no toolkit knows before the window is on the screen."""


def open_at(window: QWidget, width: int, height: int) -> None:
    """So large, or as large as its screen: at 200 % a dialog would reach beyond a small one, its buttons first."""
    place = window.screen().availableGeometry()
    window.resize(min(width, place.width()), min(height, place.height() - _FRAME))


def bring_into(place: QRect, window: QWidget) -> None:
    """All of the window, its title bar too, into that part of the screen: smaller where it must be, moved else."""
    room = place.adjusted(0, _FRAME, 0, 0)
    if room.contains(window.geometry()):
        return
    width, height = min(window.width(), room.width()), min(window.height(), room.height())
    left = min(max(window.x(), room.left()), room.right() + 1 - width)
    top = min(max(window.y(), room.top()), room.bottom() + 1 - height)
    window.setGeometry(left, top, width, height)
