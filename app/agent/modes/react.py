"""ReAct: think, call tools, look at what they return, until the model answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.core.run.events import RunEvent

from ..context import RunContext
from ..request import prompts
from .base import Mode
from .handed_plan import carry_out
from .intent import intent_of
from .loop import Loop
from .review import shown


async def react(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    for event in ctx.enter("understanding", intent_of(ctx.request.query, ctx.request.mode_words)):
        yield event
    plan = ctx.state.resumed.plan
    if plan is not None and not ctx.state.resumed.nudge and any(step.status == "pending" for step in plan.steps):
        yield shown(plan)
        async for event in carry_out(ctx, plan, is_reviewed=ctx.state.resumed.is_reviewed):
            yield event
        return
    orders = [order for order in ctx.request.lessons.sequences if all(name in ctx.services.tools for name in order)]
    opening = prompts.tool_hint(orders) if orders and not ctx.state.returned else ""
    loop = Loop(
        ctx,
        limit=ctx.request.profile.max_steps,
        nudge=ctx.state.resumed.nudge,
        rounds=ctx.state.resumed.rounds,
        opening=opening,
        takes_plan=True,
    )
    async for event in loop.events():
        yield event
    if loop.plan is not None:
        async for event in carry_out(ctx, loop.plan):
            yield event
        return
    ctx.conclude(loop.answer, loop.stop_reason, needs_clarification=loop.stop_reason == "clarification")


REACT = Mode("react", react)
