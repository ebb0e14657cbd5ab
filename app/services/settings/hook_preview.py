"""What a rule of an agent would do to a call or a result, before it is saved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.agent.policy.hook_rules import WrongRule, after_hook, before_hook
from app.core.errors import ToolError


@dataclass(frozen=True, slots=True)
class RuleFault:
    """`code`: when, do, needs, number, empty, long, star_first, stars, backslash; `field` is the key it is about."""

    code: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class RulePreview:
    before: str
    after: str
    blocked: bool = False
    why: str = ""
    """What the model is told of a blocked call."""
    sample_fault: bool = False
    """The sample is no JSON object, so a rule about arguments has nothing to act on."""


def rule_fault(rule: Mapping[str, Any]) -> RuleFault | None:
    """What is wrong with a rule; None: it can act."""
    try:
        before_hook(rule) if rule.get("when") == "before" else after_hook(rule)
    except WrongRule as wrong:
        return RuleFault(wrong.code, wrong.field)
    return None


def preview(rule: Mapping[str, Any], tool: str, sample: str) -> RulePreview:
    """The rule on one call of `tool`: `sample` is its arguments as JSON, or what it returned.

    For a rule without faults. Costs what the sample is long: call it in a thread.
    """
    if rule["when"] == "after":
        return RulePreview(sample, after_hook(rule)(tool, {}, sample))
    try:
        args = json.loads(sample or "{}")
    except (ValueError, RecursionError):
        return RulePreview(sample, "", sample_fault=True)
    if not isinstance(args, dict):
        return RulePreview(sample, "", sample_fault=True)
    before = _written(args)
    try:
        changed = before_hook(rule)(tool, args)
    except ToolError as error:
        return RulePreview(before, "", blocked=True, why=error.message)
    return RulePreview(before, "", blocked=True) if changed is None else RulePreview(before, _written(changed))


def _written(args: Mapping[str, Any]) -> str:
    return json.dumps(args, ensure_ascii=False, indent=2)
