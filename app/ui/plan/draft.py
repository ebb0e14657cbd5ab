"""A plan while a person changes it; no Qt.

Steps keep the number they came with until the plan is handed in, so `$2.data…` continues meaning
the same step however often it is moved. Numbers and references are rewritten once, at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from app.core.arguments.references import parse_reference
from app.core.run.plan import MAX_STEPS, NO_TOOL, Plan, PlanStep, references, step_from_json

_MOST_LEFT = 8


@dataclass(frozen=True, slots=True)
class PlanFault:
    """`step` (its place now) needs what `needs` (the number it came with) would have found."""

    step: int
    needs: str
    """The description of the step it needs."""
    is_removed: bool
    """Removed; else it only comes too late."""


@dataclass(frozen=True, slots=True)
class _State:
    goal: str
    steps: tuple[PlanStep, ...]
    faulty: frozenset[int]

    def whole(self) -> tuple[str, list[PlanStep], frozenset[int]]:
        return self.goal, list(self.steps), self.faulty


class PlanDraft:
    def __init__(self, goal: str, steps: Iterable[PlanStep]) -> None:
        self.goal = goal
        self._given = tuple(steps)
        self._descriptions = {step.step: step.description for step in self._given}
        self._first_goal = goal
        self._steps = list(self._given)
        self._faulty: frozenset[int] = frozenset()
        self._past: list[_State] = []
        """What it was before each change that can be undone, the newest last."""
        self._typing: tuple[str, int] | None = None
        """The field that was changed last: what is typed into it next belongs to the same change."""

    def steps(self) -> list[PlanStep]:
        return list(self._steps)

    @property
    def fixed(self) -> int:
        """Steps at the beginning that have run already, or were given up: they stay as they are."""
        return max((place for place, step in enumerate(self._steps, 1) if step.status != "pending"), default=0)

    @property
    def changes(self) -> int:
        """That `undo` takes back, one by one."""
        return len(self._past)

    def undo(self) -> None:
        if self._past:
            self.goal, self._steps, self._faulty = self._past.pop().whole()
        self._typing = None

    def set_goal(self, goal: str) -> None:
        with self._change(("goal", 0)):
            self.goal = goal

    @property
    def is_changed(self) -> bool:
        return self._steps != list(self._given) or self.goal != self._first_goal

    def restore(self) -> None:
        with self._change():
            self._faulty = frozenset()
            self._steps = list(self._given)
            self.goal = self._first_goal

    def to_json(self) -> dict[str, Any]:
        """As it stands, with the numbers the steps came with; `take_json` of a draft of the same plan reads it."""
        return {"goal": self.goal, "steps": [step.to_json() for step in self._steps]}

    def take_json(self, kept: Mapping[str, Any]) -> None:
        """The changes of before, as one that can be undone."""
        listed = kept.get("steps")
        steps = [step_from_json(one, n) for n, one in enumerate(listed, 1)] if isinstance(listed, list) else []
        if len({step.step for step in steps}) == len(steps) and steps:
            with self._change():
                self.goal, self._steps = str(kept.get("goal") or self.goal), steps
            self._descriptions |= {step.step: step.description for step in steps}

    def rename(self, number: int, description: str) -> None:
        with self._change(("name", number)):
            self._replace(number, description=description)

    def set_params(self, number: int, params: Mapping[str, Any], *, is_whole: bool = True) -> None:
        """With references by place, as `placed` shows them. Not `is_whole`: something is wrong or missing yet."""
        with self._change(("params", number)):
            self._faulty = self._faulty - {number} if is_whole else self._faulty | {number}
            numbers = {place: step.step for place, step in enumerate(self._steps, 1)}
            self._replace(number, params=_renumbered(params, numbers))

    def set_action(self, number: int, action: str, takes: Set[str]) -> None:
        """Another tool; arguments that it does not take are dropped."""
        step = self._steps[self._place(number)]
        params = {name: value for name, value in step.params.items() if name in takes}
        with self._change():
            self._faulty -= {number}
            self._replace(number, action=action, params=params)

    def set_ask(self, number: int, ask: bool) -> None:
        with self._change():
            self._replace(number, ask=ask)

    def use(self, goal: str, steps: Iterable[PlanStep]) -> None:
        """Another plan in place of this one: a template."""
        first, used = self._free_number(), list(steps)
        moved = {step.step: first + n for n, step in enumerate(used)}
        steps = [
            replace(
                step,
                step=moved[step.step],
                params=_renumbered(step.params, moved),
                needs=tuple(moved[need] for need in step.needs if need in moved),
            )
            for step in used
        ]
        with self._change():
            self.goal = goal or self.goal
            self._faulty = frozenset()
            self._steps = [*self._steps[: self.fixed], *steps][:MAX_STEPS]
        self._descriptions |= {step.step: step.description for step in steps}

    def placed(self, step: PlanStep) -> PlanStep:
        """The step as a person reads it now: its references name the places the steps have."""
        return replace(step, params=_renumbered(step.params, self._places()))

    def faulty(self) -> list[int]:
        """The places of steps with an argument that is wrong or missing."""
        return [place for place, step in enumerate(self._steps, 1) if step.step in self._faulty]

    def move(self, number: int, by: int) -> None:
        place = self._place(number)
        target = min(max(place + by, self.fixed), len(self._steps) - 1)
        with self._change():
            self._steps.insert(target, self._steps.pop(place))

    def remove(self, number: int) -> None:
        with self._change():
            self._faulty -= {number}
            del self._steps[self._place(number)]

    def duplicate(self, number: int) -> int:
        """The same step once more, below it; its number."""
        place, copy = self._place(number), self._free_number()
        with self._change():
            self._steps.insert(place + 1, replace(self._steps[place], step=copy))
        self._descriptions[copy] = self._steps[place].description
        return copy

    def add(self, after: int = 0) -> int:
        """A step of the person's own, worked off by reasoning: at the end, or after step `after`; its number."""
        number = self._free_number()
        place = self._place(after) + 1 if after else len(self._steps)
        with self._change():
            self._steps.insert(place, PlanStep(number, NO_TOOL, {}, ""))
        return number

    @property
    def is_full(self) -> bool:
        return len(self._steps) >= MAX_STEPS

    def nameless(self) -> list[int]:
        """The places of steps that do not say what to do."""
        return [place for place, step in enumerate(self._steps, 1) if not step.description.strip()]

    def faults(self) -> list[PlanFault]:
        """Why the plan cannot run in this order, in the order of the steps."""
        found: list[PlanFault] = []
        present = {step.step for step in self._steps}
        seen = {step.step for step in self._steps[: self.fixed]}
        for place, step in enumerate(self._steps[self.fixed :], self.fixed + 1):
            for need in _needs(step):
                if need not in seen:
                    name = self._descriptions.get(need, str(need))
                    found.append(PlanFault(place, name, is_removed=need not in present))
            seen.add(step.step)
        return found

    def handed_in(self) -> list[dict[str, Any]]:
        """The steps as JSON, numbered by their place, references rewritten."""
        places = self._places()
        return [
            replace(
                step,
                step=places[step.step],
                params=_renumbered(step.params, places),
                needs=tuple(sorted(places[need] for need in step.needs if need in places)),
            ).to_json()
            for step in self._steps
        ]

    @contextmanager
    def _change(self, field: tuple[str, int] | None = None) -> Iterator[None]:
        """One change that can be undone; what is typed into one `field` is one change, and none if it is as before."""
        if field is None or field != self._typing:
            self._past.append(_State(self.goal, tuple(self._steps), self._faulty))
        self._typing = field
        yield
        last = self._past[-1]
        if (last.goal, last.steps) == (self.goal, tuple(self._steps)):
            self._past.pop()
            self._typing = None

    def _replace(self, number: int, **fields: Any) -> None:
        place = self._place(number)
        self._steps[place] = replace(self._steps[place], **fields)

    def _free_number(self) -> int:
        return max((step.step for step in (*self._given, *self._steps)), default=0) + 1

    def _places(self) -> dict[int, int]:
        return {step.step: place for place, step in enumerate(self._steps, 1)}

    def _place(self, number: int) -> int:
        return next(place for place, step in enumerate(self._steps) if step.step == number)


