"""The ground of a map: a few shapes of the city, north and a scale. Drawn by us, nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.ui.cards.map.labels import crossings
from app.ui.cards.map.plan import MapShape, Projection
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible

_ORDER = ("park", "water", "palace", "road", "axis")
_WIDTHS = {"water": 5.0, "palace": 3.0, "road": 3.0, "axis": 1.5}
_TOKENS = {"park": "map_park", "water": "map_water", "palace": "map_water", "road": "map_road", "axis": "map_road"}


def paint_ground(
    painter: QPainter,
    area: QRectF,
    projection: Projection,
    shapes: Sequence[MapShape],
    taken: Sequence[QRectF],
    ways: Sequence[QLineF],
    theme: Theme,
) -> None:
    """`taken` is where names and pins stand, `ways` are the lines of the days: a shape's own name gives way to them,
    and is left out where it cannot."""
    clip = QPainterPath()
    clip.addRoundedRect(area, 8, 8)
    painter.setClipPath(clip)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("map_ground"))
    painter.drawRect(area)
    areas = [shape for shape in shapes if shape.kind in _TOKENS]
    lines = {id(shape): QPolygonF([QPointF(*projection.point(*corner)) for corner in shape.points]) for shape in areas}
    for shape in sorted(areas, key=lambda one: _ORDER.index(one.kind)):
        colour, line = theme.color(_TOKENS[shape.kind]), lines[id(shape)]
        if shape.kind == "park" or (shape.kind == "water" and shape.is_closed):
            painter.setPen(_round_pen(colour, 2))
            painter.setBrush(colour)
            painter.drawPolygon(line)
            continue
        pen = _round_pen(colour, _WIDTHS[shape.kind])
        if shape.kind == "axis":
            pen.setDashPattern([2, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if shape.is_closed:
            painter.drawPolygon(line)
        else:
            painter.drawPolyline(line)
    _paint_names(painter, area, [(shape, lines[id(shape)]) for shape in areas if shape.name], taken, ways, theme)


def _paint_names(
    painter: QPainter,
    area: QRectF,
    named: Sequence[tuple[MapShape, QPolygonF]],
    taken: Sequence[QRectF],
    ways: Sequence[QLineF],
    theme: Theme,
) -> None:
    font = theme.font("meta")
    font.setPixelSize(round(11 * theme.zoom))
    painter.setFont(font)
    metrics, used = painter.fontMetrics(), list(taken)
    painter.setPen(theme.color("muted"))
    for shape, line in named:
        name = visible(shape.name)
        size = metrics.boundingRect(name).size()
        for spot in _along(shape, line):
            box = QRectF(spot.x() - size.width() / 2, spot.y() - metrics.height() - 2, size.width() + 2, 0)
            box.setHeight(metrics.height())
            is_inside = area.adjusted(6, 6, -30, -26).contains(box)
            if is_inside and not any(box.intersects(other) for other in used) and not crossings(box, ways):
                used.append(box)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), name)
                break
    painter.setFont(theme.font("meta"))


def _round_pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _along(shape: MapShape, line: QPolygonF) -> list[QPointF]:
    """Where a name could stand: in the middle of what is filled, else along the line."""
    corners = [line.at(n) for n in range(line.count())]
    if shape.is_closed and shape.kind in ("park", "water"):
        return [line.boundingRect().center()]
    if shape.is_closed:
        corners.append(corners[0])
    return [
        a + (b - a) * part for part in (0.5, 0.2, 0.8, 0.35, 0.65) for a, b in pairwise(corners)
    ]  # fmt: skip


def paint_scale(
    painter: QPainter, area: QRectF, projection: Projection, theme: Theme, told: Callable[[float], str]
) -> None:
    km, wide = projection.scale_bar(area.width() / 4)
    left, low, tick = area.left() + theme.space(1.5), area.bottom() - theme.space(1.25), theme.space(0.5)
    painter.setPen(QPen(theme.color("muted"), 1))
    corners = [(left, low - tick), (left, low), (left + wide, low), (left + wide, low - tick)]
    painter.drawPolyline([QPointF(x, y) for x, y in corners])
    painter.drawText(QPointF(left + wide + theme.space(0.75), low), told(km))


def paint_north(painter: QPainter, area: QRectF, theme: Theme) -> None:
    x, top = area.right() - theme.space(2), area.top() + theme.space(1)
    high = painter.fontMetrics().height()
    painter.setPen(QPen(theme.color("muted"), 1))
    painter.drawText(QRectF(x - 10, top, 20, high), int(Qt.AlignmentFlag.AlignCenter), "N")
    foot = top + high + 12
    painter.drawLine(QPointF(x, foot), QPointF(x, top + high + 2))
    painter.drawPolyline([QPointF(x - 3, top + high + 5), QPointF(x, top + high + 2), QPointF(x + 3, top + high + 5)])
