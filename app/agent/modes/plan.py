"""Plan: write a plan, show it, work it off, answer from the results.

The plan is always shown. It waits for the person when the profile says so (README ruling 12);
what they send back is the plan. Approving it gives no permission: each step passes the gate.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence

from app.core.errors import NoPlan
from app.core.run.events import Notice, RunEvent
from app.core.run.past_plan import PastPlan
from app.core.run.plan import Plan

from ..context import RunContext
from ..request import prompts
from .base import Mode
from .intent import intent_of
from .loop import Loop, keep_budget
from .planning import Planning
from .react import react
from .review import PlanReview, shown
from .working import Work


async def plan(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    if ctx.state.resumed.plan is not None:
        yield shown(ctx.state.resumed.plan)
        review = PlanReview(ctx, ctx.state.resumed.plan)
        if not ctx.state.resumed.is_reviewed:
            async for event in review.events():
                yield event
        async for event in _work_off(ctx, review.plan):
            yield event
        return
    async for event in keep_budget(ctx):
        yield event
    if ctx.services.spending.is_used_up:  # by earlier runs: what is left is one answer, and no plan
        async for event in react(ctx):
            yield event
        return
    for event in (
        *ctx.enter("understanding", intent_of(ctx.request.query, ctx.request.mode_words)),
        *ctx.enter("planning"),
    ):
        yield event
    planning = Planning(ctx)
    async for event in planning.events():
        yield event
    if planning.plan is None and ctx.request.plan_only:
        raise NoPlan("; ".join(planning.faults) or "the model wrote no usable plan")
    if planning.plan is None:
        yield Notice("plan_fallback", "no usable plan; ReAct takes over", {"faults": list(planning.faults)})
        async for event in react(ctx):
            yield event
        return
    new_plan = planning.plan
    if based_on := ctx.request.lessons.plans:
        yield _based_on(based_on)
    for event in ctx.enter("decomposing", new_plan.goal):
        yield event
    yield shown(new_plan)
    if ctx.request.plan_only:
        ctx.conclude(plan_text(new_plan), "plan_only")
        return
    review = PlanReview(ctx, new_plan)
    async for event in review.events():
        yield event
    async for event in _work_off(ctx, review.plan):
        yield event


async def _work_off(ctx: RunContext, made: Plan) -> AsyncGenerator[RunEvent, None]:
    for event in ctx.enter("executing"):
        yield event
    work = Work(ctx, made)
    async for event in work.events():
        yield event
    for event in ctx.enter("answering"):
        yield event
    answer = Loop(ctx, limit=1, nudge=prompts.plan_answer(work.plan), purpose="answer", closing=True)
    async for event in answer.events():
        yield event
    ctx.conclude(answer.answer, "budget" if ctx.services.spending.is_used_up else answer.stop_reason)


def _based_on(plans: Sequence[PastPlan]) -> Notice:
    queries = [one.query[:80] for one in plans]
    params = {"n": len(plans), "queries": "; ".join(queries), "runs": [one.run for one in plans]}
    return Notice("plan_based_on", f"based on {len(plans)} earlier plans: {'; '.join(queries)}", params)


def plan_text(made: Plan) -> str:
    """The plan as JSON, the form `--plan-only` prints."""
    return json.dumps(made.to_json(), ensure_ascii=False, indent=2)


PLAN = Mode("plan", plan)
