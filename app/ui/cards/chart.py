"""Pie, bar, column, line and radar, drawn with QPainter. Every value also is there as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, chart_lines, chart_values
from app.ui.cards.lists import listing
from app.ui.cards.parts.collapse import shortened
from app.ui.cards.parts.columns import Columns
from app.ui.cards.parts.radar import LEAST, Radar, RadarValue
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

_MOST_COLUMNS = 14
_TOKENS = ("accent", "ok", "warn", "error", "muted", "outline")
"""Colours by turn; the legend names what each is."""

Value = tuple[str, float]


def chart(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    """A kind that is not known is shown as bars: the numbers are the same."""
    if lines := [(name, points) for name, points in chart_lines(payload) if points]:
        return _with_legend(_Lines(lines, theme), [(name, "") for name, _points in lines], theme, below=True)
    values = chart_values(payload)
    if not values:
        return listing(payload, theme)
    whole = sum(value for _label, value in values)
    if payload.get("kind") == "pie" and whole > 0 and all(value >= 0 for _label, value in values):
        rows = [(label, f"{as_text(value)} · {value / whole:.0%}") for label, value in values]
        return _with_legend(_Pie(values, theme), rows, theme, below=False)
    if payload.get("kind") == "radar" and len(values) >= LEAST:
        return Radar([RadarValue(label, value) for label, value in values], theme)
    if payload.get("kind") == "column" and len(values) <= _MOST_COLUMNS:
        return Columns(values, theme)
    return shortened(values, lambda part: _Bars(part, values, theme), theme)


def color_of(theme: Theme, number: int) -> QColor:
    color = theme.color(_TOKENS[number % len(_TOKENS)])
    return color.lighter(100 + 25 * (number // len(_TOKENS)))


def _with_legend(drawing: QWidget, entries: Sequence[tuple[str, str]], theme: Theme, *, below: bool) -> QWidget:
    holder = QWidget()
    box = QVBoxLayout(holder) if below else QHBoxLayout(holder)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(theme.space(2))
    box.addWidget(drawing)
    legend = QVBoxLayout()
    legend.setSpacing(theme.space(0.5))
    for number, (label, text) in enumerate(entries[:30]):
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addWidget(_Swatch(theme, color_of(theme, number)))
        row.addWidget(SafeLabel(label, elide=True), 1)
        if text:
            row.addWidget(SafeLabel(text, role="meta"))
        legend.addLayout(row)
    legend.addStretch(1)
    box.addLayout(legend, 1)
    return holder


class _Swatch(QWidget):
    def __init__(self, theme: Theme, color: QColor) -> None:
        super().__init__()
        self._color = color
        self.setFixedSize(theme.space(1.25), theme.space(1.25))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color)
        painter.drawRoundedRect(self.rect(), 3, 3)


class _Pie(QWidget):
    def __init__(self, values: Sequence[Value], theme: Theme) -> None:
        super().__init__()
        self._values, self._theme = values, theme
        self.setFixedSize(theme.space(18), theme.space(18))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("sunken"), 2))
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        whole = sum(value for _label, value in self._values)
        start = 90.0 * 16
        for number, (_label, value) in enumerate(self._values):
            span = -value / whole * 360 * 16
            painter.setBrush(color_of(self._theme, number))
            painter.drawPie(box, round(start), round(span))
            start += span


class _Bars(QWidget):
    """One line per value; the scale is that of all values, also where only some are shown."""

    def __init__(self, values: Sequence[Value], everything: Sequence[Value], theme: Theme) -> None:
        super().__init__()
        self._values, self._theme = values, theme
        self._largest = max((abs(value) for _label, value in everything), default=0.0) or 1.0
        self._line = theme.space(3)
        self.setFixedHeight(self._line * len(values))
        self.setAccessibleName(", ".join(f"{visible(label)}: {as_text(value)}" for label, value in values[:20]))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(40), self._line * len(self._values))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("meta"))
        metrics = painter.fontMetrics()
        widest = max((metrics.horizontalAdvance(visible(label)) for label, _value in self._values), default=0)
        names = min(self.width() // 3, widest + 2)
        numbers = max(metrics.horizontalAdvance(as_text(value)) for _label, value in self._values)
        gap = theme.space(1)
        room = max(1, self.width() - names - numbers - 2 * gap)
        centre = int(Qt.AlignmentFlag.AlignVCenter)
        for row, (label, value) in enumerate(self._values):
            top = row * self._line
            painter.setPen(theme.color("text"))
            label_text = metrics.elidedText(visible(label), Qt.TextElideMode.ElideRight, names)
            painter.drawText(QRectF(0, top, names, self._line), centre, label_text)
            wide = abs(value) / self._largest * room
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("error" if value < 0 else "accent"))
            high = theme.space(1.25)
            painter.drawRoundedRect(QRectF(names + gap, top + (self._line - high) / 2, max(2.0, wide), high), 3, 3)
            painter.setPen(theme.color("muted"))
            painter.drawText(QRectF(names + wide + 2 * gap, top, numbers + 1, self._line), centre, as_text(value))


class _Lines(QWidget):
    def __init__(self, lines: Sequence[tuple[str, list[Value]]], theme: Theme) -> None:
        super().__init__()
        self._lines, self._theme = lines, theme
        self.setFixedHeight(theme.space(20))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("meta"))
        metrics = painter.fontMetrics()
        every = [value for _name, points in self._lines for _label, value in points]
        low, high = min(*every, 0.0), max(*every, 0.0)
        reach = (high - low) or 1.0
        left = max(metrics.horizontalAdvance(as_text(edge)) for edge in (low, high)) + theme.space(1)
        box = QRectF(left, theme.space(1), self.width() - left - theme.space(2), self.height() - theme.space(4))
        painter.setPen(theme.color("muted"))
        for value in (low, high):
            y = box.bottom() - (value - low) / reach * box.height()
            painter.drawText(QPointF(0, y + metrics.ascent() / 2), as_text(value))
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        labels = [label for label, _value in max((points for _name, points in self._lines), key=len)]
        painter.setPen(theme.color("muted"))
        for place, label in ((0, labels[0]), (1, labels[-1])) if len(labels) > 1 else ((0, labels[0]),):
            side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
            painter.drawText(QRectF(box.left(), box.bottom(), box.width(), theme.space(3)), int(side), visible(label))
        for number, (_name, points) in enumerate(self._lines):
            step = box.width() / max(1, len(points) - 1)
            shape = QPolygonF(
                [
                    QPointF(box.left() + place * step, box.bottom() - (value - low) / reach * box.height())
                    for place, (_label, value) in enumerate(points)
                ]
            )
            painter.setPen(QPen(color_of(theme, number), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(shape)
