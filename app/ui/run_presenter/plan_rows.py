"""The steps of a plan among the work of an answer: each has its row from the moment the plan is worked off.

The call a step makes takes the row of the step, at its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from app.core.run.plan import NO_TOOL, PlanStep, PlanStepStatus
from app.core.run.view import CallItem, RunView
from app.ui.chat.rows.items import Part, ToolPart, ToolState

STEP_STATES: Mapping[PlanStepStatus, ToolState] = {
    "pending": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "skipped": "skipped",
}


class RowPlace(Protocol):
    def put(self, part: Part, after: str = "") -> None: ...
    def take(self, part_id: str) -> None: ...


class PlanRows:
    def __init__(self, canvas: RowPlace) -> None:
        self._canvas = canvas
        self._shown: dict[int, ToolPart] = {}
        """Steps without a call so far, by number."""
        self._served: dict[int, str] = {}
        """The last call of a step."""
        self._failed: dict[int, ToolPart] = {}
        """Calls that failed and whose step can still be steered."""

    def show(self, view: RunView) -> None:
        """What has become of the steps. Until the plan is worked off its card alone shows them."""
        steps = view.plan.plan.steps if view.plan is not None else ()
        is_begun = view.phase in ("executing", "answering") or view.is_over
        wanted = {
            step.step: _part(step, is_over=view.is_over)
            for step in steps
            if is_begun and step.step not in self._served and not (view.is_over and step.status == "pending")
        }
        is_moved = [n for n in wanted if n in self._shown] != [n for n in self._shown if n in wanted]
        self._take_gone({} if is_moved else wanted)
        before = ""
        for step in steps:
            part = wanted.get(step.step)
            if part is None:
                before = self._served.get(step.step, before)
                continue
            if self._shown.get(step.step) != part:
                self._canvas.put(part, after=before)
            before = part.id
        self._shown = wanted
        self._settle_failed(view)

    def _take_gone(self, wanted: Mapping[int, ToolPart]) -> None:
        for number in [number for number in self._shown if number not in wanted]:
            self._canvas.take(self._shown.pop(number).id)

    def place_of(self, item: CallItem) -> str:
        """The part behind which a call belongs; "" = at the end."""
        if item.plan_step in self._shown:
            return self._shown[item.plan_step].id
        return self._served.get(item.plan_step, "") if item.plan_step else ""

    def serve(self, view: RunView, item: CallItem, part: ToolPart) -> None:
        """The call is there: it takes the row of its step."""
        if not item.plan_step:
            return
        if part.plan_step:
            self._failed[part.plan_step] = part
        is_new = item.plan_step not in self._served
        self._served[item.plan_step] = part.id
        if is_new:
            self.show(view)

    def _settle_failed(self, view: RunView) -> None:
        """A failed call whose step is tried again, or given up, offers nothing any more."""
        plan = view.plan.plan if view.plan is not None else None
        for number, part in list(self._failed.items()):
            step = plan.step(number) if plan is not None else None
            if view.is_over or step is None or step.status not in ("running", "failed"):
                del self._failed[number]
                self._canvas.put(replace(part, plan_step=0))


def _part(step: PlanStep, *, is_over: bool) -> ToolPart:
    name = "" if step.action == NO_TOOL else step.action
    can_steer = not is_over and step.status in ("pending", "failed")
    return ToolPart(
        f"step-{step.step}",
        name,
        STEP_STATES[step.status],
        step.error,
        json.dumps(dict(step.params), ensure_ascii=False, indent=2, default=str) if step.params else "",
        title="" if name else step.description,
        plan_step=step.step if can_steer else 0,
    )
