"""Which question of a session a message is about."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.errors import BadInput, UnknownName
from app.core.run.messages import Message


def question_at(history: Sequence[Message], message: str = "") -> int:
    """The place of the question that `message` is or answers; of the last one, if none is named."""
    end = next(
        (place for place, one in enumerate(history) if one.id == message), len(history) - 1 if not message else -1
    )
    place = next((place for place in range(end, -1, -1) if history[place].role == "user"), -1)
    if place < 0:
        if message:
            raise UnknownName("message", message)
        raise BadInput("the session has no question yet", reason="NO_QUESTION")
    return place
