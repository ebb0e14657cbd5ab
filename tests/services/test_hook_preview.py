"""What a rule would do, before it is saved."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.services.settings.hook_preview import RuleFault, preview, rule_fault

LEVEL = {"when": "before", "tool": "match_*", "do": "normalise", "arg": "level", "upper": True, "strip": "档级 "}


def test_arguments_before_and_after() -> None:
    tried = preview(LEVEL, "match_price", '{"level": "b档"}')
    assert (json.loads(tried.before), json.loads(tried.after)) == ({"level": "b档"}, {"level": "B"})


def test_a_blocked_call_says_what_the_model_is_told() -> None:
    rule = {"when": "before", "do": "block", "if": {"arg": "level", "none_of": ["A", "B"]}, "why": "use A or B"}
    tried = preview(rule, "match_price", '{"level": "Z"}')
    assert (tried.blocked, tried.why) == (True, "use A or B")
    assert not preview(rule, "match_price", '{"level": "A"}').blocked
    assert preview({"when": "before", "do": "block"}, "x", "{}").blocked


@pytest.mark.parametrize("sample", ["no JSON", "[1]", "3"])
def test_a_sample_that_is_no_object_is_said(sample: str) -> None:
    assert preview(LEVEL, "x", sample).sample_fault


def test_a_result_before_and_after() -> None:
    tried = preview({"when": "after", "do": "mask", "text": "secret"}, "x", "a secret word")
    assert (tried.before, tried.after) == ("a secret word", "a *** word")


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (LEVEL, None),
        ({**LEVEL, "arg": ""}, RuleFault("needs", "arg")),
        ({"when": "before", "do": "rename", "arg": "a"}, RuleFault("needs", "to")),
        ({"when": "before", "do": "block", "if": {"arg": "a", "matches": "*x"}}, RuleFault("star_first", "matches")),
        ({"when": "after", "do": "mask", "matches": "x\\"}, RuleFault("backslash", "matches")),
        ({"when": "after", "do": "cut", "most": "many"}, RuleFault("number", "most")),
        ({"when": "after", "do": "fly"}, RuleFault("do")),
        ({"do": "cut"}, RuleFault("when")),
    ],
)
def test_what_is_wrong_with_a_rule(rule: dict[str, Any], fault: RuleFault | None) -> None:
    assert rule_fault(rule) == fault
