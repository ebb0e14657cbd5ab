"""The small parts: bytes to JSON, names, schemas, results, points of maps."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mcp.listing import ListedTool, changes, read_listing
from app.mcp.log import ServerLog
from app.mcp.names import local_name, looks_like
from app.mcp.results import envelope
from app.mcp.schemas import Unfit, cleaned, faults
from app.mcp.texts import for_model, scrub
from app.mcp.transport import wire
from tests.every import looped
from tests.floor import assert_linear, cost, floor

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=30,
)

# ---------------------------------------------------------------- bytes


@given(st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"")), max_size=8), st.integers(1, 7))
def test_lines_come_out_as_they_went_in_however_they_are_cut(lines: list[bytes], size: int) -> None:
    whole = b"".join(line + b"\n" for line in lines)
    reader = wire.LineReader()
    found = [line for at in range(0, len(whole), size) for line in reader.feed(whole[at : at + size])]
    assert found == lines


def test_a_line_without_end_is_given_up() -> None:
    reader = wire.LineReader(limit=1_000)
    with pytest.raises(wire.TooLong):
        for _ in range(20):
            reader.feed(b"x" * 100)


@given(JSON)
def test_json_is_read_as_it_is(value: Any) -> None:
    told = json.dumps(value).encode()
    read = wire.read(told)
    if "\\u" not in told.decode():
        assert read == value


def test_deep_parts_become_null_and_their_neighbours_stay() -> None:
    deep = '{"tools": [{"name": "a", "s": ' + "[" * 5_000 + "]" * 5_000 + '}, {"name": "b"}]}'
    value = wire.read(deep.encode())
    assert value["tools"][1] == {"name": "b"}
    assert wire.depth(value) <= wire.DEEPEST


@given(JSON)
def test_flattening_leaves_shallow_json_alone(value: Any) -> None:
    told = json.dumps(value).encode()
    assert wire.flattened(told) == told


@pytest.mark.parametrize("unit", [b"[", b'""', b'\\"', b'{"a":"', b"\\"])
def test_T43_no_line_takes_long(unit: bytes) -> None:
    def read(size: int) -> None:
        data = unit * (size // len(unit)) + b'"'
        with pytest.raises(wire.Damaged):
            wire.read(data)
        wire.flattened(data)

    assert_linear(read, 15_000, 150_000)


def test_numbers_that_are_none_and_half_pairs() -> None:
    digits = b"9" * 50_000
    value = wire.read(
        b'{"a": NaN, "b": -Infinity, "c": "x\\ud800y\\u0000", "d": ' + digits + b', "e": -' + digits + b"}"
    )
    assert value.pop("c") == "x\ufffdy\u2400"
    assert not any(map(math.isfinite, value.values())), "for the reader of a result to refuse"
    assert wire.read(b"[" + b"9" * 4_000 + b"]") == [int("9" * 4_000)]


def test_the_request_a_damaged_answer_belongs_to_is_found() -> None:
    with pytest.raises(wire.Damaged) as damaged:
        wire.read(b'{"jsonrpc": "2.0", "id": 17, "result": {oh')
    assert damaged.value.id == 17


# ---------------------------------------------------------------- texts and names


@given(st.text())
def test_scrubbed_text_can_be_stored(text: str) -> None:
    scrub(text + "\ud800").encode()


def test_what_hides_is_taken_out_and_what_is_needed_stays() -> None:
    assert for_model("a\u202eb\u200b\U000e0041c\x1b", 50) == "abc"
    family = "👨\u200d👩\u200d👧 سلام\u200cها"
    assert for_model(family, 50) == family
    assert for_model("x" * 50, 10) == "x" * 9 + "…"


@given(st.from_regex(r"[A-Za-z0-9_.\-]{1,128}", fullmatch=True))
def test_every_name_fits_every_provider(name: str) -> None:
    made = local_name("a" * 24, name)
    assert 0 < len(made) <= 64
    assert all(sign.isascii() and (sign.isalnum() or sign in "_-") for sign in made)


def test_names_that_look_alike() -> None:
    assert looks_like("List_1tems") == looks_like("list-items")
    assert looks_like("read") != looks_like("write")


# ---------------------------------------------------------------- schemas


@given(JSON)
def test_any_schema_is_cleaned_or_refused(schema: Any) -> None:
    try:
        made = cleaned(schema)
    except Unfit:
        return
    assert made["type"] == "object"
    faults(made, {"a": 1})


@given(JSON, st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_any_arguments_are_judged(schema: Any, args: dict[str, Any]) -> None:
    try:
        made = cleaned({"type": "object", "properties": {"a": schema if isinstance(schema, dict) else {}}})
    except Unfit:
        return
    assert len(faults(made, args)) <= 8


def test_references_are_written_out_and_loops_refused() -> None:
    schema = {
        "type": "object",
        "$defs": {"point": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
        "properties": {"from": {"$ref": "#/$defs/point", "description": "start"}, "to": {"$ref": "#/$defs/point"}},
    }
    made = cleaned(schema)
    assert "$ref" not in json.dumps(made)
    assert made["properties"]["from"]["description"] == "start"
    assert [fault.path for fault in faults(made, {"from": {}, "to": {"x": "a"}})] == ["from.x", "to.x"]
    loop = {"type": "object", "$defs": {"a": {"properties": {"b": {"$ref": "#/$defs/a"}}}}, "properties": {}}
    assert cleaned(loop)["properties"] == {}
    with pytest.raises(Unfit, match="refers to itself"):
        cleaned({**loop, "properties": {"a": {"$ref": "#/$defs/a"}}})


def test_a_schema_that_doubles_with_every_reference_is_refused() -> None:
    laughs: dict[str, Any] = {"l0": {"type": "string"}}
    for n in range(1, 30):
        laughs[f"l{n}"] = {"properties": {"a": {"$ref": f"#/$defs/l{n - 1}"}, "b": {"$ref": f"#/$defs/l{n - 1}"}}}

    def refuse() -> None:
        with pytest.raises(Unfit):
            cleaned({"type": "object", "$defs": laughs, "properties": {"a": {"$ref": "#/$defs/l29"}}})

    limit = 50 * floor()
    assert cost(refuse) < limit


@looped(
    ("schema", "good", "bad"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 3}, 2, 4),
        ({"type": "integer"}, 2.0, 2.5),
        ({"type": "integer"}, 1, True),
        ({"type": ["string", "null"]}, None, 3),
        ({"enum": ["a", 1]}, "a", True),
        ({"const": 5}, 5, 6),
        ({"type": "string", "minLength": 2, "maxLength": 3}, "ab", "abcd"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 2}, ["a"], ["a", 1]),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 1, []),
        ({"type": "object", "additionalProperties": False, "properties": {"x": {}}}, {"x": 1}, {"y": 1}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"y": 1}, {"y": "z"}),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "ab", "a"),
        ({"type": "number", "exclusiveMinimum": 0}, 0.1, 0),
    ],
)
def test_arguments_are_held_against_the_schema(schema: dict[str, Any], good: Any, bad: Any) -> None:
    made = cleaned({"type": "object", "properties": {"a": schema}})
    assert faults(made, {"a": good}) == []
    assert faults(made, {"a": bad}) != []


# ---------------------------------------------------------------- lists of tools


def test_a_tool_is_kept_and_read_back_as_it_was() -> None:
    listing = read_listing([{"name": "a.b", "description": "d", "inputSchema": {"type": "object"}, "title": "T"}])
    again = ListedTool.from_json(json.loads(json.dumps(listing.tools[0].to_json())))
    assert again == listing.tools[0]
    assert changes(listing.tools, (again,)) == []


def test_a_server_may_not_fill_the_whole_context() -> None:
    raws = [{"name": f"t{n}", "description": "d" * 1_024, "inputSchema": {"type": "object"}} for n in range(100)]
    listing = read_listing(raws)
    assert 40 < len(listing.tools) < 70
    assert "64 kB" in listing.left_out[0].why


def test_every_word_of_a_tool_counts_for_its_fingerprint() -> None:
    base = {"name": "a", "description": "d", "inputSchema": {"type": "object"}}
    further: list[dict[str, Any]] = [
        {}, {"description": "e"}, {"title": "x"}, {"outputSchema": {}}, {"annotations": {"a": 1}},
    ]  # fmt: skip
    marks = {read_listing([{**base, **more}]).tools[0].fingerprint for more in further}
    assert len(marks) == 5


# ---------------------------------------------------------------- results and logs


@given(st.dictionaries(st.sampled_from(["content", "structuredContent", "isError", "resultType"]), JSON))
def test_any_result_becomes_an_envelope(raw: dict[str, Any]) -> None:
    result = envelope("x", raw)
    result.for_model()
    json.dumps(result.to_json())


def test_structure_that_is_repeated_as_text_is_told_once() -> None:
    same = {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"a": 1}}
    assert envelope("x", same).data == {"a": 1}
    other = {"content": [{"type": "text", "text": "see"}], "structuredContent": {"a": 1}}
    assert envelope("x", other).data == {"text": "see", "structured": {"a": 1}}


def test_a_server_that_wants_to_ask_the_person_is_named() -> None:
    error = envelope("Bank <b>", {"resultType": "input_required", "inputRequests": {}}).error
    assert error is not None
    assert error.code == "NEEDS_INPUT"
    assert "Bank <b>" in error.message


def test_the_log_is_bounded_and_has_no_secrets() -> None:
    log = ServerLog()
    log.mask(["tok-123456", "x"])
    log.feed(b"".join(b"line %d tok-123456\n" % n for n in range(5_000)))
    log.feed(b"y" * 100_000)
    assert len(log.lines()) <= 500
    assert "tok-123456" not in "".join(log.lines())
    assert len(log.reason()) <= 300
