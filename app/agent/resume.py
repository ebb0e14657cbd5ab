"""A run that continues from an earlier one: repeated from step k, or one more round.

The earlier events are copied to the start of the new run's log, so that it can be shown and replayed alone. Their
tools are not executed again and their cost is not counted again. `before_step`, `before_plan_step` and
`without_answer` choose the events; `take_over` puts them into the context of the new run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.run.chat_model import Usage
from app.core.run.events import (
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    RoundStart,
    RunEvent,
    StepEnd,
    StepStart,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)
from app.core.run.messages import PlanPart
from app.core.run.plan import Plan, PlanStep
from app.core.run.transcript import Fold
from app.core.tools.tool import ToolFailure, ToolResult

from .context import RunContext
from .request.history import turns_of
from .run_parts import Resumed
from .tools.gate import call_key

_BORDERS = (LoopStart, LoopEnd, LoopError, ModeSelected)
"""What every run says for itself."""


# ---------------------------------------------------------------- what is kept


def before_step(events: Iterable[RunEvent], step: int) -> list[RunEvent]:
    """All up to request number `step`, counted from 1."""
    kept: list[RunEvent] = []
    for event in events:
        if isinstance(event, StepStart) and event.step >= step:
            break
        kept.append(event)
    return _whole(kept)


def before_plan_step(events: Iterable[RunEvent], number: int) -> list[RunEvent]:
    """The plan, and of its steps those before `number` that came to an end."""
    log = list(events)
    begun = next((n for n, event in enumerate(log) if isinstance(event, PlanStepChanged)), len(log))
    owners: dict[str, int] = {}
    working = 0
    before = [event for event in log[:begun] if not (isinstance(event, PhaseStart) and event.phase == "executing")]
    for event in log[begun:]:
        if isinstance(event, PlanStepChanged):
            working = event.step if event.status == "running" else 0
            owner = event.step
        elif isinstance(event, ToolCalled):
            owner = owners[event.id] = event.plan_step or working
        elif isinstance(event, ToolStarted | ToolReturned):
            owner = owners.get(event.id, working)
        elif isinstance(event, PlanMade):
            owner = 0  # made again: the steps it lists that are kept are found again in it
        else:
            owner = working or number
        if owner < number:
            before.append(event)
    return _renumbered(_whole(before))


def without_answer(events: Iterable[RunEvent]) -> list[RunEvent]:
    """All up to the requests that only answered."""
    log = list(events)
    last = max((n for n, event in enumerate(log) if isinstance(event, PlanStepChanged | ToolReturned)), default=-1)
    for n in range(last + 1, len(log)):
        if isinstance(log[n], StepEnd):
            # The message that made the calls ends behind them.
            calls = [event for event in log[: n + 1] if isinstance(event, ToolCalled)]
            ended = log[n]
            if isinstance(ended, StepEnd) and calls and calls[-1].step == ended.step:
                last = n
            break
        if isinstance(log[n], StepStart):
            break
    return _whole(log[: last + 1])


def before_the_break(events: Iterable[RunEvent]) -> tuple[list[RunEvent], str]:
    """All up to the request whose text was cut off, and that text; "" where it was a call that was cut off, or the run
    ended behind a plan it had just made.
    """
    log = list(events)
    last = max((n for n, event in enumerate(log) if isinstance(event, StepStart)), default=-1)
    if last < 0 or any(isinstance(event, ToolCalled | PlanMade) for event in log[last:]):
        return _whole(log), ""
    fold = Fold("")
    for event in log:
        fold.apply(event)
    step = log[last]
    return _whole(log[:last]), fold.visible_text(step.step) if isinstance(step, StepStart) else ""


def _whole(events: Sequence[RunEvent]) -> list[RunEvent]:
    """Without the borders of the old run, and without what begins and is not ended among these."""
    inner = [event for event in events if not isinstance(event, _BORDERS)]
    while inner and isinstance(inner[-1], RoundStart | PhaseStart):
        inner.pop()
    inner = [event for n, event in enumerate(inner) if not _is_dangling(event, inner[n + 1 :])]
    answered = {event.id for event in inner if isinstance(event, ToolReturned)}
    lost = {event.id for event in inner if isinstance(event, ToolCalled)} - answered
    ended = {event.step for event in inner if isinstance(event, StepEnd)}
    begun = {event.step for event in inner if isinstance(event, StepStart)}
    return [
        event
        for event in inner
        if not (isinstance(event, ToolCalled | ToolStarted) and event.id in lost)
        and (getattr(event, "step", 0) in ended or getattr(event, "step", 0) not in begun or _of_plan(event))
    ]


def _is_dangling(event: RunEvent, later: Sequence[RunEvent]) -> bool:
    """A plan step that began and did not end."""
    if not isinstance(event, PlanStepChanged) or event.status != "running":
        return False
    return not any(isinstance(one, PlanStepChanged) and one.step == event.step for one in later)


def _of_plan(event: RunEvent) -> bool:
    return isinstance(event, PlanStepChanged)


def _renumbered(events: Sequence[RunEvent]) -> list[RunEvent]:
    """Requests are counted from 1 without a gap."""
    numbers: dict[int, int] = {}
    told: list[RunEvent] = []
    for event in events:
        if isinstance(event, StepStart):
            numbers[event.step] = len(numbers) + 1
        step = getattr(event, "step", None)
        if step in numbers and not _of_plan(event):
            told.append(replace(event, step=numbers[step]))  # type: ignore[arg-type]  # it has a step
        else:
            told.append(event)
    return told


# ---------------------------------------------------------------- into the new run


def take_over(
    ctx: RunContext,
    events: Sequence[RunEvent],
    results: Mapping[str, ToolResult],
    *,
    keeps_plan: bool = True,
    is_reviewed: bool = True,
    nudge: str = "",
    partial: str = "",
) -> None:
    """Before the run starts: its conversation, its results and its log continue from `events`.

    `results` are the whole results by call id; where one is missing, what the model read of it has to do.
    `keeps_plan` is False where the new mode does not work plans off, `is_reviewed` where nobody has let the plan run.
    """
    events_taken = tuple(replace(event, usage=Usage()) if isinstance(event, StepEnd) else event for event in events)
    if not keeps_plan:
        events_taken = tuple(event for event in events_taken if not isinstance(event, PlanMade | PlanStepChanged))
    folded = Fold(ctx.request.run_id, run=ctx.request.run_id)
    for event in events_taken:
        folded.apply(event)
    ctx.state.turns.extend(turns_of([folded.message()]))
    ctx.state.step = max((event.step for event in events_taken if isinstance(event, StepStart)), default=0)
    calls = {event.id: event for event in events_taken if isinstance(event, ToolCalled)}
    for event in events_taken:
        if isinstance(event, ToolReturned):
            _take_result(ctx, calls[event.id], event, results.get(event.id) or _from_event(event))
    ctx.state.resumed = Resumed(events_taken, rounds_done(events_taken), nudge, partial)
    plan = next((part.plan for part in folded.message().parts if isinstance(part, PlanPart)), None)
    if plan is not None:
        again = tuple(map(_open_again, plan.steps))
        ctx.state.resumed.plan = replace(plan, steps=again, version=plan.version + 1)
        ctx.state.resumed.is_reviewed = is_reviewed
        ctx.state.resumed.plan_results = dict(_plan_results(events_taken, ctx.state.results, plan))


def _take_result(ctx: RunContext, call: ToolCalled, event: ToolReturned, result: ToolResult) -> None:
    ctx.state.returned.append(event)
    ctx.state.results[event.id] = result
    ctx.state.tools_used.append(event.name)
    tool = ctx.tool(event.name)
    if tool is None:
        return
    ctx.state.taint.note_call(tool, call.args, result)
    if tool.read_only and event.ok:
        ctx.state.cache.setdefault(call_key(tool, call.args), event.id)
    elif event.ok:
        ctx.state.cache.clear()


def _from_event(event: ToolReturned) -> ToolResult:
    if event.ok:
        return ToolResult.success(event.text, event.summary)
    error = event.error or {}
    return ToolResult(ok=False, error=ToolFailure(str(error.get("code", "INTERNAL")), str(error.get("message", ""))))


def rounds_done(events: Sequence[RunEvent]) -> int:
    """The round that the next request is: after the last batch of tools, one more than the last that was told."""
    last = max((n for n, event in enumerate(events) if isinstance(event, RoundStart)), default=-1)
    rounds = events[last].round if last >= 0 and isinstance(events[last], RoundStart) else 0  # type: ignore[union-attr]
    return rounds + 1 if any(isinstance(event, ToolReturned) for event in events[last + 1 :]) else rounds


def _open_again(step: PlanStep) -> PlanStep:
    return step if step.status == "done" else replace(step, status="pending", error="")


def _plan_results(
    events: Sequence[RunEvent], results: Mapping[str, ToolResult], plan: Plan
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Result envelopes by plan step: of its tool, or the text a step without one came to."""
    done = {step.step for step in plan.steps if step.status == "done"}
    said: dict[int, list[str]] = {}
    for event in events:
        if isinstance(event, ToolCalled) and event.plan_step in done and event.id in results:
            yield event.plan_step, results[event.id].to_json()
        elif isinstance(event, Token):
            said.setdefault(event.step, []).append(event.text)
        elif isinstance(event, PlanStepChanged) and event.status == "done":
            step = plan.step(event.step)
            if step is not None and step.action == "none" and said:
                text = "".join(said[max(said)])
                yield event.step, {"ok": True, "data": text, "summary": text[:600]}
