"""Stored messages become rows of the chat, each only when it comes into sight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from app.core.messages import Attachment, Message, PlanPart, Text
from app.core.transcript import replay
from app.ui.chat.rows.items import AssistantRow, LaterRow, Row, UserRow
from app.ui.run_presenter.answer import Answer
from app.ui.run_presenter.canvas import RowCanvas, plan_row

_OTHER_PART = 40
"""Characters whose height a call or a notice has, roughly."""


@dataclass(frozen=True, slots=True)
class Face:
    """How an agent is shown beside its answers."""

    name: str
    icon: str = "sparkles"


def rows_of(messages: Sequence[Message], faces: Mapping[str, Face]) -> Iterator[Row | LaterRow]:
    last = next((message.id for message in reversed(messages) if message.role == "assistant"), "")
    for message in messages:
        length = 0
        for part in message.parts:
            if isinstance(part, Text):
                length += len(part.text)
            elif isinstance(part, PlanPart):
                yield plan_row(message.id, part.plan.goal, part.plan.steps)
            else:
                length += _OTHER_PART
        if message.role == "user":
            yield LaterRow(message.id, length, partial(user_row, message))
        else:
            make = partial(answer_row, message, faces, can_ask_again=message.id == last)
            yield LaterRow(message.id, length, make)


def text_length(messages: Sequence[Message]) -> int:
    """Characters of all that was said."""
    return sum(len(part.text) for message in messages for part in message.parts if isinstance(part, Text))


def user_row(message: Message) -> UserRow:
    files = tuple(part.name for part in message.parts if isinstance(part, Attachment))
    return UserRow(message.id, message.text, clock(message.created), files)


def answer_row(message: Message, faces: Mapping[str, Face], *, can_ask_again: bool = True) -> AssistantRow:
    """The row of a finished answer: its events, painted at once. Only the last one can be asked again."""
    canvas = RowCanvas(blank_row(message.id, message.start.agent if message.start else "", faces, message.created))
    answer = Answer(canvas)
    for event in replay(message):
        answer.apply(event)
    row = canvas.row()
    return row if can_ask_again else replace(row, actions=())


def blank_row(
    row_id: str, agent: str, faces: Mapping[str, Face], created: float, *, busy: bool = False
) -> AssistantRow:
    face = faces.get(agent) or Face(agent or "Triptych")
    return AssistantRow(row_id, face.name, face.icon, clock(created), busy=busy)


def clock(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment).astimezone():%H:%M}" if moment else ""
