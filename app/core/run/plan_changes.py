"""What a new plan changes of the one before it, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from ..arguments.references import parse_reference
from .plan import Plan, PlanStep

ChangeKind = Literal["removed", "added", "changed", "same"]


@dataclass(frozen=True, slots=True)
class StepChange:
    """`old` is None for a step that is added, `new` for one that is removed."""

    kind: ChangeKind
    old: PlanStep | None
    new: PlanStep | None


def plan_changes(before: Plan, after: Plan) -> tuple[StepChange, ...]:
    """What was still to do or had failed, against what is to do now; what is done stays and is not listed.

    A failed step is never the same as a new one: that one takes its place.
    """
    old = [step for step in before.steps if step.status in ("pending", "failed")]
    new = [step for step in after.steps if step.status == "pending"]
    matcher = SequenceMatcher(None, [_key(step) for step in old], [_key(step) for step in new], autojunk=False)
    found: list[StepChange] = []
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            found += [_pair(left, right) for left, right in zip(old[a:b], new[c:d], strict=True)]
            continue
        found += [StepChange("removed", step, None) for step in old[a:b]]
        found += [StepChange("added", None, step) for step in new[c:d]]
    return tuple(found)


def _key(step: PlanStep) -> tuple[str, ...]:
    return (step.action, "failed" if step.status == "failed" else "", "" if step.action != "none" else step.description)


def _pair(old: PlanStep, new: PlanStep) -> StepChange:
    """The numbers of the steps differ always; what a reference names is compared without them."""
    is_same = (old.description, _unnumbered(dict(old.params))) == (new.description, _unnumbered(dict(new.params)))
    return StepChange("same" if is_same else "changed", old, new)


def _unnumbered(value: object) -> object:
    if isinstance(value, str):
        parsed = parse_reference(value)
        return ("$", *parsed[1]) if parsed else value
    if isinstance(value, dict):
        return {key: _unnumbered(item) for key, item in value.items()}
    return [_unnumbered(item) for item in value] if isinstance(value, list) else value
