"""The buttons of a card: those of the card in a row below it, those of its lines as small icons beside them.

A click only says which button it was; what it runs is read from the stored card (`services/runs/actions.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _
from app.core.tools.card import CardAction
from app.core.tools.card_markdown import mappings
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import visible

_ICONS: Mapping[str, str] = {
    "lock": "pin",
    "remove": "trash",
    "swap": "refresh",
    "open": "external",
    "edit": "pencil",
}
"""By what stands before the dot of an id: `remove.2.3`."""
_LONGEST_LABEL = 60


class CardActions(QObject):
    pressed = Signal(str)
    """The id of a button, confirmed where it asks for that."""

    def __init__(self, actions: Sequence[CardAction], payload: Mapping[str, Any], theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._by_id = {action.id: action for action in actions}
        in_lines = set(_ids_in_lines(payload))
        self._below = [action for action in actions if action.id not in in_lines]

    def bar(self) -> QWidget | None:
        """The row below the card; None without buttons."""
        if not self._below:
            return None
        bar = QWidget()
        box = QHBoxLayout(bar)
        box.setContentsMargins(0, self._theme.space(0.5), 0, 0)
        box.setSpacing(self._theme.space(1))
        for action in self._below:
            box.addWidget(self._button(action))
        box.addStretch(1)
        return bar

    def icons(self, ids: Iterable[str]) -> QWidget | None:
        """Those of one line of the card."""
        actions = [self._by_id[id] for id in ids if id in self._by_id]
        if not actions:
            return None
        holder = QWidget()
        box = QHBoxLayout(holder)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for action in actions:
            icon = _ICONS.get(action.id.partition(".")[0], "dots")
            button = IconButton(self._theme, icon, visible(action.label)[:_LONGEST_LABEL], size=14)
            button.setObjectName(f"cardAction.{action.id}")
            button.clicked.connect(partial(self._press, action.id))
            box.addWidget(button)
        return holder

    def _button(self, action: CardAction) -> QPushButton:
        button = QPushButton(visible(action.label)[:_LONGEST_LABEL].replace("&", "&&"))
        button.setObjectName(f"cardAction.{action.id}")
        button.setAutoDefault(False)
        if action.style != "quiet":
            button.setProperty("kind", action.style)
        if action.confirm:
            button.clicked.connect(partial(self._confirm, button, action))
        else:
            button.clicked.connect(partial(self._press, action.id))
        return button

    def _press(self, id: str, _checked: bool = False) -> None:
        self.pressed.emit(id)

    def _confirm(self, button: QPushButton, action: CardAction, _checked: bool = False) -> None:
        """The first click shows the question in the button's place, the second one presses it."""
        if button.property("asked"):
            self.pressed.emit(action.id)
            return
        button.setProperty("asked", True)
        question = visible(action.confirm)[:_LONGEST_LABEL].replace("&", "&&")
        button.setText(_("{question} Yes").format(question=question))


def _ids_in_lines(payload: Mapping[str, Any]) -> Iterable[str]:
    for group in mappings(payload, "groups"):
        for item in mappings(group, "items"):
            yield from ids_of(item)


def ids_of(item: Mapping[str, Any]) -> list[str]:
    """The buttons that stand beside one line."""
    listed = item.get("actions")
    return [id for id in listed if isinstance(id, str)] if isinstance(listed, list) else []
