"""Runs as an agent would produce them, for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.run.event_line import Stamped
from app.core.run.events import (
    LoopEnd,
    LoopStart,
    RunEvent,
    StepStart,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)
from app.core.run.messages import Message


def stamped(events: Iterable[RunEvent], run: str = "r1", session: str = "s1", first: int = 0) -> list[Stamped]:
    return [Stamped(n, n / 10, run, session, event) for n, event in enumerate(events, first)]


def streaming(id: str = "a1", run: str = "r1", parent: str | None = None) -> Message:
    return Message(id, "assistant", (), 5.0, parent, run, state="streaming")


START = LoopStart("assistant", "react", "script/x.json", "what is it?")
CALL = ToolCalled(1, "c1", "search", {"query": "三日游"})
STARTED = ToolStarted(1, "c1", "search")
RETURNED = ToolReturned(1, "c1", "search", True, "ok", "one hit", "one hit\n[]", 10, 10, False, 12)
END = LoopEnd("It is done.", "answered", steps=1, tools=("search",))

WHOLE: list[RunEvent] = [
    START, StepStart(1, 8, 3), Thinking(1, "hm"), CALL, STARTED, RETURNED, Token(1, "It is "), Token(1, "done."), END,
]  # fmt: skip
