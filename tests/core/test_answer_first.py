"""What is read of a conversation: the answer first, one form of a card, and of a click one line."""

from __future__ import annotations

from typing import Any

from app.core.exchange.answer_first import readings
from app.core.exchange.markdown import to_markdown
from app.core.exchange.options import Include
from app.core.run.events import LoopEnd, LoopStart, ToolCalled, ToolReturned
from app.core.run.messages import Call, Message, Part, Text

TRIP = {"card": "timeline", "role": "answer", "summary": "Three **days**.", "payload": {"title": "Old trip"}}


def message(id: str, mode: str, parts: tuple[Part, ...], answer: str, query: str = "plan it") -> Message:
    start = LoopStart("travel", mode, "m", query, {})
    return Message(id, "assistant", parts, run=f"run-{id}", start=start, end=LoopEnd(answer, "answered"))


def call(id: str, card: dict[str, Any] | None, summary: str = "done") -> Call:
    result = ToolReturned(1, id, "route", True, "ok", summary, summary, 1, 1, False, 1, display=card)
    return Call(ToolCalled(1, id, "route", {}), result=result)


def conversation() -> list[Message]:
    first = message("a", "plan", (Text("I look."), call("c", TRIP), Text("Here it is.")), "Here it is.")
    newer = {**TRIP, "payload": {"title": "New trip"}, "replaces": {"run": "run-a", "call": "c"}}
    pressed = message("b", "action", (call("d", newer, "Version 2: removed the wall"),), "ok", "Remove the wall")
    return [Message("u", "user", (Text("plan it"),)), first, pressed]


def test_the_answer_comes_first_and_a_changed_card_once() -> None:
    text = to_markdown("T", "", conversation(), Include())
    order = ["Three **days**", "New trip", "Here it is.", "How it came about", "I look.", "Remove the wall"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert "Old trip" not in text
    assert text.count("New trip") == 1
    _user, _answer, deed = readings(conversation())
    assert deed.deed == "Remove the wall – Version 2: removed the wall"


def test_without_the_work_the_answer_stays() -> None:
    text = to_markdown("T", "", conversation(), Include(reasoning=False, tools=False, results=False, cost=False))
    assert "New trip" in text
    assert "Here it is." in text
    assert "I look." not in text, "what was said before a call belongs to its step"
    assert "How it came about" not in text
