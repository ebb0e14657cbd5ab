"""What a run did for its answer, one row each: its calls, and the steps of a plan that needed none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ...tools.card import asks_person
from ..plan import NO_TOOL, PlanStepStatus
from .fold import RunView
from .items import CallItem, SubRunItem

RowState = Literal["pending", "waiting", "running", "done", "failed", "skipped", "stopped", "unknown", "asks"]
"""`waiting`: for the person; `asks`: it ended with a question to the person; `pending`: for its turn; `unknown`:
whether it took effect.
"""

_STATES: Mapping[str, RowState] = {
    "ok": "done",
    "repeat": "done",
    "error": "failed",
    "denied": "skipped",
    "blocked": "skipped",
    "interrupted": "stopped",
    "unknown": "unknown",
}
_PLAN_STATES: Mapping[PlanStepStatus, RowState] = {
    "pending": "pending",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "skipped": "skipped",
}


@dataclass(frozen=True, slots=True)
class WorkRow:
    id: str
    """Of the call; "plan 3" for a step of the plan."""
    name: str
    """The tool; "" for a step of the plan that names none."""
    description: str
    """The words of the step of the plan it works for."""
    args: Mapping[str, Any]
    state: RowState
    result: str
    """One line: what came back, or why nothing did."""
    seconds: float | None
    """None while it has not ended, and for a result that was kept from before."""
    step: int = 0
    plan_step: int = 0
    round: int = 0
    is_repeat: bool = False
    sub_runs: tuple[SubRunItem, ...] = ()
    mended: tuple[Mapping[str, str], ...] = ()
    """What was read forgivingly of the arguments (`ToolCalled.corrected`)."""


def work_rows(view: RunView) -> list[WorkRow]:
    """Calls in the order they were made; before the run comes to them, the steps of its plan are in their order."""
    plan = view.plan.plan.steps if view.plan is not None else ()
    words = {step.step: step.description for step in plan}
    rows = [_of_call(view, call, words.get(call.plan_step, "")) for call in view.calls.values()]
    served = {row.plan_step for row in rows}
    for step in plan:
        if step.step not in served:
            name = "" if step.action == NO_TOOL else step.action
            row = WorkRow(
                f"plan {step.step}", name, step.description, step.params, _PLAN_STATES[step.status],
                _first_line(step.error), None, plan_step=step.step,
            )  # fmt: skip
            rows.append(row)
    return sorted(rows, key=lambda row: row.plan_step) if plan else rows


@dataclass(frozen=True, slots=True)
class WorkSummary:
    """The work in one line: how many steps are done, how many failed, what runs now."""

    tools: tuple[str, ...]
    """Names of the calls that were decided, repeats left out."""
    failures: int
    waiting: int
    """What waits for the person: approvals, questions, a plan, a budget."""
    step: int
    count: int
    """The current step of how many; 0 where no plan says so."""
    rounds: int
    seconds: float
    """Without those in which the run waited for the person."""


def work_summary(view: RunView) -> WorkSummary:
    rows = work_rows(view)
    done = [row for row in rows if row.state not in ("pending", "waiting", "running") and not row.is_repeat]
    calls = [row for row in done if row.id in view.calls]
    failures = sum(row.state == "failed" for row in done)
    waiting = len(view.open_waits)
    return WorkSummary(tuple(row.name for row in calls), failures, waiting, *view.place, len(view.rounds), view.seconds)


def state_of(view: RunView, item: CallItem) -> RowState:
    if item.result is not None:
        if item.result.status == "error" and asks_person(item.result.card):
            return "asks"
        return _STATES.get(item.result.status, "done")
    if view.is_over:
        return "stopped"
    if item.approval is not None and item.approval.ended is None:
        return "waiting"
    return "running" if item.is_started else "pending"


def answer_cards(view: RunView) -> list[Mapping[str, Any]]:
    """Cards that are what the person asked for; they are in the answer."""
    return [card for card in _cards(view) if card.get("role") == "answer"]


def supporting_cards(view: RunView) -> list[Mapping[str, Any]]:
    """Look-ups and checks; they stand with the work."""
    return [card for card in _cards(view) if card.get("role") != "answer"]


def _cards(view: RunView) -> list[Mapping[str, Any]]:
    results = (item.result for item in view.calls.values())
    return [card for result in results if result is not None and (card := result.card)]


def _of_call(view: RunView, item: CallItem, description: str) -> WorkRow:
    call, result = item.call, item.result
    seconds = None
    if result is not None and result.age is None:
        seconds = result.ms / 1_000
    return WorkRow(
        call.id, call.name, description, call.args, state_of(view, item),
        _first_line(result.summary) if result is not None else "", seconds, item.step, item.plan_step, item.round,
        result is not None and (result.cached or result.status == "repeat"), tuple(item.sub_runs), call.mended,
    )  # fmt: skip


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
