from __future__ import annotations

from typing import Any

from app.core.run.analysis.tool_records import ResultField, result_fields, tool_seconds
from app.core.run.events import ToolCalled, ToolReturned
from app.core.run.messages import Call, Message


def answer(name: str, ms: int, **result: Any) -> Message:
    fields = {"ok": True, "status": "ok", "summary": "", "text": "", "chars": 0, "kept_chars": 0, "truncated": False}
    returned = ToolReturned(1, "c", name, ms=ms, **{**fields, **result})
    return Message("m", "assistant", (Call(ToolCalled(1, "c", name, {}), True, returned),))


def test_the_seconds_of_a_tool_are_the_middle_of_the_calls_that_ran() -> None:
    kept = answer("look", 1, cached=True), answer("look", 1, age=3.0), answer("look", 1, status="denied", ok=False)
    ran = [answer("look", ms) for ms in (400, 100, 9_000)]
    records = tool_seconds([*ran, *kept, answer("count", 2)])
    assert {name: (one.seconds, one.calls) for name, one in records.items()} == {"look": (0.4, 3), "count": (0.002, 1)}


def test_what_a_result_holds_is_told_with_its_kind_and_a_thing_by_its_id() -> None:
    data = {"city": {"id": "x", "n": 1}, "sights": [1], "days": 3, "price": 1.5, "free": True, "a b": 1, "gone": None}
    assert result_fields(data) == (
        ResultField("data", "object"),
        ResultField("data.city", "object"),
        ResultField("data.city.id", "text"),
        ResultField("data.sights", "list"),
        ResultField("data.days", "integer"),
        ResultField("data.price", "number"),
        ResultField("data.free", "bool"),
    )
    assert result_fields([1]) == (ResultField("data", "list"),)
    assert len(result_fields({f"n{place}": place for place in range(500)})) == 12
