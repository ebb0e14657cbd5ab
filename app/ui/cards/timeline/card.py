"""Days and what happens on them. Numbered days fold, with their map beside them (`day_list`); others stand whole.

A group may have a map of its own: it counts from there on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.action_bar import CardActions
from app.ui.cards.map.card import map_body
from app.ui.cards.parts.collapse import shortened
from app.ui.cards.timeline.day_list import DayList
from app.ui.cards.timeline.stop_row import StopRow
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

_GROUPS_AT_FIRST = 4
_STOPS_AT_FIRST = 40


def timeline(payload: Mapping[str, Any], theme: Theme, actions: CardActions | None = None) -> QWidget:
    groups = mappings(payload, "groups")
    if groups and all(isinstance(group.get("day"), int) for group in groups):
        return DayList(payload, groups, theme, actions)
    listed = shortened(groups, partial(_groups, theme), theme, at_first=_GROUPS_AT_FIRST)
    drawn = payload.get("map")
    above = map_body(drawn, theme) if isinstance(drawn, Mapping) else None
    if above is None:
        return listed
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(2))
    column.addWidget(above)
    column.addWidget(listed)
    return holder


def _groups(theme: Theme, groups: list[Mapping[str, Any]]) -> QWidget:
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
        column.addWidget(shortened(items, partial(_items, theme), theme, at_first=_STOPS_AT_FIRST))
    return holder


def _items(theme: Theme, items: list[Mapping[str, Any]]) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for item in items:
        column.addWidget(StopRow(item, theme, "", None))
    return holder
