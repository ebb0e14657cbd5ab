"""Direct: one streamed answer, no tools, no rounds.

Falls back to ReAct, and reports it, if the request fails because of its form before the first visible character, or
if the answer is empty. The fallback gives no permission. After any other error (dead service, no credit, filter) a
second request would fail the same way, so there is no fallback.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from app.core.errors import ModelError, RequestRefused, ToolUseFailed
from app.core.run.events import Notice, RunEvent

from ..context import RunContext
from ..step import ModelStep, end_step, without_calls
from .base import Mode
from .loop import EmptyAnswer, keep_budget, speaking
from .react import react

FORM_REFUSED = (400, 415, 422)
"""The HTTP statuses by which a server says that it does not take a request of this form."""


async def direct(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    async for event in keep_budget(ctx):
        yield event
    for event in ctx.enter("answering"):
        yield event
    step = ModelStep(ctx, limit=1, schema=ctx.request.profile.output_schema)
    failure: ModelError | None = None
    try:
        async for event in speaking(ctx, step):
            yield event
        for event in end_step(ctx):
            yield event
        if not step.message.text.strip() and step.finished and step.finished.finish != "content_filter":
            failure = EmptyAnswer("the model returned nothing")
    except ModelError as error:
        if ctx.state.shown or not ctx.request.direct_fallback or not _is_about_form(error):
            raise
        failure = error
    if failure is None:
        _conclude(ctx, step)
        return
    if not ctx.request.direct_fallback:
        raise failure
    for event in end_step(ctx):
        yield event
    yield Notice("direct_fallback", f"Direct failed ({failure.code}); ReAct takes over", {"code": failure.code})
    async for event in react(ctx):
        yield event


def _is_about_form(error: ModelError) -> bool:
    return isinstance(error, ToolUseFailed) or (isinstance(error, RequestRefused) and error.status in FORM_REFUSED)


def _conclude(ctx: RunContext, step: ModelStep) -> None:
    message = without_calls(step.message)
    ctx.add(message)
    finish = step.finished.finish if step.finished else "stop"
    reasons = {"length": "cut", "content_filter": "filtered"}
    ctx.conclude(message.text, reasons.get(finish, "answered"))  # type: ignore[arg-type]


DIRECT = Mode("direct", direct)
