"""Working a plan off: steps whose needs are met, side by side where their tools only read.

A step that names no tool is worked off by the loop. A step that fails takes the steps that need
it with it; the others run, and the answer says what did not work.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.core.chat_model import AssistantTurn, CallTurn
from app.core.events import Notice, PlanMade, PlanStepChanged, RunEvent
from app.core.plan import NO_TOOL, Plan, PlanStep, PlanStepStatus, resolve
from app.core.tool import canonical_args

from .. import prompts
from ..context import RunContext
from ..executor import Batch
from .loop import EmptyAnswer, Loop, check_budget
from .planning import Planning


class Work:
    """Afterwards every step of `plan` is done, failed or skipped."""

    def __init__(self, ctx: RunContext, plan: Plan) -> None:
        self._ctx = ctx
        self.plan = plan
        self.results: dict[int, Any] = {}
        """Result envelopes by step number, for references."""
        self._replanned = False

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        while any(step.status == "pending" for step in self.plan.steps):
            for event in check_budget(self._ctx):
                yield event
            if self._lost() and not self._replanned:
                async for event in self._replan():
                    yield event
            for event in self._skip_the_lost():
                yield event
            ready = self._ready()
            if not ready:
                continue
            if self._ctx.inbox.answer_now or self._ctx.spending.is_used_up:
                for event in self._skip_all():
                    yield event
                return
            work = self._with_loop(ready[0]) if ready[0].action == NO_TOOL else self._with_tools(ready)
            async for event in work:
                yield event

    def _ready(self) -> list[PlanStep]:
        """What can run now: one step, or several whose tools only read."""
        met = [s for s in self.plan.steps if s.status == "pending" and self._needs_are(s, "done")]
        if not met or met[0].action == NO_TOOL or not self._only_reads(met[0]):
            return met[:1]
        return [s for s in met if s.action != NO_TOOL and self._only_reads(s)]

    def _only_reads(self, step: PlanStep) -> bool:
        tool = self._ctx.tools.get(step.action)
        return tool is not None and tool.read_only and not tool.exclusive

    def _needs_are(self, step: PlanStep, status: PlanStepStatus) -> bool:
        needed = [self.plan.step(number) for number in step.needs]
        return all(other is not None and other.status == status for other in needed)

    def _lost(self) -> list[tuple[PlanStep, int]]:
        """Pending steps that need one that failed or was skipped, with that one's number."""
        dead = {s.step for s in self.plan.steps if s.status in ("failed", "skipped")}
        return [(s, min(dead & set(s.needs))) for s in self.plan.steps if s.status == "pending" and dead & set(s.needs)]

    def _skip_the_lost(self) -> Iterator[RunEvent]:
        while lost := self._lost():
            for step, needed in lost:
                yield self._set(step.step, "skipped", f"needs step {needed}")

    async def _replan(self) -> AsyncGenerator[RunEvent, None]:
        """Once in a run: the rest, another way. What was still to do is given up for it."""
        ctx = self._ctx
        self._replanned = True
        for event in ctx.enter("planning", "replan", again=True):
            yield event
        given_up = replace(
            self.plan,
            steps=tuple(replace(s, status="skipped") if s.status == "pending" else s for s in self.plan.steps),
        )
        planning = Planning(ctx, after=given_up)
        async for event in planning.events():
            yield event
        if planning.plan is not None:
            self.plan = planning.plan
            yield Notice("replanned", "the rest of the plan was made anew")
            yield PlanMade(self.plan.goal, self.plan.steps, self.plan.version)
        for event in ctx.enter("executing", again=True):
            yield event

    def _skip_all(self) -> Iterator[RunEvent]:
        for step in self.plan.steps:
            if step.status == "pending":
                yield self._set(step.step, "skipped", "answered before")

    def _set(self, step: int, status: PlanStepStatus, error: str = "") -> PlanStepChanged:
        self.plan = self.plan.with_status(step, status, error)
        return PlanStepChanged(step, status, error or None)

    async def _with_tools(self, steps: Sequence[PlanStep]) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        calls: dict[str, PlanStep] = {}
        turns: list[CallTurn] = []
        for step in steps:
            yield self._set(step.step, "running")
            try:
                args = resolve(dict(step.params), self.results)
            except LookupError as error:
                yield self._set(step.step, "failed", str(error.args[0]))
                continue
            call = CallTurn(ctx.new_id(), step.action, canonical_args(args), args)
            calls[call.id] = step
            turns.append(call)
        if not turns:
            return
        ctx.add(AssistantTurn(calls=tuple(turns)))
        plan_steps = {id: step.step for id, step in calls.items()}
        batch = Batch(ctx, turns, hooks=ctx.hooks, dialect="plan", plan_steps=plan_steps)
        async for event in batch.events():
            yield event
        for id, step in calls.items():
            result = batch.result_of(id)
            self.results[step.step] = result.to_json()
            failure = result.error.message if result.error else ""
            yield self._set(step.step, "done" if result.ok else "failed", failure)

    async def _with_loop(self, step: PlanStep) -> AsyncGenerator[RunEvent, None]:
        yield self._set(step.step, "running")
        nudge = prompts.plan_step_nudge(self.plan, step.step)
        loop = Loop(self._ctx, limit=self._ctx.profile.max_steps, nudge=nudge)
        try:
            async for event in loop.events():
                yield event
        except EmptyAnswer as error:
            yield self._set(step.step, "failed", error.message)
            return
        self.results[step.step] = {"ok": True, "data": loop.answer, "summary": loop.answer[:600]}
        yield self._set(step.step, "done")
