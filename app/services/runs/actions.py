"""The call behind a button of a card, read from the stored card and never from the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.agent.modes.action import PressedButton
from app.core.errors import BadInput
from app.core.run.messages import Call, Message
from app.core.text.i18n import language_of
from app.core.tools.card import actions_of, is_answer, replaces

FORM = "form"


@dataclass(frozen=True, slots=True)
class Pressed:
    agent: str
    label: str
    language: str
    """Of the conversation at that place."""
    button: PressedButton


def read_button(history: Sequence[Message], message: str, call: str, action: str, values: Mapping[str, Any]) -> Pressed:
    """Raises BadInput where the message, its card or the button is not there."""
    place, made = _message(history, message)
    card = _shown(made, call)
    button = next((one for one in actions_of(card) if one.id == action), None)
    if made.start is None or made.run is None or button is None:
        raise BadInput("the card has no such button", reason="NO_ACTION")
    args = dict(button.args)
    if values:
        if card.get("card") != FORM and not values.keys() <= set(button.fills):
            raise BadInput("only a form takes values", reason="NO_ACTION")
        args |= values
    first = replaces(card) or (made.run, _answer_call(made) if not is_answer(card) else call)
    question = next((one.text for one in reversed(history[:place]) if one.role == "user"), "")
    pressed = PressedButton(button.tool, args, *first)
    return Pressed(made.start.agent, button.label, language_of(question), pressed)


def _message(history: Sequence[Message], id: str) -> tuple[int, Message]:
    for place, message in enumerate(history):
        if message.id == id and message.role == "assistant":
            return place, message
    raise BadInput("the card is not in what is read of the session", reason="NO_ACTION")


def _answer_call(message: Message) -> str:
    """What a button of a supporting card changes is the answer beside it; its own place where there is none."""
    calls = [part for part in message.parts if isinstance(part, Call) and part.result is not None]
    return next((part.call.id for part in reversed(calls) if part.result and is_answer(part.result.card)), "")


def _shown(message: Message, call: str) -> Mapping[str, Any]:
    for part in message.parts:
        if isinstance(part, Call) and part.call.id == call and part.result is not None:
            return part.result.card or {}
    return {}
