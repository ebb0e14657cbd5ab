"""ReAct: think, call tools, look at what they return, until the model answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.core.run.events import RunEvent

from ..context import RunContext
from ..request import prompts
from .base import Mode
from .intent import intent_of
from .loop import Loop


async def react(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    for event in ctx.enter("understanding", intent_of(ctx.request.query, ctx.request.mode_words)):
        yield event
    orders = [order for order in ctx.request.lessons.sequences if all(name in ctx.services.tools for name in order)]
    opening = prompts.tool_hint(orders) if orders and not ctx.state.returned else ""
    loop = Loop(
        ctx,
        limit=ctx.request.profile.max_steps,
        nudge=ctx.state.resumed.nudge,
        rounds=ctx.state.resumed.rounds,
        opening=opening,
    )
    async for event in loop.events():
        yield event
    ctx.conclude(loop.answer, loop.stop_reason, needs_clarification=loop.stop_reason == "clarification")


REACT = Mode("react", react)
