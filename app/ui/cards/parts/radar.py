"""A radar: one axis per value, 0 to 100. What rests on little is a hollow dot; every value is there as text as well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import visible

LEAST = 3
"""Axes of a radar; fewer make no shape."""
_RINGS = 4
_MOST = 100.0
_LABEL = 11
"""Steps of the grid beside the shape."""


@dataclass(frozen=True, slots=True)
class RadarValue:
    label: str
    value: float
    is_sure: bool = True


class Radar(QWidget):
    def __init__(self, values: Sequence[RadarValue], theme: Theme) -> None:
        super().__init__()
        self._values, self._theme = values, theme
        self.setMinimumWidth(theme.space(26))
        self.setFixedHeight(theme.space(26))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(_in_words(one) for one in values))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(36), self._theme.space(26))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("meta"))
        line = painter.fontMetrics().height()
        radius = max(1.0, min(self.width() / 2 - theme.space(_LABEL) + theme.space(4), self.height() / 2 - 1.5 * line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("border"), 1))
        for ring in range(1, _RINGS + 1):
            painter.drawPolygon(QPolygonF([self._at(n, radius * ring / _RINGS) for n in range(len(self._values))]))
        for number in range(len(self._values)):
            painter.drawLine(self._at(number, 0), self._at(number, radius))
        points = [self._at(n, radius * _part(one.value)) for n, one in enumerate(self._values)]
        fill = theme.color("accent")
        fill.setAlphaF(0.18)
        painter.setBrush(fill)
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawPolygon(QPolygonF(points))
        for one, point in zip(self._values, points, strict=True):
            painter.setBrush(theme.color("accent" if one.is_sure else "surface"))
            painter.drawEllipse(point, theme.space(0.5), theme.space(0.5))
        painter.setPen(theme.color("text"))
        for number, one in enumerate(self._values):
            self._write(painter, number, radius + line * 0.5, f"{visible(one.label)} {as_text(one.value)}", line)

    def _at(self, number: int, distance: float) -> QPointF:
        angle = math.tau * number / len(self._values) - math.pi / 2
        return QPointF(self.width() / 2 + distance * math.cos(angle), self.height() / 2 + distance * math.sin(angle))

    def _write(self, painter: QPainter, number: int, distance: float, text: str, line: int) -> None:
        """Away from the middle; what has no room is elided."""
        place = self._at(number, distance)
        side = place.x() - self.width() / 2
        if abs(side) < 2:
            box, align = QRectF(0, place.y() - line / 2, self.width(), line), Qt.AlignmentFlag.AlignHCenter
        elif side > 0:
            box, align = (
                QRectF(place.x(), place.y() - line / 2, self.width() - place.x(), line),
                Qt.AlignmentFlag.AlignLeft,
            )
        else:
            box, align = QRectF(0, place.y() - line / 2, place.x(), line), Qt.AlignmentFlag.AlignRight
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, int(align | Qt.AlignmentFlag.AlignVCenter), elided)


def _part(value: float) -> float:
    return min(1.0, max(0.0, value / _MOST))


def _in_words(one: RadarValue) -> str:
    words = f"{visible(one.label)}: {as_text(one.value)}"
    return words if one.is_sure else _("{words} (uncertain)").format(words=words)
