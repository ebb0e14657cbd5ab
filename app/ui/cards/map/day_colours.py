"""A colour and a line style for each day, so that colour is never the only sign."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPen

from app.ui.theme import Theme

_TOKENS = ("accent", "ok", "warn", "day4", "day5", "day6", "muted")
_STYLES = (None, (3.0, 2.0), (1.0, 2.0))
"""Strokes and gaps in widths of the line: solid, 6-4, 2-4, then again."""


def day_token(number: int) -> str:
    """`number` counts from 0."""
    return _TOKENS[number % len(_TOKENS)]


def day_pen(theme: Theme, number: int) -> QPen:
    pen = QPen(theme.color(day_token(number)), 2)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    style = _STYLES[number % len(_STYLES)]
    if style is not None:
        pen.setDashPattern(style)
    return pen
