"""The size a dialog opens with."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

_FRAME = 40
"""Pixels of a title bar, which no toolkit knows before the window is on the screen."""


def open_at(window: QWidget, width: int, height: int) -> None:
    """So large, or as large as its screen: at 200 % a dialog would reach beyond a small one, its buttons first."""
    place = window.screen().availableGeometry()
    window.resize(min(width, place.width()), min(height, place.height() - _FRAME))
