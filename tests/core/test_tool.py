"""@tool: the schema a model is offered, and how strictly its arguments are read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from app.core.arguments.judge import ArgumentFault
from app.core.errors import ToolError
from app.core.tools.card import CARD_KINDS, Card
from app.core.tools.tool import (
    PERMISSION_CLASSES,
    SUMMARY_LIMIT,
    ToolContext,
    ToolResult,
    canonical_args,
    tool,
)
from tests.every import looped


class Leg(TypedDict):
    city: str
    nights: int


class Point(BaseModel):
    lat: float
    lon: float


@tool("pure")
def trip(
    ctx: ToolContext,
    days: Annotated[int, Field(ge=1, le=30, description="how long")],
    tier: Literal["economy", "luxury"] = "economy",
    legs: list[Leg] | None = None,
    near: Point | None = None,
    price: float = 0.0,
    loud: bool = False,
) -> ToolResult:
    """Plan a trip.

    A second paragraph.
    """
    return ToolResult.success({"days": days, "near": near.lat if near else None, "legs": legs})


def paths(args: Mapping[str, Any]) -> list[str]:
    return [fault.path for fault in trip.check(args)]


def test_name_description_and_class_come_from_the_function() -> None:
    assert (trip.name, trip.permission, trip.read_only) == ("trip", "pure", True)
    assert trip.description == "Plan a trip.\n\nA second paragraph."


def test_the_schema_is_plain() -> None:
    schema = trip.parameters
    assert (schema["type"], schema["required"], schema["additionalProperties"]) == ("object", ["days"], False)
    days = schema["properties"]["days"]
    assert days == {"type": "integer", "minimum": 1, "maximum": 30, "description": "how long"}
    assert schema["properties"]["tier"] == {"type": "string", "enum": ["economy", "luxury"], "default": "economy"}
    assert "null" not in json.dumps(schema), "optional is not null"
    assert "title" not in json.dumps(schema)
    assert "ctx" not in schema["properties"]


def test_right_arguments_have_no_faults() -> None:
    assert paths({"days": 3}) == []
    assert paths({"days": 3, "legs": [{"city": "x", "nights": 1}], "near": {"lat": 1.5, "lon": 2}, "price": 3}) == []


@looped(
    ("args", "path"),
    [
        ({}, "days"),
        ({"days": "3"}, "days"),
        ({"days": True}, "days"),
        ({"days": 3.0}, "days"),
        ({"days": None}, "days"),
        ({"days": 0}, "days"),
        ({"days": 31}, "days"),
        ({"days": 3, "tier": "gold"}, "tier"),
        ({"days": 3, "loud": 1}, "loud"),
        ({"days": 3, "loud": "true"}, "loud"),
        ({"days": 3, "price": "1.5"}, "price"),
        ({"days": 3, "legs": [{"city": "x", "nights": "1"}]}, "legs.0.nights"),
        ({"days": 3, "legs": {"city": "x"}}, "legs"),
        ({"days": 3, "near": {"lat": 1}}, "near.lon"),
        ({"days": 3, "extra": 1}, "extra"),
    ],
)
def test_strictly_read(args: dict[str, Any], path: str) -> None:
    assert paths(args) == [path]


def test_every_fault_is_listed() -> None:
    assert sorted(paths({"days": "x", "tier": 1, "more": 2})) == ["days", "more", "tier"]


def test_the_function_gets_what_it_declares() -> None:
    result = trip.body(ToolContext(), {"days": 2, "near": {"lat": 1.5, "lon": 2.0}})
    assert isinstance(result, ToolResult)
    assert result.data == {"days": 2, "near": 1.5, "legs": None}


def test_arguments_that_were_not_checked_are_refused_all_the_same() -> None:
    with pytest.raises(ToolError) as caught:
        trip.body(ToolContext(), {"days": "2"})
    assert caught.value.tool_code == "BAD_ARGUMENTS"


def test_rules_add_what_a_signature_cannot_say() -> None:
    def one_of_two(args: Mapping[str, Any]) -> Sequence[ArgumentFault]:
        return [] if ("a" in args) != ("b" in args) else [ArgumentFault("", "a or b, not both")]

    @tool("pure", rules=one_of_two)
    def either(ctx: ToolContext, a: int = 0, b: int = 0) -> ToolResult:
        """One of two."""
        return ToolResult.success(a + b)

    assert either.check({"a": 1}) == []
    assert either.check({"a": 1, "b": 2}) == [ArgumentFault("", "a or b, not both")]
    assert [fault.path for fault in either.check({"a": "x"})] == ["a"], "rules see only well-typed arguments"


def test_an_own_schema_is_offered_and_the_signature_still_checks() -> None:
    shown = {"type": "object", "properties": {"a": {"type": "integer"}}}

    @tool("pure", schema=shown, name="other")
    def mine(ctx: ToolContext, a: int) -> ToolResult:
        """Mine."""
        return ToolResult.success(a)

    assert (mine.name, mine.parameters) == ("other", shown)
    assert [fault.path for fault in mine.check({"a": "1"})] == ["a"]


@pytest.mark.parametrize("permission", PERMISSION_CLASSES)
def test_what_writes_is_not_read_only(permission: Any) -> None:
    @tool(permission)
    def it(ctx: ToolContext) -> ToolResult:
        """It."""
        return ToolResult.success(None)

    assert it.read_only is (permission not in ("app.write", "fs.write", "exec"))
    assert it.parameters["properties"] == {}


# ---------------------------------------------------------------- the envelope


def test_a_success_as_json_and_for_the_model() -> None:
    result = ToolResult.success({"n": 1}, "one", display=Card("table", {"columns": []}), as_of="2026-11")
    assert result.to_json() == {
        "ok": True,
        "data": {"n": 1},
        "summary": "one",
        "display": {"card": "table", "payload": {"columns": []}},
        "meta": {"as_of": "2026-11"},
    }
    assert result.for_model() == 'one\n{"n": 1}'
    assert ToolResult.success("plain").for_model() == "plain"


def test_a_failure_as_json_and_for_the_model() -> None:
    result = ToolResult.failure("CITY_NOT_FOUND", "没有", hint="成都?", retryable=True)
    assert result.to_json()["error"] == {
        "code": "CITY_NOT_FOUND",
        "message": "没有",
        "hint": "成都?",
        "retryable": True,
    }
    assert json.loads(result.for_model())["error"]["hint"] == "成都?"
    assert json.loads(ToolResult.failure("X", "y").for_model())["error"] == {"code": "X", "message": "y"}


def test_a_summary_is_bounded() -> None:
    assert len(ToolResult.success(None, "x" * 10_000).summary) == SUMMARY_LIMIT


def test_arguments_have_one_text_per_meaning() -> None:
    assert canonical_args({"b": 1, "a": {"d": [1], "c": "字"}}) == '{"a":{"c":"字","d":[1]},"b":1}'


def test_the_kinds_of_cards_are_those_of_the_contract() -> None:
    named = "table key_values timeline map chart checklist diff gallery document choice sources progress file report"
    named += " review activity interests graph manuscript form"
    assert set(named.split()) == CARD_KINDS
