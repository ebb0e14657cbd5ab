"""Stored messages become rows of the chat, each only when it comes into sight."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from app.core.run.events import LoopEnd
from app.core.run.messages import Attachment, Call, Message, Text
from app.core.run.mode import ACTION
from app.core.run.transcript import replay
from app.core.run.view import view_of
from app.core.text.i18n import _, ngettext
from app.core.text.moments import time_text
from app.core.tools.card import replaces
from app.ui.chat.rows.items import (
    Action,
    AssistantRow,
    CardPart,
    File,
    LaterRow,
    NotePart,
    NoticeRow,
    Part,
    Row,
    UserRow,
    Variant,
)
from app.ui.chat.rows.row_actions import Plain
from app.ui.run_presenter.answer import AnswerBuilder
from app.ui.run_presenter.canvas import RowCanvas

_OTHER_PART = 40
"""Characters whose height a call or a notice has, roughly."""
_PICTURE = 800


@dataclass(frozen=True, slots=True)
class AgentLabel:
    """How an agent is shown beside its answers."""

    name: str
    icon: str = "sparkles"


def rows_of(
    messages: Sequence[Message],
    faces: Mapping[str, AgentLabel],
    variants: Mapping[str, Sequence[str]] | None = None,
    ratings: Mapping[str, int] | None = None,
) -> Iterator[Row | LaterRow]:
    """`variants` as a `Line` has them; `ratings` 1 or -1 by message."""
    newer = newer_cards(messages)
    last = next((message.id for message in reversed(messages) if message.role == "assistant"), "")
    for message in messages:
        length = 0
        for part in message.parts:
            if isinstance(part, Text):
                length += len(part.text)
            else:
                length += _PICTURE if isinstance(part, Attachment) and part.is_image else _OTHER_PART
        if (line := pressed_row(message)) is not None:
            yield line
        elif message.role == "user":
            yield LaterRow(message.id, length, partial(user_row, message, variant_of(message.id, variants)))
        else:
            make = partial(
                answer_row,
                message,
                faces,
                is_last=message.id == last,
                variant=variant_of(message.id, variants),
                rating=(ratings or {}).get(message.id, 0),
                newer=newer,
            )
            yield LaterRow(message.id, length, make)


NewerCards = Mapping[tuple[str, str], CardPart]
"""By the run and the call of the card that a button's card takes the place of."""


def newer_cards(messages: Iterable[Message]) -> NewerCards:
    """The newest card for each place; older ones stay in the log."""
    newer: dict[tuple[str, str], CardPart] = {}
    for message in messages:
        for part in message.parts:
            card = part.result.card if isinstance(part, Call) and part.result is not None else None
            if isinstance(part, Call) and (place := replaces(card)) is not None:
                newer[place] = CardPart("", card, message.id, part.call.id)
    return newer


def _renewed(part: Part, run: str, newer: NewerCards) -> Part:
    if not isinstance(part, CardPart):
        return part
    later = newer.get((run, part.id.removeprefix("card-")))
    return part if later is None else replace(later, id=part.id)


def pressed_row(message: Message) -> NoticeRow | None:
    """One line about a button whose card stands elsewhere, or that gave none."""
    if message.start is None or message.start.mode != ACTION or message.end is None:
        return None
    result = next((part.result for part in message.parts if isinstance(part, Call)), None)
    if result is not None and result.card is not None and replaces(result.card) is None:
        return None  # a card of its own: it is shown like any answer's
    label, words = message.start.query, result.summary if result is not None else ""
    answer = message.end.answer if isinstance(message.end, LoopEnd) else ""
    if result is not None and result.ok and answer.endswith(f"\n\n{words}"):
        return NoticeRow(message.id, answer, "warn")  # a guard has something to say to what was written
    text = _("{label} – {result}").format(label=label, result=words.partition("\n")[0]) if words else label
    return NoticeRow(message.id, text, "info" if result is not None and result.ok else "warn")


def variant_of(id: str, variants: Mapping[str, Sequence[str]] | None) -> Variant | None:
    options = (variants or {}).get(id, ())
    return Variant(options.index(id) + 1, len(options)) if id in options else None


def user_row(message: Message, variant: Variant | None = None) -> UserRow:
    files = files_of(part for part in message.parts if isinstance(part, Attachment))
    return UserRow(message.id, message.text, clock(message.created), files, variant, question_actions())


def files_of(attachments: Iterable[Attachment]) -> tuple[File, ...]:
    return tuple(_file(one) for one in attachments)


def _file(one: Attachment) -> File:
    if one.is_image:
        return File(one.name, f"att:{one.ref}")
    return File(one.name, note=ngettext("{n:,} character", "{n:,} characters", len(one.text)).format(n=len(one.text)))


def question_actions() -> tuple[Action, ...]:
    return (
        Action(Plain.EDIT, _("Edit and send again")),
        Action(Plain.FORK, _("Go on from here in a new session")),
        Action(Plain.DELETE, _("Delete this message")),
    )


def rated(actions: Sequence[Action], value: int) -> tuple[Action, ...]:
    """The same buttons with the thumb that was given."""
    rating = {1: Plain.GOOD, -1: Plain.BAD}.get(value)
    thumbs = (Plain.GOOD, Plain.BAD)
    return tuple(replace(one, checked=one.what is rating) if one.what in thumbs else one for one in actions)


def answer_row(
    message: Message,
    faces: Mapping[str, AgentLabel],
    *,
    is_last: bool = True,
    variant: Variant | None = None,
    rating: int = 0,
    newer: NewerCards | None = None,
) -> AssistantRow:
    """The row of a finished answer: its run, painted at once. Only the last one can be continued."""
    canvas = RowCanvas(blank_row(message.id, message.start.agent if message.start else "", faces, message.created))
    AnswerBuilder(canvas).show_all(view_of(replay(message)))
    row = canvas.row()
    if newer:
        row = replace(row, parts=tuple(_renewed(part, message.run or "", newer) for part in row.parts))
    actions = rated(row.actions, rating)
    if not is_last:
        actions = without_continue(actions)
        row = replace(row, parts=tuple(_settled(part) for part in row.parts))
    return replace(row, variant=variant, actions=actions)


def _settled(part: Part) -> Part:
    return replace(part, actions=without_continue(part.actions)) if isinstance(part, NotePart) else part


_GOES_ON = (Plain.CONTINUE, Plain.ANSWER_NOW, Plain.ONE_MORE_ROUND)


def without_continue(actions: Sequence[Action]) -> tuple[Action, ...]:
    return tuple(one for one in actions if one.what not in _GOES_ON)


def blank_row(
    row_id: str,
    agent: str,
    faces: Mapping[str, AgentLabel],
    created: float,
    *,
    busy: bool = False,
    seconds: float = 0.0,
) -> AssistantRow:
    """`seconds` is how long its run has been going on."""
    face = faces.get(agent) or AgentLabel(agent or "Triptych")
    began = time.monotonic() - seconds if busy else None
    return AssistantRow(row_id, face.name, face.icon, clock(created), busy=busy, began=began)


def clock(moment: float) -> str:
    return time_text(moment, "%H:%M")
