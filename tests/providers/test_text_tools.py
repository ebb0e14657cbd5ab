"""Calls written as text: what is one, what is none, and that it does not matter where the pieces are cut."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.run.chat_model import ToolSpec
from app.providers.text_calls.output import Piece
from app.providers.text_calls.parse import FoundCall
from app.providers.text_calls.reader import TextCalls
from app.providers.text_calls.scan import MAX_DEPTH
from app.providers.text_calls.think_tags import ThinkSplitter
from tests.every import looped

SHARED = Path(__file__).resolve().parents[3] / "shared" / "streams" / "text_protocol_cases.json"

ADD = ToolSpec("add", "adds", {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "number"}}})
EDIT = ToolSpec(
    "edit",
    "edits",
    {
        "type": "object",
        "properties": {
            "file": {"type": "string"},
            "text": {"type": "string"},
            "lines": {"type": "array"},
            "all": {"type": "boolean"},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "mode": {"$ref": "#/$defs/mode"},
        },
    },
)
TOOLS = (ADD, EDIT)


@dataclass(frozen=True)
class Read:
    text: str
    reasoning: str
    calls: tuple[tuple[Any, ...], ...]
    """Name, arguments as JSON, whether it can be run, wire id, why."""


def read(text: str, size: int = 10_000, **options: Any) -> Read:
    reader = TextCalls(options.pop("tools", TOOLS), **options)
    pieces: list[Piece] = []
    for at in range(0, len(text), size):
        pieces += reader.feed(text[at : at + size])
    return _joined([*pieces, *reader.finish()])


def _joined(pieces: list[Piece]) -> Read:
    said = {"text": "", "reasoning": ""}
    calls = []
    for piece in pieces:
        if isinstance(piece, FoundCall):
            assert (piece.args is None) == (piece.error is not None)
            calls.append((piece.name, json.dumps(piece.args), piece.args is not None, piece.wire_id, piece.why))
        else:
            said[piece[0]] += piece[1]
    return Read(said["text"], said["reasoning"], tuple(calls))


def _runs(outcome: Read) -> list[tuple[str, Any]]:
    return [(name, json.loads(args)) for name, args, good, *_ in outcome.calls if good]


ONE = [("add", {"a": 1})]
TWO = [("add", {"a": 1}), ("add", {"a": 2})]

FORMATS = {
    "hermes": ('<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>', ONE),
    "arguments as a string": ('<tool_call>{"name": "add", "arguments": "{\\"a\\": 1}"}</tool_call>', ONE),
    "parameters": ('<tool_call>{"name": "add", "parameters": {"a": 1}}</tool_call>', ONE),
    "wrapped in function": (
        '<tool_call>{"type": "function", "function": {"name": "add", "arguments": {"a": 1}}}</tool_call>',
        ONE,
    ),
    "no arguments needed": ('<tool_call>{"name": "add", "arguments": null}</tool_call>', [("add", {})]),
    "two in one pair of tags": (
        '<tool_call>{"name":"add","arguments":{"a":1}}\n{"name":"add","arguments":{"a":2}}</tool_call>',
        TWO,
    ),
    "a list in the tags": (
        '<tool_call>[{"name":"add","arguments":{"a":1}},{"name":"add","arguments":{"a":2}}]</tool_call>',
        TWO,
    ),
    "closing tag missing at the end": ('<tool_call>{"name": "add", "arguments": {"a": 1}}', ONE),
    "closing tag missing between": (
        '<tool_call>{"name":"add","arguments":{"a":1}}\n<tool_call>{"name":"add","arguments":{"a":2}}',
        TWO,
    ),
    "closing tag inside a string": (
        '<tool_call>{"name":"edit","arguments":{"text":"a </tool_call> b \\" \\\\"}}</tool_call>',
        [("edit", {"text": 'a </tool_call> b " \\'})],
    ),
    "function tags": ("<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>", ONE),
    "function tags alone": ("<function=add>\n<parameter=a>\n1\n</parameter>\n</function>", ONE),
    "opener missing, closer there": ("<function=add>\n<parameter=a>1</parameter>\n</function>\n</tool_call>", ONE),
    "function without parameters": ("<tool_call>\n<function=add>\n</function>\n</tool_call>", [("add", {})]),
    "closing parameter missing": (
        "<function=edit>\n<parameter=file>\nx.c\n<parameter=text>\ny\n</function>",
        [("edit", {"file": "x.c", "text": "y"})],
    ),
    "function unclosed at the end": ("<function=add>\n<parameter=a>\n1\n</parameter>\n", ONE),
    "last value unclosed after a whole line": ("<function=add>\n<parameter=a>\n1\n", ONE),
    "only one newline each side is markup": (
        "<function=edit>\n<parameter=text>\n\n  x\n\n</parameter>\n</function>",
        [("edit", {"text": "\n  x\n"})],
    ),
    "types come from the schema": (
        (
            "<function=edit>\n<parameter=lines>\n[1, 2]\n</parameter>\n<parameter=all>True</parameter>\n"
            "<parameter=limit>null</parameter>\n<parameter=mode>fast</parameter>\n<parameter=file>12</parameter>\n"
            "<parameter=other>7</parameter>\n</function>"
        ),
        [("edit", {"lines": [1, 2], "all": True, "limit": None, "mode": "fast", "file": "12", "other": "7"})],
    ),
    "what does not fit its type stays text": (
        "<function=add><parameter=a>one</parameter><parameter=b>2.5</parameter></function>",
        [("add", {"a": "one", "b": 2.5})],
    ),
    "markup inside a value": (
        "<function=edit>\n<parameter=text>\nif a < b: say </function> and <tool_call>\n</parameter>\n</function>",
        [("edit", {"text": "if a < b: say </function> and <tool_call>"})],
    ),
    "JSON in the function tags": ('<function=add>{"a": 1}</function>', ONE),
    "JSON in the function tags, wrapped": ('<tool_call>\n<function=add>\n{"a": 1}\n</function>\n</tool_call>', ONE),
    "minimax": (
        (
            '<minimax:tool_call>\n<invoke name="add">\n<parameter name="a">1</parameter>\n</invoke>\n'
            '<invoke name="add">\n<parameter name="a">2</parameter>\n</invoke>\n</minimax:tool_call>'
        ),
        TWO,
    ),
    "invoke alone": ('<invoke name="add">\n<parameter name="a">1</parameter>\n</invoke>', ONE),
    "python tag": ('<|python_tag|>{"name": "add", "parameters": {"a": 1}}<|eom_id|>', ONE),
    "python tag, two": (
        '<|python_tag|>{"name":"add","parameters":{"a":1}}; {"name":"add","parameters":{"a":2}}',
        TWO,
    ),
    "kimi": (
        (
            '<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 1}'
            '<|tool_call_end|><|tool_call_begin|>functions.add:1<|tool_call_argument_begin|>{"a": 2}<|tool_call_end|>'
            "<|tool_calls_section_end|>"
        ),
        TWO,
    ),
    "kimi with lines between": (
        (
            "<|tool_calls_section_begin|>\n<|tool_call_begin|>\nfunctions.add:0 <|tool_call_argument_begin|> "
            '{"a": 1}\n<|tool_call_end|>\n<|tool_calls_section_end|>'
        ),
        ONE,
    ),
    "kimi, ends missing": (
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 1}',
        ONE,
    ),
    "deepseek": (
        (
            '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜>'
            '<｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
        ),
        TWO,
    ),
    "deepseek, older": (
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n"
            '{"a": 1}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n'
            '{"a": 2}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
        ),
        TWO,
    ),
    "deepseek 3.2": (
        (
            '<｜DSML｜function_calls>\n<｜DSML｜invoke name="add">\n'
            '<｜DSML｜parameter name="a" string="false">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n'
            '<｜DSML｜invoke name="add">\n<｜DSML｜parameter name="a" string="false">2</｜DSML｜parameter>\n'
            "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
        ),
        TWO,
    ),
    "deepseek 4, on one line": (
        (
            '<｜DSML｜tool_calls><｜DSML｜invoke name="add"><｜DSML｜parameter name="a" string="true">1'
            "</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>"
        ),
        ONE,
    ),
    "deepseek 3.2 without the tag around it": (
        '<｜DSML｜invoke name="add"><｜DSML｜parameter name="a">1</｜DSML｜parameter></｜DSML｜invoke>',
        ONE,
    ),
    "deepseek 3.2, no parameters": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="add">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
        [("add", {})],
    ),
    "deepseek 3.2, the call not closed": (
        (
            '<｜DSML｜tool_calls><｜DSML｜invoke name="add"><｜DSML｜parameter name="a" string="false">1'
            "</｜DSML｜parameter></｜DSML｜tool_calls>"
        ),
        ONE,
    ),
    "deepseek 3.2, newlines and markup in a value": (
        (
            '<｜DSML｜function_calls><｜DSML｜invoke name="edit"><｜DSML｜parameter name="text" string="true">'
            "\n</parameter> <b>\n</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>"
        ),
        [("edit", {"text": "\n</parameter> <b>\n"})],
    ),
    "mistral, a list": (
        '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1}}, {"name": "add", "arguments": {"a": 2}}]',
        TWO,
    ),
    "mistral, names": ('[TOOL_CALLS]add[ARGS]{"a": 1}[TOOL_CALLS]add[CALL_ID]abc123def[ARGS]{"a": 2}', TWO),
    "mistral without the mark of the arguments": ('[TOOL_CALLS]add{"a": 1}', ONE),
    "glm": ("<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>", ONE),
    "glm on one line, two": (
        (
            "<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>"
            "<tool_call>add<arg_key>a</arg_key><arg_value>2</arg_value></tool_call>"
        ),
        TWO,
    ),
    "glm without parameters": ("<tool_call>add\n</tool_call>", [("add", {})]),
    "glm, end missing": ("<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n", ONE),
    "glm with markup in a value": (
        (
            "<tool_call>edit\n<arg_key>text</arg_key>\n<arg_value>a </tool_call> <b> \n</arg_value>\n"
            "<arg_key>lines</arg_key>\n<arg_value>[1, 2]</arg_value>\n</tool_call>"
        ),
        [("edit", {"text": "a </tool_call> <b> \n", "lines": [1, 2]})],
    ),
    "bare object": ('{"name": "add", "arguments": {"a": 1}}', ONE),
    "bare objects on lines": ('{"name":"add","arguments":{"a":1}}\n{"name":"add","parameters":{"a":2}}', TWO),
    "bare object after words": ('I add.\n  {"name": "add", "parameters": {"a": 1}}', ONE),
    "with id and source": (
        '{"id": "c7", "tool_name": "add", "arguments": {"a": 1}, "source": "builtin"}',
        ONE,
    ),
}


@looped(("text", "expected"), FORMATS.values(), ids=FORMATS)
@looped("eager", [True, False], ids=["tags", "native"])
def test_reads_every_format_however_it_is_cut(text: str, expected: list[Any], eager: bool) -> None:
    whole = read(text, eager=eager)
    assert _runs(whole) == expected
    assert len(whole.calls) == len(expected)
    assert "<" not in whole.text
    assert all(read(text, size, eager=eager) == whole for size in (1, 2, 3, 4, 5, 17))


def test_an_id_in_the_text_is_kept_as_the_models_label() -> None:
    assert read(FORMATS["with id and source"][0]).calls[0][3] == "c7"
    assert [call[3] for call in read(FORMATS["kimi"][0]).calls] == ["functions.add:0", "functions.add:1"]
    assert [call[3] for call in read(FORMATS["mistral, names"][0]).calls] == ["", "abc123def"]


QUOTED = {
    "in a fence": '```\n<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>\n```\nSo.',
    "in a fence, bare": '```json\n{"name":"add","arguments":{"a":1}}\n```',
    "in a long fence": "````\n```\n<function=add>\n</function>\n```\n````",
    "in a fence of tildes": "~~~\n```\n<function=add></function>\n~~~",
    "in a fence that never ends": '```\n<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>',
    "in backticks": 'Write `<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>` then.',
    "the tag in a sentence": "a sentence with <tool_call> in it",
    "an unfinished mark": "so <tool_cal",
    "another object": '{"name": "Alice", "arguments": {"a": 1}}',
    "a tool described": '{"name": "add", "description": "adds", "parameters": {"type": "object"}}',
    "an object in the middle of a line": 'I got {"name":"add","arguments":{"a":1}}',
    "an answer in JSON": '{"total": 3, "items": [{"name": "add"}]}',
    "a comparison": "a < b, c <d> e <function> f",
    "a link": "see [TOOLS](http://x) and [TOOL_CALL] and [T",
    "kimi in a fence": "```\n<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0\n```",
    "kimi's mark alone": "the token <|tool_calls_section_begin|> opens a section",
    "mistral's mark alone": "the token [TOOL_CALLS] opens a list of calls",
    "deepseek 3.2 in a fence": '```\n<｜DSML｜invoke name="add"></｜DSML｜invoke>\n```',
    "deepseek 3.2's mark alone": "<｜DSML｜function_calls> and nothing",
    "deepseek's mark alone": "<｜tool▁calls▁begin｜> and nothing",
    "glm in backticks": "`<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>`",
    "a result that nobody has": "<tool_response>no call yet</tool_response>",
}


@looped("text", QUOTED.values(), ids=QUOTED)
@looped("eager", [True, False], ids=["tags", "native"])
def test_what_is_quoted_or_something_else_stays_text(text: str, eager: bool) -> None:
    for size in (1, 2, 3, 1000):
        assert read(text, size, eager=eager) == Read(text, "", ())


REFUSED = {
    "incomplete JSON": ('<tool_call>\n{"name": "add", "arguments": {"a": 1}', "add"),
    "broken JSON": ('<tool_call>{"name": "add", "arguments": {"a": }}</tool_call>', "add"),
    "a quote forgotten": ('<tool_call>{"name": "add", "arguments": {"a": "1}}</tool_call>', "add"),
    "a list as arguments": ('<tool_call>{"name": "add", "arguments": [1]}</tool_call>', "add"),
    "a number as arguments": ('<tool_call>{"name": "add", "arguments": 7}</tool_call>', "add"),
    "words as arguments": ('<tool_call>{"name": "add", "arguments": "one"}</tool_call>', "add"),
    "doubled names": ('<tool_call>{"name": "add", "arguments": {"a": 1, "a": 2}}</tool_call>', "add"),
    "cut in a value": ("<function=edit>\n<parameter=text>\nhalf a li", "edit"),
    "cut in a tag": ("<function=edit>\n<parameter=te", "edit"),
    "a parameter twice": ("<function=add><parameter=a>1</parameter><parameter=a>2</parameter></function>", "add"),
    "words between parameters": ("<function=add>\nplease\n</function>", "add"),
    "JSON in the function tags, cut": ('<function=add>{"a": ', "add"),
    "JSON in the function tags, broken": ('<function=add>{"a": 1]}</function>', "add"),
    "kimi, cut": ('<|tool_calls_section_begin|><|tool_call_begin|>add:0<|tool_call_argument_begin|>{"a": ', "add"),
    "kimi, broken": (
        '<|tool_calls_section_begin|><|tool_call_begin|>add:0<|tool_call_argument_begin|>{"a": 1]}<|tool_call_end|>',
        "add",
    ),
    "deepseek, cut": ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{", "add"),
    "deepseek 3.2, cut in a value": ('<｜DSML｜invoke name="add"><｜DSML｜parameter name="a" string="false">1', "add"),
    "deepseek 3.2, a parameter twice": (
        (
            '<｜DSML｜tool_calls><｜DSML｜invoke name="add"><｜DSML｜parameter name="a">1</｜DSML｜parameter>'
            '<｜DSML｜parameter name="a">2</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>'
        ),
        "add",
    ),
    "mistral, cut": ('[TOOL_CALLS]add[ARGS]{"a": ', "add"),
    "glm, cut in a value": ("<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1", "add"),
    "glm, cut in a key": ("<tool_call>add\n<arg_key>a</arg", "add"),
    "glm, a key twice": (
        (
            "<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value><arg_key>a</arg_key><arg_value>2</arg_value>"
            "</tool_call>"
        ),
        "add",
    ),
    "bare and cut": ('{"name": "add", "arguments": {"a": 1', "add"),
    "nested too deep": ('<tool_call>{"name":"add","arguments":' + '{"a":' * MAX_DEPTH + "1", "add"),
}


@looped(("text", "name"), REFUSED.values(), ids=REFUSED)
@looped("eager", [True, False], ids=["tags", "native"])
def test_what_cannot_be_run_goes_back_as_an_error(text: str, name: str, eager: bool) -> None:
    whole = read(text, eager=eager)
    assert [(call[0], call[2]) for call in whole.calls] == [(name, False)]
    assert whole.text.strip() == ""
    assert all(read(text, size, eager=eager) == whole for size in (1, 2, 5))


FOR_THE_MODEL_ONLY = {
    "no name": '<tool_call>{"arguments": {"a": 1}}</tool_call>',
    "no arguments": '<tool_call>{"name": "add"}</tool_call>',
    "unknown name": '<tool_call>{"name": "subtract", "arguments": {"a": 1}}</tool_call>',
    "words in the tags": "<tool_call>add(1, 2)</tool_call>",
    "nothing in the tags": "<tool_call>\n</tool_call>",
    "a tag without its end": "<tool_call>\n<function=add_one\n</function>\n</tool_call>",
}


@looped("text", FOR_THE_MODEL_ONLY.values(), ids=FOR_THE_MODEL_ONLY)
def test_a_text_dialect_answers_what_native_leaves_as_text(text: str) -> None:
    for size in (1, 2, 3, 1000):
        told = read(text, size)
        assert len(told.calls) == 1
        assert told.calls[0][0] == "subtract" or not told.calls[0][2]
        assert told.text == ""
        assert read(text, size, eager=False) == Read(text, "", ())


def test_a_bad_call_does_not_take_the_good_one_with_it() -> None:
    good = '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>'
    for bad in [text for text, _ in REFUSED.values() if text.endswith(">")] + list(FOR_THE_MODEL_ONLY.values()):
        for size in (1, 3, 1000):
            assert _runs(read(f"{bad}\n{good}", size))[-1:] == ONE, bad


def test_text_around_calls_stays_and_white_space_between_them_goes() -> None:
    call = '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>'
    assert read(f"Before. {call}\n\n{call}\n").text == "Before. "
    assert read(f"{call}\nAfter.\n").text == "\nAfter.\n"


def test_a_result_the_model_makes_up_is_not_shown() -> None:
    call = '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>'
    for size in (1, 4, 1000):
        told = read(f'{call}\n<tool_response id="1">\n{{"sum": 9}}\n</tool_response>\nIt is 9.', size)
        assert told.text.strip() == "It is 9."
        assert _runs(told) == ONE


def test_only_what_may_become_a_mark_is_held_back() -> None:
    reader = TextCalls(TOOLS)
    assert reader.feed("I look <too") == [("text", "I look ")]
    assert reader.feed("th> and") == [("text", "<tooth> and")]
    assert reader.feed(' {"total"') == [("text", ' {"total"')]
    assert reader.feed('\n{"na') == [("text", "\n")]
    assert reader.feed('ture": 1}') == [("text", '{"nature": 1}')]
    assert reader.finish() == []


def test_what_stands_in_a_result_is_a_quotation() -> None:
    inner = '{"name":"add","arguments":{"a":1}}'
    for text in (f"<tool_call>{inner}</tool_call>", inner, "<function=add>\n<parameter=a>1</parameter></function>"):
        assert read(text, quoted=lambda markup, text=text: markup in f"page: {text}").calls == ()
        assert len(read(text, quoted=lambda markup: markup in "another page").calls) == 1


# ---------------------------------------------------------------- the thinking JSON

WISH = {"tool_name": "add", "purpose": "the sum", "parameters": {"a": 1}}
THINKS = {"has_enough_info": False, "tools_to_call": [WISH], "reasoning": "I need the sum."}


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("wrap", ["{}", "```json\n{}\n```", "```\n{}\n```\n"])
def test_the_thinking_json_becomes_thinking_and_calls(size: int, wrap: str) -> None:
    told = read(wrap.replace("{}", json.dumps(THINKS, indent=1)), size, thinking=True)
    assert told == Read("", "I need the sum.", (("add", '{"a": 1}', True, "", "the sum"),))


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_with_enough_known_the_answer_follows_the_thinking_json(size: int) -> None:
    text = json.dumps({**THINKS, "has_enough_info": True}) + "\n\nIt is 3."
    told = read(text, size, thinking=True)
    assert (told.text.strip(), told.reasoning, told.calls) == ("It is 3.", "I need the sum.", ())


def test_other_spellings_and_other_objects_in_the_thinking_form() -> None:
    camel = {"hasEnoughInfo": False, "toolsToCall": [{"toolName": "add", "purpose": "p", "parameters": {"a": 1}}]}
    assert _runs(read(json.dumps(camel), thinking=True)) == ONE
    assert read('{"goal": "x", "steps": []}', thinking=True).text == '{"goal": "x", "steps": []}'
    assert read('```json\n{"goal": 1}\n```', thinking=True).text == '```json\n{"goal": 1}\n```'
    assert read(json.dumps(THINKS)).text == json.dumps(THINKS)
    assert read('Well.\n```json\n{"name":"add","arguments":{"a":1}}\n```', thinking=True).calls == ()


def test_a_cut_thinking_json_and_wishes_that_are_none_go_back_as_errors() -> None:
    cut = read(json.dumps(THINKS)[:-9], thinking=True)
    assert [call[2] for call in cut.calls] == [False]
    odd = read(json.dumps({"has_enough_info": False, "tools_to_call": ["add"]}), thinking=True)
    assert [call[2] for call in odd.calls] == [False]


# ---------------------------------------------------------------- any cut, any text

PARTS = [
    "<tool_call>", "</tool_call>", "<function=add>", "<function=", "</function>", "<parameter=a>", "</parameter>",
    '<invoke name="add">', '<parameter name="a">', "</invoke>", "<minimax:tool_call>", "</minimax:tool_call>",
    "<|python_tag|>", "<|eom_id|>", '{"name":"add",', '"arguments":', '{"a":1}', "}", "{", "[", "]", '"', "\\", ",",
    '<function=add>{"a":1}',
    '{"name":"add","arguments":{"a":1}}', '{"has_enough_info":true,', '"tools_to_call":[]', "<tool_response>",
    "<|tool_calls_section_begin|>", "<|tool_call_begin|>", "add:0", "<|tool_call_argument_begin|>", "<|tool_call_end|>",
    "<|tool_calls_section_end|>", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>", "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "add", "function", "<arg_key>a</arg_key>",
    "<arg_value>", "</arg_value>",
    "<｜DSML｜function_calls>", "</｜DSML｜function_calls>", '<｜DSML｜invoke name="add">', "</｜DSML｜invoke>",
    '<｜DSML｜parameter name="a" string="false">', "</｜DSML｜parameter>", "<｜DSML｜",
    "</tool_response>", "```", "```json\n", "~~~", "`", "\n", " ", "\r\n", ";", "1", "word", "<", "</", "é", "格",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(PARTS), max_size=24).map("".join),
    st.lists(st.integers(1, 9), min_size=1, max_size=12),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_any_chunking_gives_the_same(text: str, cuts: list[int], eager: bool, thinking: bool) -> None:
    whole = read(text, eager=eager, thinking=thinking)
    reader = TextCalls(TOOLS, eager=eager, thinking=thinking)
    pieces: list[Piece] = []
    at = turn = 0
    while at < len(text):
        size = cuts[turn % len(cuts)]
        pieces += reader.feed(text[at : at + size])
        at, turn = at + size, turn + 1
    assert _joined([*pieces, *reader.finish()]) == whole


@given(st.text(alphabet="ab<>{}[]\"'`~\n =/_", max_size=60))
@settings(max_examples=50, deadline=None)
def test_native_loses_no_character_of_a_text_without_calls(text: str) -> None:
    assert read(text, 3, eager=False) == Read(text, "", ())


# ---------------------------------------------------------------- the shared cases


def _shared() -> list[Any]:
    if not SHARED.is_file():
        return [pytest.param({}, marks=pytest.mark.skip(reason="../shared/streams is not here"))]
    return [pytest.param(case, id=case["name"]) for case in json.loads(SHARED.read_text("utf-8"))]


@pytest.mark.parametrize("case", _shared())
@pytest.mark.parametrize("eager", [True, False], ids=["tags", "native"])
def test_shared_case(case: dict[str, Any], eager: bool) -> None:
    expected = case["expected"]
    types = {key: {"type": kind} for key, kind in (case["param_types"] or {}).items()}
    tools = [ToolSpec(call["name"], "", {"properties": types}) for call in expected["tool_calls"]]
    for size in (1, 2, 3, 4, 5, 10_000):
        splitter = ThinkSplitter()
        reader = TextCalls(tools, eager=eager)
        text = reasoning = ""
        calls: list[Any] = []
        chunks = [splitter.feed(case["text"][at : at + size]) for at in range(0, len(case["text"]), size)]
        for kind, piece in [piece for chunk in [*chunks, splitter.finish()] for piece in chunk]:
            if kind == "text":
                found = _joined(reader.feed(piece))
                text, calls = text + found.text, [*calls, *found.calls]
            elif kind == "reasoning":
                reasoning += piece
            else:
                text, reasoning = "", reasoning + text
        found = _joined(reader.finish())
        text, calls = text + found.text, [*calls, *found.calls]
        runs = [{"name": name, "arguments": json.loads(args)} for name, args, good, *_ in calls if good]
        assert runs == expected["tool_calls"]
        assert (reasoning.strip() or None) == expected["reasoning"]
        if eager or expected["content"]:
            assert text.strip() == (expected["content"] or "")
