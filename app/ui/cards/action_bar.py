"""The buttons of a card: those of the card in a row below it, those of its lines as small icons beside them.

A click only says which button it was; what it runs is read from the stored card (`services/runs/actions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QPushButton, QWidget

from app.core.text.i18n import _
from app.core.tools.card import CardAction
from app.core.tools.card_markdown import mappings
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import visible

_ICONS: Mapping[str, str] = {
    "save": "check",
    "calendar": "calendar",
    "budget": "wallet",
    "undo": "undo",
    "lock": "lock",
    "remove": "x",
    "swap": "swap",
    "open": "external",
    "change": "pencil",
}
"""By what is before the dot of an id: `remove.2.3`."""
CHANGE = "change"
"""What begins so is in the menu of one button."""
_LONGEST_LABEL = 60

LineButtons = Callable[[Iterable[str]], QWidget | None]
"""Makes the small buttons of one line from their ids."""


class CardActions(QObject):
    pressed = Signal(str)
    """The id of a button, confirmed where it asks for that."""

    def __init__(self, actions: Sequence[CardAction], payload: Mapping[str, Any], theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._by_id = {action.id: action for action in actions}
        in_lines = set(_ids_in_lines(payload))
        self._below = [action for action in actions if action.id not in in_lines]

    def fills(self, id: str) -> tuple[str, ...]:
        """The arguments of a button that are in the card."""
        return self._by_id[id].fills if id in self._by_id else ()

    def buttons(self) -> list[QPushButton]:
        """Those below the card: the primary one, the others, and one for all changes."""
        own = [action for action in self._below if _kind(action.id) != CHANGE]
        buttons = [self._button(action) for action in own]
        changes = [action for action in self._below if _kind(action.id) == CHANGE]
        if changes:
            buttons.insert(min(2, len(buttons)), self._menu(changes))
        return buttons

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
            box.addWidget(self.icon(action) if _kind(action.id) in _ICONS else self._button(action))
        return holder

    def icon(self, action: CardAction) -> QAbstractButton:
        button = IconButton(self._theme, _ICONS.get(_kind(action.id), "dots"), visible(action.label)[:_LONGEST_LABEL])
        button.setObjectName(f"cardAction.{action.id}")
        button.clicked.connect(partial(self._press, action.id))
        return button

    def choice(self, id: str, words: str) -> QPushButton | None:
        """A button of a line with words of its own."""
        if id not in self._by_id:
            return None
        button = QPushButton(visible(words)[:_LONGEST_LABEL].replace("&", "&&"))
        button.setObjectName(f"cardAction.{id}")
        button.setAccessibleName(visible(self._by_id[id].label)[:_LONGEST_LABEL])
        button.setAutoDefault(False)
        button.clicked.connect(partial(self._press, id))
        return button

    def _button(self, action: CardAction) -> QPushButton:
        button = QPushButton(visible(action.label)[:_LONGEST_LABEL].replace("&", "&&"))
        button.setObjectName(f"cardAction.{action.id}")
        button.setAutoDefault(False)
        if action.style != "quiet":
            button.setProperty("kind", action.style)
        if icon := _ICONS.get(_kind(action.id)):
            self._set_icon(button, icon, "on_accent" if action.style == "primary" else "text")
        if action.confirm:
            button.clicked.connect(partial(self._confirm, button, action))
        else:
            button.clicked.connect(partial(self._press, action.id))
        return button

    def _menu(self, actions: Sequence[CardAction]) -> QPushButton:
        button = QPushButton(_("Edit"))
        button.setObjectName(f"cardAction.{CHANGE}")
        button.setAutoDefault(False)
        self._set_icon(button, _ICONS[CHANGE], "text")
        menu = QMenu(button)
        for action in actions:
            entry = menu.addAction(visible(action.label)[:_LONGEST_LABEL].replace("&", "&&"))
            entry.setObjectName(f"cardAction.{action.id}")
            entry.triggered.connect(partial(self._press, action.id))
        button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        return button

    def _set_icon(self, button: QPushButton, icon: str, token: str) -> None:
        edge = round(16 * self._theme.zoom)
        button.setIcon(self._theme.icon(icon, token))
        button.setIconSize(QSize(edge, edge))

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


def _kind(id: str) -> str:
    return id.partition(".")[0]


def _ids_in_lines(payload: Mapping[str, Any]) -> Iterable[str]:
    lines = [item for group in mappings(payload, "groups") for item in mappings(group, "items")]
    for item in [*lines, *mappings(payload, "items")]:
        yield from ids_of(item)
        yield from (id for id, _words in choices_of(item))


def ids_of(item: Mapping[str, Any]) -> list[str]:
    """The buttons that are beside one line."""
    listed = item.get("actions")
    return [id for id in listed if isinstance(id, str)] if isinstance(listed, list) else []


def choices_of(item: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What one line can be swapped for: the id of the button, and what it says there."""
    return [
        (choice["id"], choice["label"])
        for choice in mappings(item, "choices")
        if isinstance(choice.get("id"), str) and isinstance(choice.get("label"), str)
    ]
