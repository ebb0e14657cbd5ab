"""Days and what happens on them: times in a column, a line through the dots, a sign beside what needs care.

With a `map` in the payload the places are drawn above the days; a group may have a map of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.action_bar import ids_of
from app.ui.cards.collapse import shortened
from app.ui.cards.map import map_body
from app.ui.theme import Theme, icon_names
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel

_GROUPS_AT_FIRST = 4
_ICONS: Mapping[str, str] = {
    "sight": "map-pin",
    "meal": "utensils",
    "hotel": "bed",
    "intercity": "train",
    "transfer": "route",
    "free": "clock",
}
"""Words that payloads use for what an item is; the name of an icon of ours works as well."""


LineButtons = Callable[[Iterable[str]], QWidget | None]
"""Makes the small buttons of one line from their ids."""


def timeline(payload: Mapping[str, Any], theme: Theme, buttons: LineButtons | None = None) -> QWidget:
    icons = frozenset(icon_names())
    groups = mappings(payload, "groups")
    days = shortened(groups, lambda part: _groups(part, theme, icons, buttons), theme, at_first=_GROUPS_AT_FIRST)
    drawn = payload.get("map")
    above = map_body(drawn, theme) if isinstance(drawn, Mapping) else None
    if above is None:
        return days
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(2))
    column.addWidget(above)
    column.addWidget(days)
    return holder


def _groups(
    groups: list[Mapping[str, Any]], theme: Theme, known: frozenset[str], buttons: LineButtons | None
) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(0.5))
    for number, group in enumerate(groups):
        if number:
            column.addSpacing(theme.space(1))
        drawn = group.get("map")
        if isinstance(drawn, Mapping) and (above := map_body(drawn, theme)):
            column.addWidget(above)
            column.addSpacing(theme.space(1))
        label = SafeLabel(as_text(group.get("label")), role="strong")
        label.setWordWrap(True)
        column.addWidget(label)
        if sub := as_text(group.get("sub")):
            sub_label = SafeLabel(sub, role="meta")
            sub_label.setWordWrap(True)
            column.addWidget(sub_label)
        items = mappings(group, "items")
        column.addWidget(shortened(items, lambda part: _items(part, theme, known, buttons), theme, at_first=40))
    return holder


def _items(items: list[Mapping[str, Any]], theme: Theme, known: frozenset[str], buttons: LineButtons | None) -> QWidget:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, theme.space(0.5), 0, 0)
    grid.setHorizontalSpacing(theme.space(1))
    grid.setVerticalSpacing(0)
    grid.setColumnMinimumWidth(0, theme.space(11))
    grid.setColumnStretch(2, 1)
    for row, item in enumerate(items):
        times = [as_text(item[key]) for key in ("time", "end") if item.get(key)]
        warns = bool(item.get("warn"))
        kind = as_text(item.get("icon"))
        icon = "alert" if warns else _ICONS.get(kind, kind)
        line = round(theme.size("ui") * 1.45)
        time = SafeLabel("–".join(times), role="meta")
        time.setMinimumHeight(line)
        grid.addWidget(time, row, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        mark = _Mark(theme, icon if icon in known else "", warns=warns, first=row == 0, last=row == len(items) - 1)
        grid.addWidget(mark, row, 1)
        grid.addWidget(_words(item, theme), row, 2)
        icons = buttons(ids_of(item)) if buttons is not None else None
        if icons is not None:
            grid.addWidget(icons, row, 3, Qt.AlignmentFlag.AlignTop)
    return holder


def _words(item: Mapping[str, Any], theme: Theme) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, theme.space(1))
    column.setSpacing(0)
    title = SafeLabel(as_text(item.get("title")))
    title.setWordWrap(True)
    title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    column.addWidget(title)
    if text := as_text(item.get("text")):
        label = SafeLabel(text, role="meta")
        label.setWordWrap(True)
        column.addWidget(label)
    return holder


class _Mark(QWidget):
    """The dot or icon of an item, on the line that joins them."""

    def __init__(self, theme: Theme, icon: str, *, warns: bool, first: bool, last: bool) -> None:
        super().__init__()
        self._theme, self._icon = theme, icon
        self._warns, self._first, self._last = warns, first, last
        self.setFixedWidth(theme.space(2.5))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, x = theme.size("ui") * 1.45 / 2, self.width() / 2
        radius = theme.space(1 if self._icon else 0.5)
        painter.setPen(QPen(theme.color("border"), 1))
        if not self._first:
            painter.drawLine(QPointF(x, 0), QPointF(x, max(0.0, middle - radius)))
        if not self._last:
            painter.drawLine(QPointF(x, middle + radius), QPointF(x, self.height()))
        if self._icon:
            size = round(14 * theme.zoom)
            token = "warn" if self._warns else "muted"
            pixmap = theme.pixmap(self._icon, token, 14, ratio=self.devicePixelRatioF())
            painter.drawPixmap(QPointF(x - size / 2, middle - size / 2), pixmap)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("warn" if self._warns else "outline"))
            painter.drawEllipse(QPointF(x, middle), theme.space(0.375), theme.space(0.375))
