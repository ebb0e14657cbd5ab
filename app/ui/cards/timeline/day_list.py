"""The days of a journey: a chip for each, one day open beside its map, the others one line each, notes below.

Narrow cards have the map above the day. A stop and its pin answer each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text, mappings, texts
from app.ui.cards.action_bar import CardActions
from app.ui.cards.map.card import MapDrawing, map_drawing
from app.ui.cards.map.day_colours import day_token
from app.ui.cards.parts.collapse import shortened
from app.ui.cards.timeline.day_chips import DayChips
from app.ui.cards.timeline.day_notes import DayNotes
from app.ui.cards.timeline.stop_row import StopRow
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel, visible

NARROW = 600
"""Pixels of the card at 100 %: below, the map is above the day."""
_MAP_WIDTH, _MAP_HEIGHT, _MAP_ABOVE = 37, 38, 25
"""Steps of the grid."""
_STOPS_AT_FIRST = 40


class DayList(QWidget):
    place_wanted = Signal(float, float, str)

    def __init__(
        self, payload: Mapping[str, Any], groups: Sequence[Mapping[str, Any]], theme: Theme, actions: CardActions | None
    ) -> None:
        super().__init__()
        self._theme, self._groups, self._actions = theme, groups, actions
        self._maps = _maps_of(payload, groups)
        self.chosen: int | None = None
        """The day of the chip that is down, as its place in the list; None: all."""
        self.open: int | None = 0
        self._is_whole = False
        self._rows: list[StopRow] = []
        self._drawing: MapDrawing | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._chips: DayChips | None = None
        if len(groups) > 1 or as_text(payload.get("source")):
            self._chips = DayChips(groups, as_text(payload.get("source")), theme)
            self._chips.chosen.connect(self.choose)
            self._column.addWidget(self._chips)
        self._days: QWidget = QWidget()
        self._column.addWidget(self._days)
        if notes := texts(payload, "notes"):
            self._column.addWidget(_line(theme))
            self._column.addWidget(DayNotes(notes, theme))
        self._show()

    def choose(self, number: int | None) -> None:
        """One day alone with its map; None: all of them."""
        self.chosen = number
        if number is None and self.open is None:
            self.open = 0
        self._show()

    def toggle(self, number: int) -> None:
        """One day is open at a time."""
        self.open = None if self.open == number else number
        self._show()

    def unfold_all(self) -> None:
        """For a picture: every day whole, one below the other."""
        self._is_whole, self.chosen, self.open = True, None, 0
        for notes in self.findChildren(DayNotes):
            notes.unfold()
        self._show()

    # ------------------------------------------------------------ days

    def _show(self) -> None:
        theme = self._theme
        self._rows = []
        self._drawing = None
        days = QWidget()
        column = QVBoxLayout(days)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for number, group in enumerate(self._groups):
            is_alone = self.chosen == number
            if self.chosen not in (None, number):
                continue
            is_open = is_alone or self._is_whole or self.open == number
            if not is_alone:
                if column.count():
                    column.addWidget(_line(theme))
                head = _DayLine(group, number, theme, is_open=is_open)
                head.clicked.connect(partial(self._toggled, number))
                column.addWidget(head)
            if is_open:
                with_map = is_alone or number == (self.open or 0)
                column.addWidget(self._day(group, number, is_alone=is_alone, with_map=with_map))
        old, self._days = self._days, days
        self._column.replaceWidget(old, days)
        old.hide()
        old.deleteLater()
        days.show()
        self.updateGeometry()

    def _toggled(self, number: int, _checked: bool = False) -> None:
        focus = self._days.focusWidget() is not None
        self.toggle(number)
        if focus:
            lines = self._days.findChildren(_DayLine)
            lines[min(number, len(lines) - 1)].setFocus()

    def _day(self, group: Mapping[str, Any], number: int, *, is_alone: bool, with_map: bool) -> QWidget:
        theme = self._theme
        stops = QWidget()
        column = QVBoxLayout(stops)
        column.setContentsMargins(0, 0, 0, theme.space(1))
        column.setSpacing(0)
        if is_alone:
            head = SafeLabel(f"{as_text(group.get('label'))}  {as_text(group.get('sub'))}", role="meta")
            head.setWordWrap(True)
            head.setContentsMargins(theme.space(1), theme.space(0.5), theme.space(1), theme.space(0.5))
            column.addWidget(head)
        items = mappings(group, "items")
        column.addWidget(shortened(items, partial(self._stops, number), theme, at_first=_STOPS_AT_FIRST))
        column.addStretch(1)
        drawing = map_drawing(self._maps[number], theme) if with_map else None
        if drawing is None:
            return stops
        self._drawing = drawing
        drawing.show_group(_group_on_map(self._maps[number], group, number) if is_alone else None)
        drawing.pointed.connect(self._light)
        drawing.picked.connect(self.place_wanted)
        return _Beside(stops, drawing, theme)

    def _stops(self, number: int, items: Sequence[Mapping[str, Any]]) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for item in items:
            row = StopRow(item, self._theme, day_token(number), self._actions)
            row.pointed.connect(self._point_out)
            row.place_wanted.connect(self.place_wanted)
            self._rows.append(row)
            column.addWidget(row)
        return holder

    def _point_out(self, number: int) -> None:
        if self._drawing is not None:
            self._drawing.point_out(number)

    def _light(self, number: int) -> None:
        for row in self._rows:
            row.set_lit(is_lit=bool(number) and row.number == number)


def _maps_of(payload: Mapping[str, Any], groups: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The map of each day: its own, or that of the day before."""
    drawn = payload.get("map")
    maps: list[Mapping[str, Any]] = []
    for group in groups:
        own = group.get("map")
        drawn = own if isinstance(own, Mapping) else drawn
        maps.append(drawn if isinstance(drawn, Mapping) else {})
    return maps


