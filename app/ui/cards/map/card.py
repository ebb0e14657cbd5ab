"""A map drawn by us: numbered pins, a colour and a line style for each day, a few shapes of the city, scale and north.

Nothing is fetched, unless the person has switched a street map on. Lines run between the true places, so that no
direction is ever wrong: where a pin has no room it is beside its place, with a thin line to it. A stop far outside
becomes an arrow at the edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.cards.lists import listing
from app.ui.cards.map.day_colours import day_pen, day_token
from app.ui.cards.map.ground import paint_ground, paint_north, paint_scale
from app.ui.cards.map.labels import Label, crossings, place_labels
from app.ui.cards.map.plan import (
    MOST_PLACES,
    MapLeg,
    MapPlace,
    MapShape,
    Projection,
    apart,
    far_places,
    groups_of,
    km_text,
    read_legs,
    read_places,
    read_shapes,
)
from app.ui.cards.map.tiles import paint_credit, paint_tiles, tiles_in_use
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

PIN, PIN_HOVERED = 9, 11
"""Radius in pixels."""
_HOME = 7
_MARGIN = 28


def map_card(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    return map_body(payload, theme) or listing(payload, theme)


def map_body(payload: Mapping[str, Any], theme: Theme) -> QWidget | None:
    """The drawing and its key; None without a single place that can be drawn."""
    drawing = map_drawing(payload, theme)
    if drawing is None:
        return None
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(1))
    drawing.setFixedHeight(theme.space(36))
    column.addWidget(drawing)
    column.addWidget(_key(drawing.places, drawing.legs, theme))
    if left := len(read_places(payload)) - len(drawing.places):
        note = ngettext("{n} more place is not drawn", "{n} more places are not drawn", left).format(n=left)
        column.addWidget(SafeLabel(note, role="meta"))
    return holder


def map_drawing(payload: Mapping[str, Any], theme: Theme) -> MapDrawing | None:
    """The drawing alone, for who has the places in a list beside it."""
    places = read_places(payload)[:MOST_PLACES]
    if not places:
        return None
    return MapDrawing(places, read_legs(payload, places), read_shapes(payload), theme)


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
    lengths = {(leg.start, leg.end): km_text(leg.km) for leg in legs if leg.km is not None}
    words, before = "", -1
    for position, place in enumerate(places):
        if place.group == group and not place.is_home:
            far = lengths.get((before, position))
            join = "" if before < 0 else f" — {far} — " if far else " · "
            words += join + place.label
            before = position
    return words


class _Stroke(QWidget):
    def __init__(self, theme: Theme, group: int) -> None:
        super().__init__()
        self._pen = day_pen(theme, group)
        self.setFixedSize(theme.space(3), round(theme.size("meta") * 1.4))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        middle = self.height() / 2
        painter.drawLine(QPointF(1, middle), QPointF(self.width() - 1, middle))


class MapDrawing(QWidget):
    pointed = Signal(int)
    """The number of the place under the pointer; 0: none."""
    picked = Signal(float, float, str)
    """Latitude, longitude and name of a place that was clicked."""

    def __init__(
        self, places: Sequence[MapPlace], legs: Sequence[MapLeg], shapes: Sequence[MapShape], theme: Theme
    ) -> None:
        super().__init__()
        self.places, self.legs, self._shapes, self._theme = places, legs, shapes, theme
        self._groups = {group: number for number, group in enumerate(groups_of(places))}
        self._tiles = tiles_in_use()
        if self._tiles is not None:
            self._tiles.came.connect(self.update)
        self._only: str | None = None
        self._hovered: int | None = None
        self._layout: _Layout | None = None
        self.setMinimumHeight(theme.space(20))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        named = ", ".join(visible(_told(place)) for place in places[:60] if not place.is_home)
        self.setAccessibleName(_("Map: {places}").format(places=named))
        lengths = [
            f"{places[leg.start].number}–{places[leg.end].number}: {km_text(leg.km)}"
            for leg in legs
            if leg.km is not None and places[leg.start].number and places[leg.end].number
        ]
        self.setAccessibleDescription(", ".join(lengths[:60]))

    def show_group(self, group: str | None) -> None:
        """One day alone, fitted to its stops; None: all."""
        if group != self._only:
            self._only, self._layout = group, None
            self.update()

    def point_out(self, number: int) -> None:
        """The pin of that number is shown larger; 0: none."""
        self._hover(next((n for n, place in enumerate(self.places) if number and place.number == number), None))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(60), max(self.minimumHeight(), self._theme.space(36)))

    def marker(self, position: int) -> QPointF:
        """Where the pin of a place is drawn."""
        return self._placed().pins[position]

    def labels(self) -> Sequence[Label]:
        return self._placed().labels

    def arrows(self) -> Mapping[int, QPointF]:
        """By position: the places that lie outside, and where on the edge their arrows stand."""
        return self._placed().arrows

    def hovered(self) -> str:
        """What the label at the pointer says."""
        return "" if self._hovered is None else visible(_told(self.places[self._hovered]))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._at(event.position())
        self._hover(at)
        self.setCursor(Qt.CursorShape.ArrowCursor if at is None else Qt.CursorShape.PointingHandCursor)
        self.pointed.emit(0 if at is None else self.places[at].number)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and (at := self._at(event.position())) is not None:
            place = self.places[at]
            self.picked.emit(place.lat, place.lon, place.name)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)
        self.pointed.emit(0)

    def _at(self, point: QPointF) -> int | None:
        spots = {**self._placed().pins, **self._placed().arrows}
        near = min(spots, key=lambda n: QLineF(spots[n], point).length(), default=None)
        return near if near is not None and QLineF(spots[near], point).length() <= PIN * 1.4 else None

    def _hover(self, position: int | None) -> None:
        if position != self._hovered:
            self._hovered = position
            self.update()

    def _placed(self) -> _Layout:
        if self._layout is None or self._layout.size != self.size():
            self._layout = _Layout(self, self._theme, self._only)
        return self._layout

    # -- drawing, from the ground upwards

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter, layout = self._theme, QPainter(self), self._placed()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("meta"))
        taken = [*(_around(pin, PIN) for pin in layout.pins.values()), *(label.box for label in layout.labels)]
        credit = self._tiles.credit() if self._tiles is not None else None
        if self._tiles is not None and credit is not None:
            paint_tiles(painter, QRectF(self.rect()), layout.projection, self._tiles, theme)
        else:
            ways = [layout.line_of(leg) for leg in layout.legs]
            paint_ground(painter, QRectF(self.rect()), layout.projection, self._shapes, taken, ways, theme)
        for leg in layout.legs:
            painter.setPen(day_pen(theme, self._groups.get(leg.group, 0)))
            painter.drawLine(layout.line_of(leg))
        self._paint_pins(painter, layout)
        for label in layout.labels:
            self._paint_label(painter, label)
        paint_scale(painter, QRectF(self.rect()), layout.projection, theme, km_text)
        paint_north(painter, QRectF(self.rect()), theme)
        if credit:
            paint_credit(painter, QRectF(self.rect()), credit, theme)
        if self._hovered is not None and self._hovered in {**layout.pins, **layout.arrows}:
            self._paint_hovered(painter, layout, self._hovered)

    def _token(self, place: MapPlace) -> str:
        return day_token(self._groups.get(place.group, 0))

    def _paint_pins(self, painter: QPainter, layout: _Layout) -> None:
        theme = self._theme
        for position, pin in layout.pins.items():
            place, true = self.places[position], layout.true[position]
            if QLineF(true, pin).length() > 2:
                painter.setPen(QPen(theme.color("muted"), 0.8))
                painter.drawLine(true, pin)
                painter.setBrush(theme.color(self._token(place)))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawEllipse(true, 2, 2)
        for position, pin in layout.pins.items():
            place = self.places[position]
            painter.setPen(QPen(theme.color("surface"), 1.5))
            if place.is_home:
                painter.setBrush(theme.color("text"))
                painter.drawRoundedRect(_around(pin, _HOME), 4, 4)
                continue
            radius = PIN_HOVERED if position == self._hovered else PIN if place.number else 5
            painter.setBrush(theme.color(self._token(place)))
            painter.drawEllipse(pin, radius, radius)
            if place.number:
                painter.setPen(theme.color("surface"))
                font = theme.font("meta", strong=True)
                font.setPixelSize(round(11 * theme.zoom))
                painter.setFont(font)
                painter.drawText(_around(pin, radius), int(Qt.AlignmentFlag.AlignCenter), str(place.number))
                painter.setFont(theme.font("meta"))
        for position, spot in layout.arrows.items():
            painter.setPen(QPen(theme.color(self._token(self.places[position])), 2))
            tip = QLineF(spot, layout.true[position])
            for turn in (150, -150):
                wing = QLineF(tip)
                wing.setLength(7)
                wing.setAngle(tip.angle() + turn)
                painter.drawLine(wing)

    def _paint_label(self, painter: QPainter, label: Label) -> None:
        theme, place = self._theme, self.places[label.position]
        if label.leader is not None:
            painter.setPen(QPen(theme.color("muted"), 0.8))
            painter.drawLine(label.leader)
        ground = theme.color("map_ground")
        ground.setAlpha(215)
        painter.fillRect(label.box.adjusted(-1, 2, 1, -2), ground)  # no line runs through a name
        painter.setPen(theme.color("muted" if place.is_home else "text"))
        painter.drawText(label.box, int(Qt.AlignmentFlag.AlignCenter), self._placed().words[label.position])

    def _paint_hovered(self, painter: QPainter, layout: _Layout, position: int) -> None:
        theme, metrics, text = self._theme, painter.fontMetrics(), self.hovered()
        legs = [leg for leg in layout.legs if leg.end == position and leg.km is not None]
        if legs:
            text = f"{text} · {km_text(legs[0].km)}"
        pad = theme.space(1)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - 4 * pad)
        box = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * pad, metrics.height() + pad)
        at = layout.pins.get(position) or layout.arrows[position]
        box.moveCenter(QPointF(at.x(), at.y() - PIN - box.height() / 2 - 4))
        if box.top() < 2:
            box.moveTop(at.y() + PIN + 4)
        box.moveLeft(min(max(2.0, box.left()), self.width() - box.width() - 2))
        painter.setPen(QPen(theme.color("outline"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme.color("text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)


class _Layout:
    """Where everything is at one size, for one day or all."""

    def __init__(self, drawing: MapDrawing, theme: Theme, only: str | None) -> None:
        places, self.size = drawing.places, drawing.size()
        area = QRectF(drawing.rect())
        ends = {n for leg in drawing.legs if leg.group == only for n in (leg.start, leg.end)}
        among = [
            n for n, place in enumerate(places) if only is None or place.group == only or (place.is_home and n in ends)
        ] or list(range(len(places)))
        far = far_places(places, among)
        near = [n for n in among if n not in far]
        self.projection = Projection(
            [places[n] for n in near], area.width(), area.height(), min(_MARGIN * theme.zoom, area.height() / 5)
        )
        self.true = {n: QPointF(*self.projection.point(places[n].lat, places[n].lon)) for n in among}
        self.legs = [
            leg
            for leg in drawing.legs
            if leg.start in self.true and leg.end in self.true and (only is None or leg.group == only)
        ]
        spots = apart([self.true[n].toTuple() for n in near], PIN * 2.05, area.width(), area.height())
        self.pins = {n: QPointF(*spot) for n, spot in zip(near, spots, strict=True)}
        self.arrows = {n: self._edge(n, area) for n in far}
        self.words, self.labels = self._names(drawing, theme, area)

    def line_of(self, leg: MapLeg) -> QLineF:
        """Between the true places: what is outside is cut off by the edge."""
        return QLineF(self.true[leg.start], self.true[leg.end])

    def _edge(self, position: int, area: QRectF) -> QPointF:
        """Where the way to a far place leaves the map."""
        outside = self.true[position]
        ways = [leg for leg in self.legs if position in (leg.start, leg.end)]
        others = [leg.end if leg.start == position else leg.start for leg in ways]
        inner = next((self.pins[n] for n in others if n in self.pins), area.center())
        way, inside = QLineF(inner, outside), area.adjusted(14, 14, -14, -14)
        corners = [inside.topLeft(), inside.topRight(), inside.bottomRight(), inside.bottomLeft()]
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            kind, point = way.intersects(QLineF(a, b))
            if kind == QLineF.IntersectionType.BoundedIntersection:
                return QPointF(point)
        return QPointF(min(max(outside.x(), inside.left()), inside.right()), inside.top())

    def _names(self, drawing: MapDrawing, theme: Theme, area: QRectF) -> tuple[dict[int, str], list[Label]]:
        """Names of far places are shortened where they would stand in the way of the others, or nowhere."""
        lines, room = [self.line_of(leg) for leg in self.legs], theme.space(16)
        words = {n: self._name(drawing, n, room) for n in self.true}
        labels = self._placed_names(drawing, words, area, lines)
        good = {label.position for label in labels if not crossings(label.box, lines)}
        if poor := [n for n in self.arrows if n not in good]:
            words |= {n: self._name(drawing, n, min(room, round(area.width() / 4.5))) for n in poor}
            labels = self._placed_names(drawing, words, area, lines)
        return words, labels

    def _name(self, drawing: MapDrawing, n: int, room: int) -> str:
        far = ""
        if n in self.arrows:  # how far it is stays, whatever becomes of the name
            far = km_text(next((leg.km for leg in self.legs if n in (leg.start, leg.end) and leg.km), None))
        name = drawing.places[n].label if n in self.arrows else drawing.places[n].name
        elided = drawing.fontMetrics().elidedText(visible(name), Qt.TextElideMode.ElideRight, room)
        return f"{elided} {far}".strip()

    def _placed_names(
        self, drawing: MapDrawing, words: Mapping[int, str], area: QRectF, lines: Sequence[QLineF]
    ) -> list[Label]:
        metrics = drawing.fontMetrics()
        order = [n for n in (*self.arrows, *self.pins) if words[n]]
        sizes = [QSizeF(metrics.horizontalAdvance(words[n]) + 2, metrics.height()) for n in order]
        spots = [(n, self.arrows.get(n) or self.pins[n]) for n in order]
        taken = [_around(pin, PIN) for pin in self.pins.values()]
        taken += [_around(spot, 4) for spot in self.arrows.values()]
        taken.append(QRectF(area.right() - 28, 0, 28, 40))  # north
        taken.append(QRectF(0, area.bottom() - 26, area.width() / 3, 26))  # scale
        return place_labels(
            spots, sizes, reach=PIN + 5, area=area.adjusted(4, 4, -4, -4), taken=taken, lines=lines,
            at_edge=self.arrows,
        )  # fmt: skip


def _around(pin: QPointF, radius: float) -> QRectF:
    return QRectF(pin.x() - radius, pin.y() - radius, 2 * radius, 2 * radius)


def _told(place: MapPlace) -> str:
    """As "3 Old Tower (Day 1)"."""
    return place.label + (f" ({place.group})" if place.group else "")
