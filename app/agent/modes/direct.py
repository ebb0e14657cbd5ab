"""Direct: one streamed answer, no tools, no rounds.

If it fails before its first visible character, and not because a key, a filter or the person
said no, ReAct takes over and says so. It gains no permission by that.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.core.errors import AccessRefused, ContentFiltered, KeyRefused, ModelError, QuotaUsedUp
from app.core.run.events import Notice, RunEvent

from ..context import RunContext
from ..step import Step, end_step, without_calls
from .base import Mode
from .loop import EmptyAnswer, keep_budget, speaking
from .react import react

FINAL_ERRORS = (KeyRefused, AccessRefused, QuotaUsedUp, ContentFiltered)


async def direct(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    async for event in keep_budget(ctx):
        yield event
    for event in ctx.enter("answering"):
        yield event
    step = Step(ctx, limit=1, schema=ctx.profile.output_schema)
    failure: ModelError | None = None
    try:
        async for event in speaking(ctx, step):
            yield event
        for event in end_step(ctx):
            yield event
        if not step.message.text.strip() and step.finished and step.finished.finish != "content_filter":
            failure = EmptyAnswer("the model returned nothing")
    except FINAL_ERRORS:
        raise
    except ModelError as error:
        if ctx.shown or not ctx.direct_fallback:
            raise
        failure = error
    if failure is None:
        _conclude(ctx, step)
        return
    if not ctx.direct_fallback:
        raise failure
    for event in end_step(ctx):
        yield event
    yield Notice("direct_fallback", f"Direct failed ({failure.code}); ReAct takes over", {"code": failure.code})
    async for event in react(ctx):
        yield event


def _conclude(ctx: RunContext, step: Step) -> None:
    message = without_calls(step.message)
    ctx.add(message)
    finish = step.finished.finish if step.finished else "stop"
    reasons = {"length": "cut", "content_filter": "filtered"}
    ctx.conclude(message.text, reasons.get(finish, "answered"))  # type: ignore[arg-type]


DIRECT = Mode("direct", direct)
