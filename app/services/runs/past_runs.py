"""A stored run as the beginning of a new one, for `RepeatService`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.agent.context import RunContext
from app.agent.request.prompts import one_more_round, result_by_hand, said_by_hand
from app.agent.resume import before_plan_step, before_step, before_the_break, rounds_done, take_over, without_answer
from app.core.errors import BadInput
from app.core.run.analysis.round_report import round_report
from app.core.run.events import RunEvent, ToolReturned
from app.core.run.mode import PLAN
from app.core.run.view import PhaseItem, RunView, view_of
from app.core.tools.tool import ToolResult
from app.storage.stores.runs import RunStore

MOST_ROUNDS = 10


@dataclass(frozen=True, slots=True)
class PastRun:
    id: str
    session: str
    mode: str
    """The one it ran in; what Auto chose, if that was asked."""
    events: Sequence[RunEvent]
    view: RunView
    results: Mapping[str, ToolResult]


async def read_past_run(store: RunStore, run_id: str) -> PastRun:
    """Raises UnknownName, and BadInput for a run that has not ended or cannot be read."""
    lines = await store.events(run_id)
    view = view_of(lines)
    if view.start is None or not view.is_over:
        raise BadInput("the run has not ended", reason="NOT_ENDED")
    results: dict[str, ToolResult] = {}
    for call in view.calls.values():
        if call.result is not None and (body := await store.result(run_id, call.call.id)) is not None:
            results[call.call.id] = ToolResult.from_json(body)
    return PastRun(run_id, lines[0].session, view.mode, [line.event for line in lines], view, results)


@dataclass(frozen=True, slots=True)
class Beginning:
    """Puts the kept part of a past run into the context of the new one."""

    past: PastRun
    events: Sequence[RunEvent]
    keeps_plan: bool
    nudge: str = ""
    partial: str = ""

    def __call__(self, ctx: RunContext) -> None:
        take_over(
            ctx,
            self.events,
            self.past.results,
            keeps_plan=self.keeps_plan,
            is_reviewed=any(isinstance(item, PhaseItem) and item.phase == "executing" for item in self.past.view.items),
            nudge=self.nudge,
            partial=self.partial,
        )


def from_step(past: PastRun, step: int, mode: str) -> Beginning:
    """All before request number `step`; 0 or 1: nothing is kept."""
    if step < 0:
        raise BadInput("steps are counted from 1", reason="STEPS_FROM_ONE")
    return Beginning(past, before_step(past.events, step), keeps_plan=mode in (PLAN, past.mode))


def instead_of_step(past: PastRun, step: int, words: str, mode: str) -> Beginning:
    """All before request number `step`, and other words in the place of what came of it."""
    return replace(from_step(past, step, mode), nudge=said_by_hand(step, words))


def instead_of_plan_step(past: PastRun, number: int, result: Any, mode: str) -> Beginning:
    """The plan up to a step, with its result by hand, for a mode that works off no plan."""
    return replace(from_plan_step(past, number, mode), nudge=result_by_hand(number, result))


def from_call(past: PastRun, call_id: str, result: Any = None, *, is_other: bool) -> Beginning:
    """All up to the request that made the call, and what it called: with another `result`, or without that call
    where it `is_other`, so that it can be made again.
    """
    call = past.view.calls.get(call_id)
    if call is None:
        raise BadInput("the run has no such call", reason="NO_CALL")
    events = before_step(past.events, call.step + 1)
    if is_other:
        return Beginning(past, [event for event in events if getattr(event, "id", None) != call_id], False)
    if result is None:
        return Beginning(past, events, False)
    result_by_hand = ToolResult.success(result)
    text = result_by_hand.for_model()
    changed: list[RunEvent] = [
        replace(
            event, ok=True, status="ok", summary=result_by_hand.summary or text[:200], text=text, chars=len(text),
            kept_chars=len(text), truncated=False, display=None, error=None,
        )
        if isinstance(event, ToolReturned) and event.id == call_id
        else event
        for event in events
    ]  # fmt: skip
    return Beginning(replace(past, results={**past.results, call_id: result_by_hand}), changed, False)


def until_round(past: PastRun, number: int) -> tuple[Beginning, str]:
    """All up to the end of a reflection round, and the answer it had written; "" where it had only looked further."""
    item = next((one for one in past.view.rounds if one.number == number), None)
    if item is None:
        raise BadInput("the run has no such round", reason="NO_ROUND")
    last = max((step.step for step in past.view.steps.values() if step.round <= number), default=0)
    return Beginning(past, before_step(past.events, last + 1), keeps_plan=True), round_report(past.view, item).draft


def from_plan_step(past: PastRun, number: int, mode: str) -> Beginning:
    """The plan with the results of its steps before `number`."""
    return Beginning(past, before_plan_step(past.events, number), keeps_plan=mode in (PLAN, past.mode))


def after_the_break(past: PastRun) -> Beginning:
    """An answer that was cut off continues: its text stays, its results too."""
    kept, partial = before_the_break(past.events)
    return Beginning(past, kept, keeps_plan=True, partial=partial)


def further_round(past: PastRun) -> tuple[Beginning, dict[str, Any]]:
    """The run without its answer, and the settings with which one round more follows."""
    log = without_answer(past.events)
    rounds = min(rounds_done(log) + 1, MOST_ROUNDS)
    overrides: dict[str, Any] = {"enable_reflection": True, "max_reflection_iterations": rounds}
    return Beginning(past, log, keeps_plan=True, nudge=one_more_round(past.view.answer)), overrides
