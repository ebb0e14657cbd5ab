"""Pipelines: the answer of one agent handed to the next (`then`), in the same run.

The first agent's result is shown – as a plan, if it is one – and may be edited before the second
begins, where the profile wants it. The second sees the question and that result; what the first is
expressly denied, or has to ask for, the second is too.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.core.errors import DamagedStream
from app.core.profile import AgentProfile
from app.core.run.chat_model import ChatModel, SystemTurn, UserTurn
from app.core.run.events import Notice, PlanMade, PlanStepChanged, RunEvent, SubRun
from app.core.run.plan import PlanFaults, read_plan
from app.core.tools.tool import Tool

from ..context import RunContext
from ..policy.hooks import Hooks
from ..policy.permission import Permissions
from ..policy.privacy import Privacy
from ..request import prompts
from .loop import Loop


@dataclass(frozen=True, slots=True)
class NextAgent:
    """The second agent, ready to run."""

    profile: AgentProfile
    model: ChatModel
    tools: Mapping[str, Tool]
    system: str
    permissions: Permissions
    hooks: Hooks = field(default_factory=Hooks)
    privacy: Privacy = field(default_factory=Privacy)
    notices: Sequence[Notice] = ()


async def pipeline(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    """After the first agent has concluded; does nothing where there is no second."""
    next_id, end = ctx.request.profile.then, ctx.state.conclusion
    if not next_id or end is None or ctx.services.get_next is None or end.stop_reason in ("clarification", "plan_only"):
        return
    result = end.answer if ctx.state.structured is None else json.dumps(ctx.state.structured, ensure_ascii=False)
    plan_text = _as_plan(ctx.state.structured)
    if plan_text is not None:
        yield plan_text
    following = await ctx.services.get_next(next_id)
    yield SubRun(ctx.request.run_id, next_id)
    for notice in following.notices:
        if notice not in ctx.request.notices:
            yield notice
    services = ctx.services
    ctx.request = replace(ctx.request, profile=following.profile)
    services.model, services.tools = following.model, following.tools
    services.permissions = replace(following.permissions, ceiling=services.permissions)
    services.hooks, services.privacy = following.hooks, services.privacy.then(following.privacy)
    ctx.state.turns[:] = [SystemTurn(following.system), UserTurn(prompts.handed_over(ctx.request.query, result))]
    ctx.state.structured = ctx.state.structured_error = None
    for event in ctx.enter("executing", next_id, again=True):
        yield event
    steps = [step.step for step in plan_text.steps] if plan_text is not None else []
    for step in steps:
        yield PlanStepChanged(step, "running")
    loop = Loop(ctx, limit=following.profile.max_steps)
    try:
        async for event in loop.events():
            yield event
    except DamagedStream as error:
        for step in steps:
            yield PlanStepChanged(step, "failed", error.message)
        raise
    for step in steps:
        yield PlanStepChanged(step, "done")
    ctx.conclude(loop.answer, loop.stop_reason)


def _as_plan(value: object) -> PlanMade | None:
    try:
        plan = read_plan(value, ())
    except PlanFaults:
        return None
    return PlanMade(plan.goal, plan.steps, plan.version)
