"""The reading order of a conversation: the answer first, then the work behind it (design.md 1).

A button of a card makes a new version of the card: only the newest is shown, in the place of the first, and one line
remains of the click.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..run.events import LoopEnd
from ..run.messages import Call, Message, Part, PlanPart, Reasoning, Text
from ..run.mode import ACTION
from ..tools.card import is_answer, replaces
from .options import Include

Display = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """One message in reading order: its cards, its answer, its work."""

    message: Message
    cards: tuple[Display, ...] = ()
    """What was asked for, in its newest form."""
    answer: tuple[Part, ...] = ()
    work: tuple[Part, ...] = ()
    """Plan, calls, reasoning, and the texts of steps."""
    deed: str = ""
    """A button that changed a card elsewhere: what it was called and what came of it."""

    def work_shown(self, include: Include) -> tuple[Part, ...]:
        """Without the calls the plan and what was said before them go too: they belong to the steps."""
        return self.work if include.tools else tuple(part for part in self.work if isinstance(part, Reasoning))


def readings(messages: Iterable[Message]) -> Iterator[ExportedMessage]:
    listed = list(messages)
    newest: dict[tuple[str, str], Display] = {}
    for message in listed:
        for call in _calls(message):
            card = call.result.card if call.result is not None else None
            if card is not None and (place := replaces(card)) is not None:
                newest[place] = card
    for message in listed:
        yield _reading(message, newest)


def _reading(message: Message, newest: Mapping[tuple[str, str], Display]) -> ExportedMessage:
    if message.role == "user":
        return ExportedMessage(message, answer=tuple(message.parts))
    if message.start is not None and message.start.mode == ACTION and _is_elsewhere(message):
        result = next((call.result for call in _calls(message) if call.result is not None), None)
        words = result.summary.partition("\n")[0] if result is not None else ""
        return ExportedMessage(message, deed=" – ".join(filter(None, (message.start.query, words))))
    parts = list(message.parts)
    last_call = max((n for n, part in enumerate(parts) if isinstance(part, Call)), default=-1)
    cards: list[Display] = []
    answer: list[Part] = []
    work: list[Part] = []
    for place, part in enumerate(parts):
        match part:
            case Call(call=call, result=result):
                card = newest.get((message.run or "", call.id)) or (result.card if result is not None else None)
                if card is not None and is_answer(card):
                    cards = [card]  # a later one is the answer, the earlier led to it
                work.append(part)
            case Text(text=text):
                (answer if _is_of_answer(text, message, place > last_call) else work).append(part)
            case PlanPart() | Reasoning():
                work.append(part)
            case _:
                answer.append(part)
    return ExportedMessage(message, tuple(cards), tuple(answer), tuple(work))


def _is_of_answer(text: str, message: Message, is_behind: bool) -> bool:
    """`is_behind` the last call. A run that ended says what its answer is; one that did not, by the place."""
    answer = message.end.answer if isinstance(message.end, LoopEnd) else ""
    return text.strip() in answer if answer.strip() and text.strip() else is_behind


def _calls(message: Message) -> Sequence[Call]:
    return [part for part in message.parts if isinstance(part, Call)]


def _is_elsewhere(message: Message) -> bool:
    """Its card took another one's place, or there was none."""
    cards = [call.result.card for call in _calls(message) if call.result is not None and call.result.card]
    return not cards or replaces(cards[-1]) is not None
