"""Working a plan off: steps whose needs are met, side by side where their tools only read.

A step that names no tool is worked off by the loop. A step that fails takes the steps that need
it with it; the others run, and the answer says what did not work.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.errors import DamagedStream
from app.core.run.chat_model import AssistantTurn, CallTurn, UserTurn
from app.core.run.events import Approval, ApprovalAnswer, Notice, PlanStepChanged, RunEvent
from app.core.run.plan import NO_TOOL, Plan, PlanStep, PlanStepStatus, references, resolve
from app.core.text.i18n import N_, say_in
from app.core.tools.tool import canonical_args

from ..context import RunContext
from ..policy.caution import caution_of
from ..policy.subject import Subject
from ..request import prompts
from ..tools.executor import Batch
from ..tools.gate import approval_of, waits_until
from ..understood import understood_of_calls
from .loop import EmptyAnswer, Loop, keep_budget
from .planning import Planning
from .review import PlanReview, shown


class Work:
    """Afterwards every step of `plan` is done, failed or skipped."""

    def __init__(self, ctx: RunContext, plan: Plan, *, replans: bool = True) -> None:
        """`replans`: what a failed step takes with it is planned another way, once."""
        self._ctx = ctx
        self.plan = plan
        self.results: dict[int, Any] = dict(ctx.state.resumed.plan_results)
        """Result envelopes by step number, for references."""
        self._replanned = not replans
        self._approved: set[int] = set()
        """Steps the person was asked about and said yes to: for one time each."""

    @property
    def plan(self) -> Plan:
        assert self._ctx.state.plan is not None, "set at the beginning"
        return self._ctx.state.plan

    @plan.setter
    def plan(self, plan: Plan) -> None:
        self._ctx.state.plan = plan

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        control = self._ctx.services.inbox.plan
        while True:
            async for event in keep_budget(self._ctx):
                yield event
            for event in self._follow_orders():
                yield event
            if not control.may_go_on and self._has("pending", "failed"):
                self._ctx.services.clock.stop()
                await control.wait_for_change()
                self._ctx.services.clock.resume()
                continue
            if not self._has("pending"):
                return
            if self._ctx.services.inbox.answer_now or self._ctx.has_used(1.0):
                for event in self._skip_all():
                    yield event
                return
            async for event in self._go_on():
                yield event

    async def _go_on(self) -> AsyncGenerator[RunEvent, None]:
        """What is lost is planned around or skipped; then the next steps run."""
        control = self._ctx.services.inbox.plan
        lost_to = {self._status(needed) for _step, needed in self._lost()}
        if "failed" in lost_to and not self._replanned:
            async for event in self._replan():
                yield event
        for event in self._skip_the_lost():
            yield event
        ready = self._ready()
        if not ready:
            return
        control.step_begins()
        if self._asks(ready[0]) and self._ctx.request.interactive:
            async for event in self._ask_before(ready[0]):
                yield event
            return
        if control.one_at_a_time:
            ready = ready[:1]
        async for event in self._with_loop(ready[0]) if ready[0].action == NO_TOOL else self._with_tools(ready):
            yield event

    def _has(self, *statuses: PlanStepStatus) -> bool:
        return any(step.status in statuses for step in self.plan.steps)

    # ------------------------------------------------------------ what the person says

    def _follow_orders(self) -> Iterator[RunEvent]:
        """Skip, retry with other arguments, or take a result that was put in by hand."""
        for order in self._ctx.services.inbox.plan.take_orders():
            step = self.plan.step(order.step)
            if step is None:
                continue
            if order.name == "skip" and step.status in ("pending", "failed"):
                yield self._set(step.step, "skipped", "skipped by the person")
            elif order.name == "result":
                self.results[step.step] = {"ok": True, "data": order.value, "summary": str(order.value)[:600]}
                self._ctx.add(UserTurn(prompts.result_by_hand(step.step, order.value)))
                if step.status == "skipped":
                    yield self._set(step.step, "pending")
                if step.status != "done":  # else nothing was skipped because of it
                    yield self._set(step.step, "running")
                    yield from self._revive(step.step, "done")
            elif order.name == "retry" and step.status in ("failed", "skipped", "pending"):
                if isinstance(order.value, Mapping):
                    self._change(step.step, **_with_params(step, order.value))
                yield from self._revive(step.step, "pending")
                if isinstance(order.value, Mapping):
                    yield shown(self.plan)

    def _revive(self, number: int, status: PlanStepStatus) -> Iterator[RunEvent]:
        """The step, and with it those that were skipped because of it."""
        if self._status(number) != status:
            yield self._set(number, status)
        for step in self.plan.steps:
            if step.status == "skipped" and number in step.needs:
                yield from self._revive(step.step, "pending")

    def _change(self, number: int, **fields: Any) -> None:
        steps = tuple(replace(s, **fields) if s.step == number else s for s in self.plan.steps)
        self.plan = replace(self.plan, steps=steps, version=self.plan.version + 1)

    async def _ask_before(self, step: PlanStep) -> AsyncGenerator[RunEvent, None]:
        """A step marked "ask me first"; whatever is allowed, it then passes the gate like any other."""
        ctx = self._ctx
        id = next(ctx.services.ids)
        rule, choices = f"step {step.step} asks first", ("once", "deny")
        args, tool = self._resolved(step), ctx.services.tools.get(step.action)
        careful = ""
        if tool is not None and not tool.check(args):
            careful = await asyncio.to_thread(caution_of, Subject.read(tool, args), frozenset(ctx.state.hosts))
        yield Approval(id, "", step.action, args, rule, choices, until=waits_until(ctx), careful=careful)
        answer = await approval_of(ctx, id)
        yield ApprovalAnswer(id, answer["choice"], answer.get("reason") or None)
        edited = answer.get("args")
        self._approved.add(step.step)
        if edited is not None:
            self._change(step.step, **_with_params(step, edited))
            yield shown(self.plan)
        if answer["choice"] == "deny":
            self._approved.discard(step.step)
            yield self._set(step.step, "skipped", answer.get("reason") or "not wanted")

    def _resolved(self, step: PlanStep) -> dict[str, Any]:
        """The arguments as they would run now; as they stand, where a reference leads nowhere."""
        try:
            return dict(resolve(dict(step.params), self.results))
        except LookupError:
            return dict(step.params)

    # ------------------------------------------------------------ what can run

    def _ready(self) -> list[PlanStep]:
        """What can run now: one step, or several whose tools only read."""
        met = [s for s in self.plan.steps if s.status == "pending" and self._needs_are(s, "done")]
        if not met or met[0].ask or met[0].action == NO_TOOL or not self._only_reads(met[0]):
            return met[:1]
        return [s for s in met if s.action != NO_TOOL and self._only_reads(s) and not s.ask]

    def _asks(self, step: PlanStep) -> bool:
        return step.ask and step.step not in self._approved

    def _only_reads(self, step: PlanStep) -> bool:
        tool = self._ctx.services.tools.get(step.action)
        return tool is not None and tool.read_only and not tool.exclusive

    def _needs_are(self, step: PlanStep, status: PlanStepStatus) -> bool:
        needed = [self.plan.step(number) for number in step.needs]
        return all(other is not None and other.status == status for other in needed)

    def _lost(self) -> list[tuple[PlanStep, int]]:
        """Pending steps that need one that failed or was skipped, with that one's number."""
        dead = {s.step for s in self.plan.steps if s.status in ("failed", "skipped")}
        return [(s, min(dead & set(s.needs))) for s in self.plan.steps if s.status == "pending" and dead & set(s.needs)]

    def _status(self, number: int) -> str:
        step = self.plan.step(number)
        return step.status if step else ""

    def _skip_the_lost(self) -> Iterator[RunEvent]:
        while lost := self._lost():
            for step, needed in lost:
                words = N_("needs the result of step {n}")
                yield self._set(step.step, "skipped", say_in(self._ctx.request.language, words, n=needed))

    async def _replan(self) -> AsyncGenerator[RunEvent, None]:
        """Once in a run: the rest, another way. What was still to do is given up for it, unless the person keeps it."""
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
            yield shown(planning.plan)
            review = PlanReview(ctx, planning.plan, after=given_up)
            async for event in review.events():
                yield event
            if review.is_kept:
                self.plan = replace(self.plan, version=review.plan.version + 1)
                yield shown(self.plan)
            else:
                self.plan = review.plan
                yield Notice("replanned", "the rest of the plan was made anew")
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
        self._approved -= {step.step for step in steps}
        for step in steps:
            yield self._set(step.step, "running")
            try:
                args = resolve(dict(step.params), self.results)
            except LookupError as error:
                yield self._set(step.step, "failed", str(error.args[0]))
                continue
            call = CallTurn(next(ctx.services.ids), step.action, canonical_args(args), args)
            calls[call.id] = step
            turns.append(call)
        if not turns:
            return
        ctx.add(AssistantTurn(calls=tuple(turns)))
        plan_steps = {id: step.step for id, step in calls.items()}
        batch = Batch(ctx, turns, hooks=ctx.services.hooks, dialect="plan", plan_steps=plan_steps)
        async for event in batch.events():
            yield event
        for understood in understood_of_calls(ctx):
            yield understood
        for id, step in calls.items():
            result = batch.result_of(id)
            if result.ok:  # the error of a step that failed is no value for another one
                self.results[step.step] = result.to_json()
            failure = result.error.message if result.error else ""
            yield self._set(step.step, "done" if result.ok else "failed", failure)

    async def _with_loop(self, step: PlanStep) -> AsyncGenerator[RunEvent, None]:
        self._approved.discard(step.step)
        yield self._set(step.step, "running")
        self._ctx.state.failures_in_a_row = 0  # of other steps
        nudge = prompts.plan_step_nudge(self.plan, step.step)
        loop = Loop(self._ctx, limit=self._ctx.request.profile.max_steps, nudge=nudge)
        try:
            async for event in loop.events():
                yield event
        except EmptyAnswer as error:
            yield self._set(step.step, "failed", error.message)
            return
        except DamagedStream as error:
            yield self._set(step.step, "failed", error.message)
            for event in self._skip_all():
                yield event
            raise
        self.results[step.step] = {"ok": True, "data": loop.answer, "summary": loop.answer[:600]}
        yield self._set(step.step, "done")


def _with_params(step: PlanStep, params: Mapping[str, Any]) -> dict[str, Any]:
    """Other arguments, and the steps they need in place of those the old ones needed.

    A reference to itself or a later step is no need: it leads nowhere when its turn comes.
    """
    needs = set(step.needs) - set(references(dict(step.params)))
    new = {number for number in references(dict(params)) if 0 < number < step.step}
    return {"params": dict(params), "needs": tuple(sorted(needs | new))}
