"""A map drawn by us: numbered markers, a colour and a line style for each day, lengths, grid and scale.

Nothing is fetched. The key below names every number, so that colour is never the only sign.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.core.tools.card_markdown import as_text
from app.ui.cards.lists import listing
from app.ui.cards.map_plan import (
    MOST_PLACES,
    MapLeg,
    MapPlace,
    Point,
    Projection,
    apart,
    degrees_text,
    groups_of,
    read_legs,
    read_places,
)
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

_TOKENS = ("accent", "ok", "warn", "error", "muted", "text")
_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)


def map_card(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    return map_body(payload, theme) or listing(payload, theme)


def map_body(payload: Mapping[str, Any], theme: Theme) -> QWidget | None:
    """The drawing and its key; None without a single place that can be drawn."""
    every = read_places(payload)
    places = every[:MOST_PLACES]
    if not places:
        return None
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(1))
    legs = read_legs(payload, places)
    column.addWidget(MapDrawing(places, legs, theme))
    column.addWidget(_key(places, legs, theme))
    if left := len(every) - len(places):
        note = ngettext("{n} more place is not drawn", "{n} more places are not drawn", left).format(n=left)
        column.addWidget(SafeLabel(note, role="meta"))
    return holder


def _key(places: Sequence[MapPlace], legs: Sequence[MapLeg], theme: Theme) -> QWidget:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.space(1))
    grid.setVerticalSpacing(theme.space(0.5))
    grid.setColumnStretch(2, 1)
    top = Qt.AlignmentFlag.AlignTop
    for row, group in enumerate(groups_of(places)):
        grid.addWidget(_Stroke(theme, row), row, 0, top)
        if group:
            label = SafeLabel(group, role="meta")
            label.setMaximumWidth(theme.space(20))
            label.setWordWrap(len(group) > 16)
            grid.addWidget(label, row, 1, top)
        names = SafeLabel(_way(places, legs, group), role="meta")
        names.setWordWrap(True)
        names.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(names, row, 2)
    return holder


def _way(places: Sequence[MapPlace], legs: Sequence[MapLeg], group: str) -> str:
    """The places of a group by turn, with the lengths between them where they are known."""
    lengths = {(leg.start, leg.end): _km(leg.km) for leg in legs if leg.km is not None}
    words, before = "", -1
    for position, place in enumerate(places):
        if place.group == group:
            far = lengths.get((before, position))
            join = "" if before < 0 else f" — {far} — " if far else " · "
            words += join + f"{place.number} {place.name}".strip()
            before = position
    return words


def _pen(theme: Theme, group: int) -> QPen:
    return QPen(theme.color(_TOKENS[group % len(_TOKENS)]), 2, _STYLES[group % len(_STYLES)])


class _Stroke(QWidget):
    def __init__(self, theme: Theme, group: int) -> None:
        super().__init__()
        self._pen = _pen(theme, group)
        self.setFixedSize(theme.space(3), round(theme.size("meta") * 1.4))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        middle = self.height() / 2
        painter.drawLine(QPointF(1, middle), QPointF(self.width() - 1, middle))


class MapDrawing(QWidget):
    def __init__(self, places: Sequence[MapPlace], legs: Sequence[MapLeg], theme: Theme) -> None:
        super().__init__()
        self._places, self._legs, self._theme = places, legs, theme
        self._groups = {group: number for number, group in enumerate(groups_of(places))}
        self._radius = theme.size("meta") * 0.85
        self._hovered: int | None = None
        self._markers: list[Point] = []
        self._placed_for = QSize()
        self.setFixedHeight(theme.space(36))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        named = ", ".join(visible(_told(place)) for place in places[:60])
        self.setAccessibleName(_("Map: {places}").format(places=named))
        lengths = [
            f"{places[leg.start].number}–{places[leg.end].number}: {_km(leg.km)}" for leg in legs if leg.km is not None
        ]
        self.setAccessibleDescription(", ".join(lengths[:60]))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(60), self.height())

    def marker(self, position: int) -> QPointF:
        """Where the marker of a place is drawn."""
        self._place()
        return QPointF(*self._markers[position])

    def hovered(self) -> str:
        """What the label at the pointer says."""
        return "" if self._hovered is None else visible(_told(self._places[self._hovered]))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._place()
        at = (event.position().x(), event.position().y())
        near = min(range(len(self._markers)), key=lambda n: math.dist(self._markers[n], at))
        self._hover(near if math.dist(self._markers[near], at) <= self._radius * 1.3 else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, position: int | None) -> None:
        if position != self._hovered:
            self._hovered = position
            self.update()

    def _place(self) -> Projection:
        width, height = self.width(), self.height()
        projection = Projection(self._places, width, height, self._radius * 3.5)
        if self._placed_for != self.size():
            self._placed_for = self.size()
            spots = [projection.point(place.lat, place.lon) for place in self._places]
            self._markers = apart(spots, self._radius * 2.1, width, height)
        return projection

    # -- drawing, from the ground upwards

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font("meta"))
        projection = self._place()
        self._paint_ground(painter, projection)
        taken = self._paint_legs(painter)
        self._paint_markers(painter, projection)
        self._paint_names(painter, taken)
        self._paint_scale(painter, projection)
        if self._hovered is not None:
            self._paint_hovered(painter, self._hovered)

    def _paint_ground(self, painter: QPainter, projection: Projection) -> None:
        theme, metrics = self._theme, painter.fontMetrics()
        painter.setPen(QPen(theme.color("border"), 1))
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        gap = theme.space(0.5)
        words: list[tuple[QPointF, str]] = []
        for lon, x in projection.meridians():
            painter.drawLine(QPointF(x, 1), QPointF(x, self.height() - 1))
            text = degrees_text(lon, "EW")
            if x + gap + metrics.horizontalAdvance(text) < self.width():
                words.append((QPointF(x + gap, metrics.ascent() + gap), text))
        for lat, y in projection.parallels():
            painter.drawLine(QPointF(1, y), QPointF(self.width() - 1, y))
            if metrics.height() * 2.2 < y < self.height() - metrics.height() * 2.5:
                words.append((QPointF(gap * 1.5, y - gap / 2), degrees_text(lat, "NS")))
        painter.setPen(theme.color("muted"))
        markers = [self._around_marker(position) for position in range(len(self._places))]
        for where, text in words:
            box = metrics.boundingRect(text).toRectF().translated(where)
            if not any(box.intersects(marker) for marker in markers):
                painter.drawText(where, text)

    def _paint_legs(self, painter: QPainter) -> list[QRectF]:
        """Where the lengths stand; markers keep their room as well."""
        theme, metrics = self._theme, painter.fontMetrics()
        taken = [self._around_marker(position) for position in range(len(self._places))]
        for leg in self._legs:
            painter.setPen(_pen(theme, self._groups[self._places[leg.end].group]))
            painter.drawLine(QPointF(*self._markers[leg.start]), QPointF(*self._markers[leg.end]))
        for leg in self._legs:
            if leg.km is None:
                continue
            (x1, y1), (x2, y2) = self._markers[leg.start], self._markers[leg.end]
            text = _km(leg.km)
            box = QRectF(0, 0, metrics.horizontalAdvance(text) + theme.space(1), metrics.height())
            box.moveCenter(QPointF((x1 + x2) / 2, (y1 + y2) / 2))
            if any(box.intersects(other) for other in taken):
                continue  # The key tells it.
            taken.append(box)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("surface"))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(theme.color("muted"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        return taken

    def _paint_markers(self, painter: QPainter, projection: Projection) -> None:
        theme = self._theme
        colors = [theme.color(_TOKENS[self._groups[place.group] % len(_TOKENS)]) for place in self._places]
        for position, (place, color) in enumerate(zip(self._places, colors, strict=True)):
            true, drawn = QPointF(*projection.point(place.lat, place.lon)), QPointF(*self._markers[position])
            if (true - drawn).manhattanLength() > 2:
                painter.setPen(QPen(color, 1))
                painter.setBrush(color)
                painter.drawLine(true, drawn)
                painter.drawEllipse(true, 1.5, 1.5)
        for position, (place, color) in enumerate(zip(self._places, colors, strict=True)):
            painter.setPen(QPen(theme.color("surface"), 1.5))
            painter.setBrush(color)
            painter.drawEllipse(QPointF(*self._markers[position]), self._radius, self._radius)
            painter.setPen(QColor(theme.color("surface")))
            painter.drawText(self._around_marker(position), int(Qt.AlignmentFlag.AlignCenter), str(place.number))

    def _paint_names(self, painter: QPainter, taken: list[QRectF]) -> None:
        """Names beside their markers where there is room; all of them stand in the key."""
        metrics, reach = painter.fontMetrics(), self._radius + self._theme.space(0.5)
        whole = QRectF(self.rect()).adjusted(4, 4, -4, -self._theme.space(3))
        ground = self._theme.color("surface")
        ground.setAlpha(215)
        painter.setPen(self._theme.color("text"))
        for position, place in enumerate(self._places):
            name = metrics.elidedText(visible(place.name), Qt.TextElideMode.ElideRight, self._theme.space(16))
            wide, high = metrics.horizontalAdvance(name), metrics.height()
            x, y = self._markers[position]
            boxes = [
                QRectF(left, top, wide, high)
                for left, top in (
                    (x + reach, y - high / 2),
                    (x - reach - wide, y - high / 2),
                    (x - wide / 2, y + reach - 2),
                    (x - wide / 2, y - reach - high + 2),
                )
            ]
            for box in sorted(boxes, key=self._is_crossed):
                if name and whole.contains(box) and not any(box.intersects(other) for other in taken):
                    taken.append(box)
                    painter.fillRect(box.adjusted(0, 2, 0, -2), ground)  # No line runs through a name.
                    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), name)
                    break

    def _is_crossed(self, box: QRectF) -> bool:
        """Whether a leg runs through it: only taken if there is no better place."""
        edges = [
            QLineF(box.topLeft(), box.bottomLeft()),
            QLineF(box.topRight(), box.bottomRight()),
            QLineF(box.topLeft(), box.topRight()),
        ]
        lines = [QLineF(QPointF(*self._markers[leg.start]), QPointF(*self._markers[leg.end])) for leg in self._legs]
        met = QLineF.IntersectionType.BoundedIntersection
        return any(line.intersects(edge)[0] == met for line in lines for edge in edges)

    def _paint_scale(self, painter: QPainter, projection: Projection) -> None:
        theme = self._theme
        km, wide = projection.scale_bar(self.width() / 4)
        right, low, tick = self.width() - theme.space(1.5), self.height() - theme.space(1), theme.space(0.5)
        left = right - wide
        painter.setPen(QPen(theme.color("muted"), 1.5))
        painter.drawPolyline(
            [QPointF(left, low - tick), QPointF(left, low), QPointF(right, low), QPointF(right, low - tick)]
        )
        words = QRectF(left - theme.space(8), low - painter.fontMetrics().height() - 2, wide + theme.space(8), 0)
        words.setHeight(painter.fontMetrics().height())
        painter.drawText(words.adjusted(0, 0, -theme.space(0.75), 0), int(Qt.AlignmentFlag.AlignRight), _km(km))

    def _paint_hovered(self, painter: QPainter, position: int) -> None:
        theme, metrics, text = self._theme, painter.fontMetrics(), self.hovered()
        legs = [leg for leg in self._legs if leg.end == position and leg.km is not None]
        if legs and (km := legs[0].km) is not None:
            text = f"{text} · {_km(km)}"
        pad = theme.space(1)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - 4 * pad)
        box = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * pad, metrics.height() + pad)
        x, y = self._markers[position]
        box.moveCenter(QPointF(x, y - self._radius - box.height() / 2 - 3))
        if box.top() < 2:
            box.moveTop(y + self._radius + 3)
        box.moveLeft(min(max(2.0, box.left()), self.width() - box.width() - 2))
        painter.setPen(QPen(theme.color("outline"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme.color("text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)

    def _around_marker(self, position: int) -> QRectF:
        x, y = self._markers[position]
        return QRectF(x - self._radius, y - self._radius, 2 * self._radius, 2 * self._radius)


def _told(place: MapPlace) -> str:
    """As "3 Old Tower (Day 1)"."""
    return f"{place.number} {place.name}".strip() + (f" ({place.group})" if place.group else "")


def _km(km: float | None) -> str:
    return "" if km is None else f"{as_text(round(km * 1000))} m" if km < 1 else f"{as_text(round(km, 1))} km"
