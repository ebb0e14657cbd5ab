"""An answer that is meant for a tool: the JSON a model ends with is handed in as a call, through the same gate.

A domain reads the answer (`Domain.hand_in`). What is wrong with its form is named once and asked for again; what the
tool refuses, once more, with the reasons. What still does not pass stays as text, with what was found.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from app.core.domain import HandIn
from app.core.run.chat_model import AssistantTurn, CallTurn
from app.core.run.events import RunEvent
from app.core.tools.tool import ToolResult, canonical_args

from ..context import RunContext
from ..step import ModelStep, end_step, without_calls
from ..tools.executor import Batch
from .loop import keep_budget, speaking

DIALECT = "answer"
"""Of the call: it is in the text of the answer."""


async def hand_in(ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
    """After a mode has concluded; does nothing where the answer is meant for no tool."""
    read, end = ctx.services.hand_in, ctx.state.conclusion
    if read is None or end is None or end.stop_reason in ("clarification", "plan_only", "filtered"):
        return
    draft = read(end.answer)
    if draft is None:
        return
    if draft.faults:
        retry = _Retry(ctx, form_repair(draft.faults))
        async for event in retry.events():
            yield event
        again = read(retry.text)
        if again is None or again.faults:
            listed = "\n".join(f"- {fault}" for fault in (again or draft).faults)
            ctx.conclude(f"{end.answer}\n\n{listed}", end.stop_reason)
            return
        draft = again
    call = _Call(ctx, draft)
    async for event in call.events():
        yield event
    if not call.result.ok and call.result.error is not None and call.result.error.code != "DENIED":
        error = call.result.error
        retry = _Retry(ctx, revision(error.message, error.hint))
        async for event in retry.events():
            yield event
        revised = read(retry.text)
        if revised is not None and not revised.faults:
            call = _Call(ctx, revised)
            async for event in call.events():
                yield event
    result = call.result
    error_text = f"{result.error.message}\n{result.error.hint}".strip() if result.error is not None else ""
    ctx.conclude(result.summary if result.ok else error_text, end.stop_reason)


def form_repair(faults: Sequence[str]) -> str:
    listed = "\n".join(f"- {fault}" for fault in faults)
    return f"What is wrong with your JSON:\n{listed}\nReturn the whole corrected JSON, nothing else."


def revision(message: str, hint: str) -> str:
    return (
        f"It was refused and not kept:\n{message}\n{hint}\n"
        "Change what was named so that none of it is left, and return the whole JSON again, nothing else."
    )


class _Retry:
    """One request without tools; `text` is what came."""

    def __init__(self, ctx: RunContext, nudge: str) -> None:
        self._ctx, self._nudge, self.text = ctx, nudge, ""

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        async for event in keep_budget(self._ctx):
            yield event
        step = ModelStep(self._ctx, nudge=self._nudge, purpose="answer")
        async for event in speaking(self._ctx, step):
            yield event
        for event in end_step(self._ctx):
            yield event
        self.text = step.message.text
        self._ctx.add(without_calls(step.message) if self.text else AssistantTurn("(nothing)"))


class _Call:
    def __init__(self, ctx: RunContext, found: HandIn) -> None:
        self._ctx, self._found = ctx, found
        self.result: ToolResult
        """Set once `events` has ended."""

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        args = dict(self._found.args)
        call = CallTurn(next(self._ctx.services.ids), self._found.tool, canonical_args(args), args)
        batch = Batch(self._ctx, [call], hooks=self._ctx.services.hooks, dialect=DIALECT)
        async for event in batch.events():
            yield event
        self.result = batch.result_of(call.id)
