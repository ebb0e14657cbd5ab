"""A plan that a tool has handed in: it waits for the person where the profile says so, then its steps run.

No model is asked for the plan or for an answer about it: what the steps return is the answer.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.core.run.events import RunEvent
from app.core.run.plan import Plan

from ..context import RunContext
from .review import PlanReview
from .working import Work


async def carry_out(ctx: RunContext, plan: Plan, *, is_reviewed: bool = False) -> AsyncGenerator[RunEvent, None]:
    """After the plan was shown; `is_reviewed`: an earlier run has begun with it."""
    review = PlanReview(ctx, plan)
    if not is_reviewed:
        async for event in review.events():
            yield event
    for event in ctx.enter("executing", again=True):
        yield event
    work = Work(ctx, review.plan, replans=False)
    async for event in work.events():
        yield event
    ctx.conclude(_answer(work), "budget" if ctx.services.spending.is_used_up else "answered")


def _answer(work: Work) -> str:
    """What the last step says that was done, and why others were not."""
    done = [step for step in work.plan.steps if step.status == "done"]
    summary = str(work.results.get(done[-1].step, {}).get("summary", "")) if done else ""
    failures = [f"{step.step}. {step.description}: {step.error}" for step in work.plan.steps if step.status == "failed"]
    return "\n".join(filter(None, (summary, *failures))) or work.plan.goal