def plan_key(plan: Plan) -> str:
    """What makes it this plan; without the version: a run that is active counts further."""
    return json.dumps([plan.goal, [step.to_json() for step in plan.steps]])


class LeftDrafts:
    """Changes that were not handed in, by session and plan: they come back when that plan waits again."""

    def __init__(self) -> None:
        self._drafts: dict[tuple[str, str], PlanDraft] = {}

    def keep(self, session: str, plan: Plan, draft: PlanDraft) -> None:
        if draft.is_changed:
            self._drafts[session, plan_key(plan)] = draft
            while len(self._drafts) > _MOST_LEFT:
                del self._drafts[next(iter(self._drafts))]

    def take(self, session: str, plan: Plan) -> PlanDraft | None:
        return self._drafts.pop((session, plan_key(plan)), None)


def _needs(step: PlanStep) -> list[int]:
    return sorted({*step.needs, *references(step.params)})


def _renumbered(value: Any, places: Mapping[int, int]) -> Any:
    if isinstance(value, str):
        parsed = parse_reference(value)
        if parsed is None or parsed[0] not in places:
            return value
        return "$" + ".".join((str(places[parsed[0]]), *parsed[1]))
    if isinstance(value, Mapping):
        return {key: _renumbered(item, places) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_renumbered(item, places) for item in value]
    return value
