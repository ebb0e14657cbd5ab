"""A few values side by side, as the days of a week: a column each, with its number above and its name below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.tools.card_markdown import as_text
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

_MOST_WIDE = 6
"""Steps of the grid a column takes at most."""


class Columns(QWidget):
    def __init__(self, values: Sequence[tuple[str, float]], theme: Theme) -> None:
        super().__init__()
        self._values, self._theme = values, theme
        self._largest = max((value for _label, value in values), default=0.0) or 1.0
        self.setFixedHeight(theme.space(18))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(f"{visible(label)}: {as_text(value)}" for label, value in values))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(40), self._theme.space(18))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("meta"))
        metrics = painter.fontMetrics()
        line, wide = metrics.height(), self.width() / max(1, len(self._values))
        room = self.height() - 2 * line - theme.space(1)
        centre = int(Qt.AlignmentFlag.AlignCenter)
        bar = min(wide * 0.7, theme.space(_MOST_WIDE))
        for number, (label, value) in enumerate(self._values):
            left, high = number * wide, max(0.0, value) / self._largest * room
            base = line + room
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent" if value > 0 else "border"))
            painter.drawRoundedRect(QRectF(left + (wide - bar) / 2, base - max(2.0, high), bar, max(2.0, high)), 3, 3)
            painter.setPen(theme.color("text"))
            if value > 0:
                painter.drawText(QRectF(left, base - high - line, wide, line), centre, as_text(value))
            painter.setPen(theme.color("muted"))
            elided = metrics.elidedText(visible(label), Qt.TextElideMode.ElideRight, int(wide))
            painter.drawText(QRectF(left, base + theme.space(0.5), wide, line), centre, elided)
