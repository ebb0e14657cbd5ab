"""T20: markup of tool calls is taken out when tools are off, and only then."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.run.chat_model import Finished, ModelRequest, ResultTurn, TextDelta, ToolSpec, UserTurn
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.text_calls.markup import MarkupGuard
from tests.every import looped
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks

CASES = [
    ("plain text\nof two lines", "plain text\nof two lines"),
    ('<tool_call>{"name":"a"}</tool_call>', ""),
    ('I look.\n<tool_call>\n{"name":"a"}\n</tool_call>\nDone.', "I look.\n\nDone."),
    ("x\n  <function=a><parameter=b>1</parameter></function>y", "x\ny"),
    ('<|python_tag|>{"name":"a"} and all the rest', ""),
    ("never closed\n<tool_call>{", "never closed\n"),
    ('Well.\n<｜DSML｜tool_calls><｜DSML｜invoke name="a"></｜DSML｜invoke></｜DSML｜tool_calls>', "Well.\n"),
    ("<｜DSML｜function_calls>x</｜DSML｜function_calls>", ""),
    ('<｜DSML｜invoke name="a"></｜DSML｜invoke>Done.', "Done."),
    ("a sentence with <tool_call> in it", "a sentence with <tool_call> in it"),
    ("```xml\n<tool_call>x</tool_call>\n```\n", "```xml\n<tool_call>x</tool_call>\n```\n"),
    ("a < b\n<tool", "a < b\n<tool"),
    ("[1] a note\n[TOOL", "[1] a note\n[TOOL"),
]


def _guard(text: str, size: int) -> str:
    guard = MarkupGuard()
    return "".join(guard.feed(text[at : at + size]) for at in range(0, len(text), size)) + guard.finish()


@looped(("text", "shown"), CASES)
@looped("size", [1, 2, 7, 200])
def test_calls_are_taken_out(text: str, shown: str, size: int) -> None:
    assert _guard(text, size) == shown


@given(
    st.lists(
        st.sampled_from(["<tool_call>", "</tool_call>", "<function=", "</function>", "```", "\n", " ", "a", "<", "["]),
        max_size=20,
    ).map("".join),
    st.integers(1, 8),
)
@settings(max_examples=40, deadline=None)
def test_the_cut_does_not_matter(text: str, size: int) -> None:
    assert _guard(text, size) == _guard(text, 1000)


async def _answer(request: ModelRequest) -> tuple[Finished, str]:
    async with FaultServer(speaks([{"content": 'So:\n<tool_call>{"name": "add"}</tool_call>'}])) as server:
        model = OpenAIChat(ModelEndpoint("t", server.base_url), "m")
        chunks = [chunk async for chunk in model.stream(request)]
        await model.aclose()
    finished = chunks[-1]
    assert isinstance(finished, Finished)
    return finished, "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))


async def test_the_last_step_of_a_run_shows_no_markup() -> None:
    finished, shown = await _answer(ModelRequest([UserTurn("q"), ResultTurn("gone", "add", "5")]))
    assert finished.turn.text == shown == "So:\n"
    assert finished.notices == ("markup_suppressed",)


async def test_a_conversation_without_tools_may_show_markup() -> None:
    finished, _ = await _answer(ModelRequest([UserTurn("show me a tool call")]))
    assert "<tool_call>" in finished.turn.text
    finished, _ = await _answer(ModelRequest([UserTurn("q")], (ToolSpec("add", "", {}),)))
    assert "<tool_call>" in finished.turn.text
