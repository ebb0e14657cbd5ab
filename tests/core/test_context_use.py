from __future__ import annotations

from app.core.run.analysis.context_use import LONG_SYSTEM, ContextItem, context_use, largest
from app.core.run.chat_model import ToolSpec
from app.core.run.events import Compacted, ToolCalled, ToolReturned
from app.core.run.messages import Attachment, Call, Fact, Message, Text


def messages() -> list[Message]:
    call = ToolCalled(1, "c1", "search", {"q": 1})
    result = ToolReturned(1, "c1", "search", True, "ok", "", "x" * 500, 900, 500, True, 3)
    return [
        Message("q", "user", (Text("hello"), Attachment("r", "a.txt", "text/plain", "y" * 70))),
        Message("a", "assistant", (Call(call, True, result), Text("world", 2), Fact(Compacted(900, 300)))),
    ]


def test_every_part_of_a_request_is_counted_and_results_one_by_one() -> None:
    use = context_use("be kind", messages())
    assert use.items == (
        ContextItem("system", 7),
        ContextItem("said", 10, count=2),
        ContextItem("calls", 7, count=1),
        ContextItem("file", 70, "a.txt", id="r"),
        ContextItem("result", 500, "search", id="c1"),
    )
    assert (use.chars, use.frame_chars) == (587, 7)  # the limit is one of the conversation
    assert use.compacted == (900, 300)


def test_the_tools_offered_are_counted_with_their_schemas() -> None:
    tool = ToolSpec("find", "Finds it.", {"type": "object"})
    assert context_use("", [], tools=[tool, tool]).items == (ContextItem("tools", 2 * (4 + 9 + 18), count=2),)


def test_R07_what_is_left_out_is_listed_and_not_counted() -> None:
    use = context_use("", messages(), {"c1", "r"})
    assert [(item.kind, item.left_out) for item in use.items if item.id] == [("file", True), ("result", True)]
    assert use.chars == 17


def test_a_long_system_prompt_is_noticed() -> None:
    assert context_use("x" * LONG_SYSTEM, []).has_long_system
    assert not context_use("x" * (LONG_SYSTEM - 1), []).has_long_system


def test_an_empty_session_fills_nothing() -> None:
    assert context_use("", []).items == ()


def test_the_largest_come_first_and_the_rest_is_kept() -> None:
    items = [ContextItem("result", n) for n in (1, 5, 3)]
    shown, rest = largest(items, 2)
    assert ([i.chars for i in shown], [i.chars for i in rest]) == ([5, 3], [1])
