"""T43: many marks cost what as many other characters cost, and what is too long is refused."""

from __future__ import annotations

from functools import partial

from app.core.run.chat_model import ToolSpec
from app.providers.text_calls.parse import FoundCall
from app.providers.text_calls.reader import MAX_CALL_CHARS, TextCalls
from tests.every import looped
from tests.floor import assert_linear

TOOLS = (ToolSpec("add", "adds", {"type": "object", "properties": {"a": {"type": "integer"}}}),)


def _read(text: str, size: int, *, eager: bool) -> list[FoundCall]:
    reader = TextCalls(TOOLS, eager=eager)
    pieces = [piece for at in range(0, len(text), size) for piece in reader.feed(text[at : at + size])]
    return [piece for piece in [*pieces, *reader.finish()] if isinstance(piece, FoundCall)]


UNITS = [
    "<tool_call>", "<tool_call>\n", "</tool_call>", "<", "{", "\n{", "[", "`", "```\n", '"\\', '<tool_call>{"',
    '<tool_call>{"a":"</tool_call>', '<tool_call>{"a\\"', "<function=add>", "<function=add><parameter=",
    "<function=add><parameter=k>\n x</function>", "<function=add><parameter=a>1</parameter></function>",
    '<invoke name="', '{"a":', '\n{"name":"', '\n{"id":"', '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>',
    '<tool_call>{"name":"add","arguments":{"a":"', "<|python_tag|>", "<tool_response", "</parameter>",
    "[", "[TOOL_CALLS]", "[TOOL_CALLS]add", '[TOOL_CALLS]add[ARGS]{"a":1}', "<|tool_calls_section_begin|>",
    "<|tool_calls_section_begin|><|tool_call_begin|>", "<|tool_calls_section_begin|><|tool_call_begin|>add:0",
    '<|tool_calls_section_begin|><|tool_call_begin|>add:0<|tool_call_argument_begin|>{"a":1}', "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>", "<tool_call>add<arg_key>",
    "<arg_key>a</arg_key>", "<｜DSML｜function_calls>", '<｜DSML｜invoke name="add">', "<｜DSML｜",
    '<｜DSML｜invoke name="add"><｜DSML｜parameter name="a" string="true">', "</｜DSML｜parameter>",
    "<tool_call>add<arg_key>a</arg_key><arg_value>", "<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value>",
]  # fmt: skip


@looped("unit", UNITS)
def test_many_marks_cost_no_more_per_character_than_a_few(unit: str) -> None:
    """Sixteen times the text may take sixteen times the time, with room for a busy machine; never its square."""

    def read(size: int, *, eager: bool) -> None:
        _read((unit * (size // len(unit) + 1))[:size], 1 << 20, eager=eager)

    assert_linear(partial(read, eager=True), 1 << 11, 1 << 15)
    assert_linear(partial(read, eager=False), 1 << 10, 1 << 14)


def test_a_call_that_is_too_long_is_refused_and_what_follows_is_read() -> None:
    call = '<tool_call>{"name":"add","arguments":{"a":"' + "x" * MAX_CALL_CHARS + '"}}</tool_call>'
    good = '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>'
    told = _read(call + good, 4096, eager=True)
    assert [(found.name, found.args is not None) for found in told] == [("add", False), ("add", True)]
