"""A plan while a person changes it; no Qt.

Steps keep the number they came with until the plan is handed in, so `$2.data…` goes on meaning
the same step however often it is moved. Numbers and references are rewritten once, at the end.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.core.plan import MAX_STEPS, NO_TOOL, PlanStep, parse_reference, references

_HIDDEN = ("Cf", "Zl", "Zp", "Cs")


@dataclass(frozen=True, slots=True)
class PlanFault:
    """`step` (its place now) needs what `needs` (the number it came with) would have found."""

    step: int
    needs: str
    """The description of the step it needs."""
    is_removed: bool
    """Removed; else it only comes too late."""


class PlanDraft:
    def __init__(self, goal: str, steps: Iterable[PlanStep]) -> None:
        self.goal = goal
        self._given = tuple(steps)
        self._descriptions = {step.step: step.description for step in self._given}
        self._first_goal = goal
        self._steps = list(self._given)
        self._unreadable: set[int] = set()

    def steps(self) -> list[PlanStep]:
        return list(self._steps)

    @property
    def is_changed(self) -> bool:
        return self._steps != list(self._given) or self.goal != self._first_goal

    def restore(self) -> None:
        self._unreadable.clear()
        self._steps = list(self._given)
        self.goal = self._first_goal

    def rename(self, number: int, description: str) -> None:
        place = self._place(number)
        self._steps[place] = replace(self._steps[place], description=description)

    def rewrite(self, number: int, arguments: str) -> None:
        """Arguments as JSON, with references by place as `placed` shows them; what cannot be read is a fault."""
        params = read_arguments(arguments)
        if params is None:
            self._unreadable.add(number)
            return
        self._unreadable.discard(number)
        numbers = {place: step.step for place, step in enumerate(self._steps, 1)}
        place = self._place(number)
        self._steps[place] = replace(self._steps[place], params=_renumbered(params, numbers))

    def placed(self, step: PlanStep) -> PlanStep:
        """The step as a person reads it now: its references name the places the steps have."""
        return replace(step, params=_renumbered(step.params, self._places()))

    def drop_unreadable(self) -> None:
        """What could not be read is given up; the arguments from before count."""
        self._unreadable.clear()

    def unreadable(self) -> list[int]:
        """The places of steps whose arguments are not JSON now."""
        return [place for place, step in enumerate(self._steps, 1) if step.step in self._unreadable]

    def move(self, number: int, by: int) -> None:
        place = self._place(number)
        target = min(max(place + by, 0), len(self._steps) - 1)
        self._steps.insert(target, self._steps.pop(place))

    def remove(self, number: int) -> None:
        del self._steps[self._place(number)]

    def add(self) -> int:
        """A step of the person's own at the end, worked off by reasoning; returns its number."""
        number = max((step.step for step in (*self._given, *self._steps)), default=0) + 1
        self._steps.append(PlanStep(number, NO_TOOL, {}, ""))
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
        seen: set[int] = set()
        for place, step in enumerate(self._steps, 1):
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

    def _places(self) -> dict[int, int]:
        return {step.step: place for place, step in enumerate(self._steps, 1)}

    def _place(self, number: int) -> int:
        return next(place for place, step in enumerate(self._steps) if step.step == number)


def read_arguments(text: str) -> dict[str, Any] | None:
    """None if it is no JSON object."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def written_arguments(step: PlanStep) -> str:
    """As JSON one can edit; characters that hide or reorder text are escapes."""
    text = json.dumps(dict(step.params), ensure_ascii=False, indent=2, default=str)
    return "".join(json.dumps(char)[1:-1] if unicodedata.category(char) in _HIDDEN else char for char in text)


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
