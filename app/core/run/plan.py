"""Plans: a goal and at most twelve steps, validated from the planner's JSON (agents.md 1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

from app.core.text.i18n import N_, say_in

from ..arguments.references import parse_reference

MAX_STEPS = 12
MOST_NAMES = 12
"""That the error of a reference lists."""
NO_TOOL = "none"
PLAN_AT_WORK = "plan"
"""Under this name a tool finds the plan its call is a step of (`ToolContext.resources`)."""

PlanStepStatus = Literal["pending", "running", "done", "failed", "skipped"]
_STATUSES: frozenset[Any] = frozenset(get_args(PlanStepStatus))


@dataclass(frozen=True, slots=True)
class PlanStep:
    """`action` is a tool's name, or "none": the step is then worked off by the ReAct loop.

    `params` may hold references to earlier results as strings: "$1.data.items.0.id".
    """

    step: int
    action: str
    params: Mapping[str, Any]
    description: str
    needs: tuple[int, ...] = ()
    status: PlanStepStatus = "pending"
    error: str = ""
    ask: bool = False
    """The person wants to be asked before it runs."""

    def to_json(self) -> dict[str, Any]:
        return {
            "step": self.step,
            "action": self.action,
            "params": dict(self.params),
            "description": self.description,
            "needs": list(self.needs),
            "status": self.status,
            **({"error": self.error} if self.error else {}),
            **({"ask": True} if self.ask else {}),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    goal: str
    steps: tuple[PlanStep, ...]
    version: int = 1

    def to_json(self) -> dict[str, Any]:
        return {"goal": self.goal, "steps": [step.to_json() for step in self.steps]}

    def with_status(self, step: int, status: PlanStepStatus, error: str = "") -> Plan:
        return replace(
            self,
            steps=tuple(replace(s, status=status, error=error) if s.step == step else s for s in self.steps),
        )

    def step(self, number: int) -> PlanStep | None:
        return next((s for s in self.steps if s.step == number), None)


@dataclass(frozen=True, slots=True)
class PlanFaults(Exception):
    """What is wrong with a plan, one sentence each, for the repair round."""

    faults: tuple[str, ...]


def step_from_json(raw: Mapping[str, Any], number: int) -> PlanStep:
    """One stored or edited step; missing fields get their neutral value."""
    status: Any = raw.get("status")
    return PlanStep(
        step=int(raw.get("step") or number),
        action=str(raw.get("action") or NO_TOOL),
        params=dict(raw.get("params") or {}),
        description=str(raw.get("description") or ""),
        needs=tuple(int(n) for n in raw.get("needs") or ()),
        status=cast(PlanStepStatus, status) if isinstance(status, str) and status in _STATUSES else "pending",
        error=str(raw.get("error") or ""),
        ask=raw.get("ask") is True,
    )


def plan_from_json(raw: Mapping[str, Any]) -> Plan:
    """Of what `to_json` gave."""
    return Plan(str(raw["goal"]), tuple(step_from_json(one, n) for n, one in enumerate(raw["steps"], 1)))


def read_plan(
    raw: Any, known_tools: Iterable[str], *, version: int = 1, after: Plan | None = None, language: str = "en"
) -> Plan:
    """Validate the planner's JSON; raises PlanFaults with every fault found, in `language`.

    Arguments are not checked against the tools' schemas here: that takes the tools. With `after`
    the JSON continues with that plan: its steps are numbered behind it and may refer to what is done.
    """
    faults: list[str] = []
    if not isinstance(raw, Mapping):
        raise PlanFaults((say_in(language, "the plan must be a JSON object with goal and steps"),))
    listed = raw.get("steps")
    if not isinstance(listed, list) or not listed:
        raise PlanFaults((say_in(language, "steps must be a list of at least one step"),))
    if len(listed) > MAX_STEPS:
        words = N_("at most {most} steps are allowed, the plan has {count}")
        faults.append(say_in(language, words, most=MAX_STEPS, count=len(listed)))
    reading = _Reading(set(known_tools), after, language)
    if after and isinstance(listed[0], Mapping) and listed[0].get("step") == 1:
        listed = [_moved(item, len(after.steps)) for item in listed]
    steps: list[PlanStep] = []
    for number, item in enumerate(listed[:MAX_STEPS], reading.first):
        if isinstance(item, Mapping):
            steps.append(reading.step(item, number))
        else:
            reading.faults.append(say_in(language, "step {n} is not an object", n=number))
    faults += reading.faults
    if faults:
        raise PlanFaults(tuple(faults))
    goal = raw.get("goal")
    old_steps = after.steps if after else ()
    return Plan(goal if isinstance(goal, str) else "", (*old_steps, *steps), version)


def _moved(item: Any, by: int) -> Any:
    """A step of a plan that was numbered from 1 although it continues with another: everything moves."""
    if not isinstance(item, Mapping):
        return item
    moved = dict(item)
    if isinstance(moved.get("step"), int):
        moved["step"] += by
    if isinstance(moved.get("needs"), list):
        moved["needs"] = [n + by if isinstance(n, int) else n for n in moved["needs"]]
    moved["params"] = _moved_references(moved.get("params"), by)
    return moved


def _moved_references(value: Any, by: int) -> Any:
    if isinstance(value, str):
        parsed = parse_reference(value)
        return ".".join((f"${parsed[0] + by}", *parsed[1])) if parsed else value
    if isinstance(value, Mapping):
        return {key: _moved_references(item, by) for key, item in value.items()}
    if isinstance(value, list):
        return [_moved_references(item, by) for item in value]
    return value


class _Reading:
    """One pass over the steps, gathering faults."""

    def __init__(self, known: set[str], after: Plan | None, language: str) -> None:
        self._known, self._language = known, language
        self.first = len(after.steps) + 1 if after else 1
        self._usable = {s.step for s in after.steps if s.status == "done"} if after else set()
        """Steps of an earlier plan that may be referred to."""
        self.faults: list[str] = []

    def step(self, item: Mapping[str, Any], number: int) -> PlanStep:
        number_given = item.get("step", number)
        if number_given != number:
            words = N_("steps must be numbered from {first}: found {given} at place {n}")
            self._note(words, first=self.first, given=repr(number_given), n=number)
        action = item.get("action") or NO_TOOL
        if not isinstance(action, str) or (action != NO_TOOL and action not in self._known):
            words = N_("step {n}: unknown action {action}; use a known tool or {none}")
            self._note(words, n=number, action=repr(action), none=repr(NO_TOOL))
            action = NO_TOOL
        params = item.get("params") or {}
        if not isinstance(params, Mapping):
            self._note(N_("step {n}: params must be an object"), n=number)
            params = {}
        needs = self._needs(item.get("needs"), number)
        for reference in references(params):
            if not self._is_earlier(reference, number):
                self._note(N_("step {n}: ${other} is not an earlier step"), n=number, other=reference)
            elif reference not in needs:
                needs = (*needs, reference)
        description = item.get("description")
        text = description if isinstance(description, str) else ""
        ask = item.get("ask") is True
        return PlanStep(number, action, dict(params), text or action, tuple(sorted(needs)), ask=ask)

    def _needs(self, raw: Any, number: int) -> tuple[int, ...]:
        if raw is None:
            return ()
        if not isinstance(raw, list) or not all(isinstance(n, int) and not isinstance(n, bool) for n in raw):
            self._note(N_("step {n}: needs must be a list of step numbers"), n=number)
            return ()
        wrong = [n for n in raw if not self._is_earlier(n, number)]
        for n in wrong:
            self._note(N_("step {n}: needs {other}, which is not an earlier step"), n=number, other=n)
        return tuple(dict.fromkeys(n for n in raw if n not in wrong))

    def _note(self, text: str, **values: object) -> None:
        self.faults.append(say_in(self._language, text, **values))

    def _is_earlier(self, step: int, number: int) -> bool:
        return self.first <= step < number or step in self._usable


# ---------------------------------------------------------------- references


def references(value: Any) -> list[int]:
    """The step numbers that `$n.path` strings inside `value` refer to, in order of appearance."""
    found: list[int] = []
    for text in _strings(value):
        parsed = parse_reference(text)
        if parsed:
            found.append(parsed[0])
    return found


def resolve(value: Any, results: Mapping[int, Any]) -> Any:
    """`value` with every reference replaced; raises LookupError naming the reference that leads nowhere."""
    if isinstance(value, str):
        parsed = parse_reference(value)
        return _follow(value, parsed, results) if parsed else value
    if isinstance(value, Mapping):
        return {key: resolve(item, results) for key, item in value.items()}
    if isinstance(value, list):
        return [resolve(item, results) for item in value]
    return value


def _follow(text: str, parsed: tuple[int, tuple[str, ...]], results: Mapping[int, Any]) -> Any:
    number, path = parsed
    if number not in results:
        raise LookupError(f"{text}: step {number} has no result")
    node = results[number]
    for part in path:
        if isinstance(node, Mapping) and part in node:
            node = node[part]
        elif isinstance(node, list) and part.isdecimal() and len(part) < 10 and int(part) < len(node):
            node = node[int(part)]
        else:
            raise LookupError(f"{text[:200]}: nothing at {part[:80]!r}{_there_is(node)}")
    return node


def _there_is(node: Any) -> str:
    """For whoever writes the reference again; only what is a plain name, for the names are not always ours."""
    if isinstance(node, list):
        return f"; it is a list of {len(node)}"
    if not isinstance(node, Mapping):
        return ""
    names = [name for name in map(str, node) if name.isidentifier() and len(name) <= 40]
    return f"; there is {', '.join(names[:MOST_NAMES])}" if names else ""


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
