"""Hooks written as rules: the examples of the source documents, without code."""

from __future__ import annotations

import json

import pytest

from app.agent.policy.hook_rules import hooks_of
from app.core.run.events import ToolReturned
from tests.every import looped
from tests.fakes import call, of, run_mode, says, scripted
from tests.floor import assert_linear

LEVEL = {
    "when": "before", "tool": "match_*", "do": "normalise", "arg": "level",
    "upper": True, "strip": "档级 ", "values": {"": "B"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("written", "meant"), [("b档", "B"), ("C级", "C"), (" c ", "C"), ("Ｂ", "B"), ("", "B"), ("Z", "Z")]
)
def test_a_customer_level_is_brought_into_one_form(written: str, meant: str) -> None:
    hooks, faults = hooks_of([LEVEL])
    assert faults == []
    assert hooks.change_args("match_price", {"level": written, "n": 1}) == {"level": meant, "n": 1}
    assert hooks.change_args("other", {"level": written}) == {"level": written}


def test_a_tool_can_be_blocked_altogether_or_on_a_condition() -> None:
    hooks, _faults = hooks_of(
        [
            {"when": "before", "tool": "register_oos", "do": "block"},
            {"when": "before", "tool": "send", "do": "block", "if": {"arg": "to", "contains": "@elsewhere"}},
        ]
    )
    assert hooks.change_args("register_oos", {}) is None
    assert hooks.change_args("send", {"to": "a@elsewhere.test"}) is None
    assert hooks.change_args("send", {"to": "a@here.test"}) == {"to": "a@here.test"}


def test_arguments_are_renamed_and_set() -> None:
    hooks, _faults = hooks_of(
        [
            {"when": "before", "do": "rename", "arg": "town", "to": "city"},
            {"when": "before", "do": "set", "arg": "limit", "value": 5},
        ]
    )
    assert hooks.change_args("search", {"town": "北京"}) == {"city": "北京", "limit": 5}


def test_a_long_list_becomes_three_columns() -> None:
    rows = [{"code": n, "matched_name": f"管 {n}", "unit_price": n * 1.5, "noise": "x" * 200} for n in range(12)]
    rule = {"when": "after", "tool": "match_price", "do": "columns", "list": "candidates",
            "keys": ["code", "matched_name", "unit_price"], "most": 10}  # fmt: skip
    hooks, _faults = hooks_of([rule])
    short = hooks.change_observation("match_price", {}, "a summary\n" + json.dumps({"candidates": rows}))
    assert short.splitlines()[:3] == [
        "a summary", "candidates: 12 (code | matched_name | unit_price)", "0 | 管 0 | 0.0",
    ]  # fmt: skip
    assert short.splitlines()[-1] == "… 2 more"
    assert "noise" not in short
    assert hooks.change_observation("match_price", {}, "no JSON") == "no JSON"


def test_words_are_masked_and_texts_cut() -> None:
    hooks, _faults = hooks_of(
        [{"when": "after", "do": "mask", "text": "/srv/data"}, {"when": "after", "do": "cut", "most": 10}]
    )
    assert hooks.change_observation("x", {}, "/srv/data/a") == "***/a"
    assert hooks.change_observation("x", {}, "0123456789abc") == "0123456789 …"


def test_the_list_may_lie_deeper_or_be_the_whole() -> None:
    rule = {"when": "after", "do": "columns", "keys": ["a"], "most": 1}
    rows = [{"a": 1, "b": 2}, {"a": 3}]
    deep, _faults = hooks_of([{**rule, "list": "data.rows"}])
    assert deep.change_observation("x", {}, json.dumps({"data": {"rows": rows}})) == "data.rows: 2 (a)\n1\n… 1 more"
    whole, _faults = hooks_of([rule])
    assert whole.change_observation("x", {}, json.dumps(rows)) == "rows: 2 (a)\n1\n… 1 more"


def test_values_under_a_key_are_masked_wherever_they_stand() -> None:
    hooks, _faults = hooks_of([{"when": "after", "do": "mask", "keys": ["cost"]}])
    body = json.dumps({"rows": [{"cost": 3, "name": "a"}], "cost": {"x": 1}})
    masked = hooks.change_observation("x", {}, f"two rows\n{body}")
    assert masked == 'two rows\n{"rows": [{"cost": "***", "name": "a"}], "cost": "***"}'
    assert hooks.change_observation("x", {}, '{"cost": 3, cut off') == "***"
    assert hooks.change_observation("x", {}, "no JSON at all") == "no JSON at all"


def test_a_pattern_is_masked() -> None:
    hooks, faults = hooks_of([{"when": "after", "do": "mask", "matches": "1##########"}])
    assert faults == []
    assert hooks.change_observation("x", {}, "call 13800138000 or 138") == "call *** or 138"


def test_a_pattern_never_lets_the_rest_of_a_huge_result_pass_unmasked() -> None:
    hooks, _faults = hooks_of([{"when": "after", "do": "mask", "matches": "a*a*a*b"}])

    def mask(size: int) -> None:
        assert "secret" not in hooks.change_observation("x", {}, "a" * size + "secret ab")

    mask(3_000_000)
    assert_linear(mask, 10_000, 100_000)


@pytest.mark.parametrize(
    ("condition", "args", "blocked"),
    [
        ({"arg": "n", "equals": 3}, {"n": 3}, True),
        ({"arg": "n", "equals": "3"}, {"n": 3}, True),
        ({"arg": "n", "equals": 3}, {"n": 4}, False),
        ({"arg": "level", "none_of": ["A", "B"]}, {"level": "Z"}, True),
        ({"arg": "level", "none_of": ["A", "B"]}, {"level": "B"}, False),
        ({"arg": "to", "matches": "@*.test"}, {"to": "a@b.test"}, True),
        ({"arg": "to", "matches": "@*.test"}, {"to": "a@b.org"}, False),
        ({"arg": "to", "missing": True}, {"to": ""}, True),
        ({"arg": "to", "missing": True}, {"to": "x"}, False),
    ],
)
def test_conditions(condition: dict[str, object], args: dict[str, object], blocked: bool) -> None:
    hooks, faults = hooks_of([{"when": "before", "do": "block", "if": condition}])
    assert faults == []
    assert (hooks.change_args("x", dict(args)) is None) is blocked


async def test_a_rule_that_blocks_says_why() -> None:
    rule = {"when": "before", "tool": "add", "do": "block", "if": {"arg": "a", "none_of": ["1"]}, "why": "use 1"}
    lines = await run_mode("react", scripted(call("add", a=3), says("3")), hooks=hooks_of([rule])[0])
    (returned,) = of(lines, ToolReturned)
    assert (returned.ok, returned.status) == (False, "blocked")
    assert returned.error is not None
    assert returned.error["message"] == "use 1"


def test_a_rule_can_rest() -> None:
    hooks, faults = hooks_of([{"when": "before", "do": "block", "enabled": False}])
    assert faults == []
    assert hooks.change_args("x", {}) == {}


@looped(
    "rule",
    [{"when": "before", "do": "block", "if": {"arg": "a", "none_of": []}},
     {"when": "after", "do": "columns", "keys": []},
     {"when": "after", "do": "mask", "keys": []}, {"when": "after", "do": "mask", "matches": "*x"},
     {"when": "after", "do": "cut", "most": 0}, {"when": "before", "do": "block", "if": "x"},
     {}, {"when": "later"}, {"when": "before", "do": "fly"}, {"when": "before", "do": "rename", "arg": "a"},
     {"when": "after", "do": "cut", "most": "many"}, {"when": "after", "do": "mask", "text": ""}],
)  # fmt: skip
def test_a_rule_that_cannot_be_read_is_left_out_with_its_reason(rule: dict[str, object]) -> None:
    hooks, faults = hooks_of([rule, {"when": "before", "do": "set", "arg": "a", "value": 1}])
    assert len(faults) == 1
    assert faults[0].place == "hooks.1"
    assert "{" not in faults[0].sentence("zh_CN")
    assert hooks.change_args("x", {}) == {"a": 1}


async def test_a_rule_acts_before_the_arguments_are_checked() -> None:
    hooks, _faults = hooks_of([{"when": "before", "tool": "add", "do": "rename", "arg": "first", "to": "a"}])
    lines = await run_mode("react", scripted(call("add", first=3), says("3")), hooks=hooks)
    assert of(lines, ToolReturned)[0].summary == "3 + 0 = 3"