def _group_on_map(drawn: Mapping[str, Any], group: Mapping[str, Any], number: int) -> str | None:
    """What the map calls this day: the group of its first stop there."""
    del number
    numbers = {item.get("number") for item in mappings(group, "items")} - {None}
    for point in mappings(drawn, "points"):
        if point.get("number") in numbers:
            return as_text(point.get("group"))
    return None


class _Beside(QWidget):
    """The stops at the left and their map at the right; the map above where there is no room."""

    def __init__(self, stops: QWidget, drawing: MapDrawing, theme: Theme) -> None:
        super().__init__()
        self._stops, self._drawing, self._theme = stops, drawing, theme
        stops.setParent(self)
        drawing.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        left = self._left(width)
        stops = self._height_of_stops(left)
        if left < width:
            return max(stops, self._theme.space(_MAP_HEIGHT) + self._theme.space(1))
        return stops + self._theme.space(_MAP_ABOVE) + self._theme.space(1)

    def sizeHint(self) -> QSize:
        width = max(self.width(), 400)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.space(25), self._theme.space(20))

    def _left(self, width: int) -> int:
        """The width of the stops."""
        if width < NARROW * self._theme.zoom:
            return width
        return width - self._theme.space(_MAP_WIDTH) - self._theme.space(1)

    def _height_of_stops(self, width: int) -> int:
        layout = self._stops.layout()
        if layout is None:
            return self._stops.sizeHint().height()
        layout.activate()
        return layout.heightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        theme, width = self._theme, self.width()
        left = self._left(width)
        stops = self._height_of_stops(left)
        if left < width:
            self._stops.setGeometry(0, 0, left, max(stops, self.height()))
            self._drawing.setGeometry(
                width - theme.space(_MAP_WIDTH), 0, theme.space(_MAP_WIDTH), theme.space(_MAP_HEIGHT)
            )
            return
        above = theme.space(_MAP_ABOVE)
        self._drawing.setGeometry(0, 0, width, above)
        self._stops.setGeometry(0, above + theme.space(1), width, stops)


class _DayLine(QPushButton):
    """A day in one line: dot, name, route, hours and tickets."""

    def __init__(self, group: Mapping[str, Any], number: int, theme: Theme, *, is_open: bool) -> None:
        super().__init__()
        self.setProperty("kind", "fold")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(theme.space(5))
        label, span = as_text(group.get("label")), as_text(group.get("span"))
        middle = SafeLabel(
            as_text(group.get("sub" if is_open else "route")), role="meta" if is_open else "", elide=True
        )
        self.setAccessibleName(visible(" · ".join(filter(None, (label, as_text(group.get("route")), span)))))
        self.setAccessibleDescription(_("Fold") if is_open else _("Show the day"))
        box = QHBoxLayout(self)
        box.setContentsMargins(theme.space(1), 0, theme.space(1), 0)
        box.setSpacing(theme.space(1))
        chevron = SafeLabel()
        icon = "chevron-up" if is_open else "chevron-right"
        chevron.setPixmap(theme.pixmap(icon, "muted", 14, ratio=max(1.0, self.devicePixelRatioF())))
        name = SafeLabel(label, role="strong", elide=True)
        for part, stretch in (
            (_Dot(theme, number), 0),
            (name, 0),
            (middle, 1),
            (SafeLabel("" if is_open else span, role="meta", elide=True), 0),
            (chevron, 0),
        ):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            box.addWidget(part, stretch)


class _Dot(QWidget):
    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__()
        self._theme, self._number = theme, number
        self.setFixedSize(theme.space(1), theme.space(1))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(day_token(self._number)))
        painter.drawEllipse(self.rect())


def _line(theme: Theme) -> QWidget:
    line = QFrame()
    line.setProperty("line", True)
    line.setFixedHeight(max(1, round(theme.zoom)))
    return line
