"""An answer that is meant for a tool: the JSON a model ends with is handed in as a call, through the same gate.

A domain reads the answer (`Domain.hand_in`). What is wrong with its form is named once and asked for again; what the
tool refuses, once more, with the reasons. What still does not pass is said in a sentence. The JSON, and what is wrong
with it, stand among the thoughts of its steps.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from app.core.domain import HandIn
from app.core.run.chat_model import AssistantTurn, CallTurn
from app.core.run.events import Reclassify, RunEvent, Thinking
from app.core.text.i18n import N_, say_in
from app.core.tools.tool import ToolResult, canonical_args

from ..context import RunContext
from ..step import ModelStep, end_step, without_calls
from ..tools.executor import Batch
from .loop import keep_budget, speaking

NOT_WHOLE = N_(
    "What the model handed in was not complete, not even when it was asked again. Nothing is kept. Ask once more, or"
    " choose another model."
)
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
    yield _aside(ctx)
    if draft.faults:
        retry = _Retry(ctx, form_repair(draft.faults))
        async for event in retry.events():
            yield event
        again = read(retry.text)
        if again is not None:
            yield _aside(ctx)
        if again is None or again.faults:
            listed = "\n".join(f"- {fault}" for fault in (again or draft).faults)
            yield Thinking(ctx.state.step, f"\n\n{listed}")
            ctx.conclude(say_in(ctx.request.language, NOT_WHOLE), end.stop_reason)
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
        if revised is not None:
            yield _aside(ctx)
        if revised is not None and not revised.faults and revised.args != draft.args:  # the same would fail the same
            call = _Call(ctx, revised)
            async for event in call.events():
                yield event
    failure = call.result.error
    ctx.conclude(call.result.summary if failure is None else failure.message, end.stop_reason)


def _aside(ctx: RunContext) -> RunEvent:
    """The JSON of the step that just ended is for the program, not for reading."""
    return Reclassify(ctx.state.step, "thinking")


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
