"""The card of a result in the row of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from app.ui.cards.frame import CardFrame

from .base import RowView
from .items import CardPart
from .row_actions import PressCardButton


def card_widget(row: RowView, part: CardPart) -> QWidget:
    """Its buttons go the way of the row's; an empty widget where nobody can draw it."""
    card = row.tools.cards.make(part.payload, row.tools.theme, row)
    if isinstance(card, CardFrame):
        card.pressed.connect(partial(_press, row, part.message, part.call or part.id.removeprefix("card-")))
    return card or QWidget(row)


def _press(row: RowView, message: str, call: str, button: str, values: Mapping[str, Any]) -> None:
    row.action.emit(PressCardButton(message, call, button, values))
