"""The model of a run for a tool that writes (core/tools/text_model.py): one text on one request, without tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.core.errors import ModelError, ToolError
from app.core.run.chat_model import (
    AssistantTurn,
    Finished,
    ModelRequest,
    ReasoningDelta,
    SystemTurn,
    TextDelta,
    Turn,
    Usage,
    UserTurn,
)
from app.core.run.events import RunEvent, Thinking
from app.core.run.plan import PLAN_AT_WORK
from app.core.text.i18n import N_
from app.core.tools.text_model import TEXT_MODEL
from app.core.tools.tool import AskPerson, Tool, ToolContext

from ..context import RunContext
from ..request.continuation import Continuation
from ..request.model_request import ask
from ..request.prompts import GO_ON

MOST_PARTS = 6
"""Messages one text may take, where the model's own limit cuts it."""
_WAITS = (1.0, 3.0, 8.0)


def offered(
    tool: Tool, call: str, ctx: RunContext, tell: Callable[[RunEvent], None], ask_person: AskPerson
) -> ToolContext:
    """What a call may use; the model too, where its tool declares that it writes."""
    has_model = tool.asks_model and bool(ctx.services.model.ref)  # a tool called by hand has none
    resources: dict[str, Any] = {TEXT_MODEL: RunTextModel(ctx, tell)} if has_model else {}
    if ctx.state.plan is not None:
        resources[PLAN_AT_WORK] = ctx.state.plan
    seams = ctx.tool_context()
    leave = partial(ctx.state.left.__setitem__, call)
    return replace(seams, call=call, ask=ask_person, tell=tell, leave=leave, resources={**seams.resources, **resources})


@dataclass
class RunTextModel:
    ctx: RunContext
    tell: Callable[[RunEvent], Any]

    async def __call__(self, rules: str, request: str, images: Sequence[str] = ()) -> AsyncIterator[str]:
        if self.ctx.traits.reads_everything:
            raise ToolError("NO_MODEL", N_("this needs a language model"),
                            hint=N_("set one up in the settings, or choose it above"))  # fmt: skip
        if images and not self.ctx.traits.vision:
            raise self._blind()
        text = ""
        for _part in range(MOST_PARTS):
            if self.ctx.has_used(1.0):
                raise ToolError("BUDGET", N_("the budget is used up"))
            turns: list[Turn] = [SystemTurn(rules), UserTurn(request, tuple(images))]
            if text:
                turns += [AssistantTurn(text), UserTurn(GO_ON)]
            answer = _Answer(text)
            async with aclosing(self._asked(answer, turns)) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    text += piece
                    yield piece
            if images and "images_left_out" in answer.notices:
                raise self._blind()
            if not answer.is_cut:
                return

    def _blind(self) -> ToolError:
        hint = N_("choose a model that sees pictures above the message, or type the text")
        values = {"model": self.ctx.services.model.ref}
        return ToolError("NO_VISION", N_("{model} does not see pictures"), values=values, hint=hint)

    async def _asked(self, answer: _Answer, turns: list[Turn]) -> AsyncIterator[str]:
        """One message; tried again while nothing of it has come."""
        waits = list(_WAITS[: self.ctx.request.profile.max_retries])
        while True:
            try:
                async for piece in self._streamed(answer, turns):
                    yield piece
                return
            except ModelError as error:
                if answer.has_come or not error.retryable or not waits:
                    raise ToolError("UPSTREAM", error.message, retryable=error.retryable) from error
                await self.ctx.services.clock.sleep(waits.pop(0))

    async def _streamed(self, answer: _Answer, turns: list[Turn]) -> AsyncIterator[str]:
        ctx = self.ctx
        profile = ctx.request.profile
        request = ModelRequest(
            turns=turns, temperature=profile.temperature, top_p=profile.top_p, effort=profile.reasoning_effort,
            max_output_tokens=profile.max_output_tokens, purpose="answer", goes_on=bool(answer.before),
        )  # fmt: skip
        seam = Continuation(answer.before)
        finished: Finished | None = None
        characters = 0
        try:
            async with aclosing(ask(ctx, request)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, TextDelta) and (fresh := seam.feed(chunk.text)):
                        answer.has_come = True
                        characters += len(fresh)
                        yield fresh
                    elif isinstance(chunk, ReasoningDelta):
                        self.tell(Thinking(ctx.state.step, chunk.text))
                    elif isinstance(chunk, Finished):
                        finished = chunk
            if rest := seam.finish():
                answer.has_come = True
                yield rest
        finally:
            sent = sum(len(getattr(turn, "text", "")) for turn in turns)
            usage = finished.usage if finished is not None else None
            ctx.book(usage or Usage(sent // 4, characters // 4, 0, 0, exact=False))
        if finished is None:
            raise ToolError("UPSTREAM", N_("the model stopped without finishing"), retryable=True)
        if finished.finish == "content_filter":
            raise ToolError("UPSTREAM", N_("the provider withheld the rest of this text"))
        answer.is_cut = finished.finish == "length"
        answer.notices = finished.notices


@dataclass
class _Answer:
    before: str
    has_come: bool = False
    is_cut: bool = False
    notices: tuple[str, ...] = ()
