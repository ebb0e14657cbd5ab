"""One step: one request to the model, retried while nothing of it was shown, and its message.

The tool calls it asks for are left to the executor. Deltas go up as they come; the decision
what the message was is taken when it is whole.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Literal

from app.core.errors import (
    ContextOverflow,
    IncompleteStream,
    ModelError,
    NetworkFailed,
    NotAStream,
    QuestionTooLong,
    RateLimited,
    ToolUseFailed,
)
from app.core.run.chat_model import (
    Alive,
    AssistantTurn,
    CallDelta,
    Finished,
    ModelRequest,
    ReasoningDelta,
    Reclassified,
    SlotsUnderstood,
    TextDelta,
    ToolSpec,
    Turn,
    Usage,
    UserTurn,
)
from app.core.run.events import (
    Discard,
    Notice,
    Reclassify,
    Retry,
    RunEvent,
    Steered,
    StepEnd,
    StepStart,
    Thinking,
    Token,
    Understood,
)

from .context import RunContext
from .request import final_answer, prompts
from .request.compaction import compact, longest_question, size_of
from .request.continuation import Continuation
from .request.history import repair
from .request.model_request import ask

Purpose = Literal["step", "plan", "answer", "summary", "title"]
LONGEST_WAIT = 60.0
"""Seconds; a provider that wants more is not waited for."""
MOST_UNREADABLE = 2
"""Times a call that the provider could not read is asked for once more."""
MUST_SHRINK = 0.9
"""Share of a request that was too long beyond which another attempt is no use."""
FIRST_WAIT = 1.0
LAST_WAIT = 8.0
PLANNING_TEMPERATURE = 0.3
TEMPERATURE = 0.7
_TOLD: Mapping[str, str] = {
    "dialect_changed": "the model takes no tools the usual way; they are described in the text from here on",
    "tools_unsupported": "the model takes no tools; it answers without them",
    "images_left_out": "the model sees no images; they were not sent",
    "markup_suppressed": "the model wrote a call although no tools were offered; it was left out",
    "reasoning_cut": "the thinking was longer than the safety limit and was cut",
    "offline_rules": "answered by the offline rules, without a model",
}
"""What a model's reader tells by a code, in plain English."""


class ModelStep:
    """Ask the model once. Afterwards `message` is what it said and `finished` how that ended."""

    def __init__(
        self,
        ctx: RunContext,
        *,
        tools: Sequence[ToolSpec] = (),
        nudge: str = "",
        purpose: Purpose = "step",
        limit: int = 0,
        hidden: bool = False,
        held: bool = False,
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        """`limit`: the number of the last request this one may be followed by.

        `hidden`: the text is thinking, not an answer. `held`: it is not told at all; whoever asked
        reads it first. `schema`: what the answer is asked to look like, where the model can.
        """
        self._ctx, self._nudge, self._purpose = ctx, nudge, purpose
        self._held, self._schema = held, schema
        self._final: tuple[ToolSpec, ...] = ()
        """The answer by schema as a tool, where the model wants it so."""
        if ctx.traits.final_answer and (schema is not None or (tools and purpose == "step")):
            self._final = final_answer.offered(schema or ctx.request.profile.output_schema, tools)
        self._must_answer = schema is not None and bool(self._final)
        self._tools, self._limit, self._hidden = (*tools, *self._final), limit or ctx.request.profile.max_steps, hidden
        self.finished: Finished | None = None
        self._seen = False
        """Something visible of this step was shown: from here on nothing is retried."""
        self._thought_before = 0
        self._before = ""
        """What there is already of the answer this request continues with."""
        self._unreadable = ""
        """A call that nobody could read, for the model to write again."""
        self._said = False
        """This attempt has sent text or thinking, which a retry takes back."""

    @property
    def message(self) -> AssistantTurn:
        assert self.finished is not None, "asked before the step has ended"
        return self.finished.turn

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        for event in self._take_what_was_said():
            yield event
        async for event in compact(ctx):
            yield event
        ctx.state.step += 1
        ctx.state.shown = []
        self._thought_before = len(ctx.state.thinking)
        yield StepStart(ctx.state.step, max(self._limit, ctx.state.step), len(self._tools))
        ctx.state.open_step = StepEnd(ctx.state.step, "interrupted", Usage(exact=False), 0)
        for event in self._say_again():
            yield event
        attempt = 0
        while self.finished is None:
            try:
                async with aclosing(self._stream()) as stream:
                    async for event in stream:
                        yield event
            except ContextOverflow as error:
                if self._seen:
                    raise
                before = size_of(ctx.state.turns)
                async for event in compact(ctx, force=True):
                    yield event
                # Nobody tells us the limit: halved until it fits, or until there is nothing left to leave out.
                if size_of(ctx.state.turns) > before * MUST_SHRINK:
                    if length := longest_question(ctx.state.turns):
                        raise QuestionTooLong(error.message, status=error.status, length=f"{length:,}") from error
                    raise
            except ModelError as error:
                attempt += 1
                if isinstance(error, ToolUseFailed):
                    self._unreadable = error.text or error.message
                wait = self._wait_before(attempt, error)
                if wait is None:
                    error.partial = "".join(ctx.state.shown)
                    raise
                if self._said:
                    del ctx.state.thinking[self._thought_before :]
                    yield Discard(ctx.state.step)
                    for event in self._say_again():
                        yield event
                yield Retry(attempt, wait, error.code, error.message[:300])
                await self._pause(wait)
        for event in self._close():
            yield event

    def _take_what_was_said(self) -> Iterator[RunEvent]:
        """The person has steered: a user turn of its own, behind the newest results."""
        if self._ctx.request.is_inner:
            return
        said, self._ctx.services.inbox.said = self._ctx.services.inbox.said, []
        for text in said:
            self._ctx.add(UserTurn(text))
            self._ctx.state.taint.own_words.append(text)
            yield Steered(self._ctx.state.step + 1, text)

    async def _pause(self, wait: float) -> None:
        """Until the next attempt is due, or wanted at once."""
        hurry = self._ctx.services.inbox.hurry
        hurry.clear()
        waiting = [asyncio.ensure_future(self._ctx.services.clock.sleep(wait)), asyncio.ensure_future(hurry.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()

    def _say_again(self) -> Iterator[RunEvent]:
        """An answer that was cut off begins with what there is of it."""
        ctx = self._ctx
        if self._hidden or self._held:
            return
        self._before, ctx.state.resumed.partial = self._before or ctx.state.resumed.partial, ""
        if self._before:
            ctx.state.shown = [self._before]
            yield Token(ctx.state.step, self._before)

    async def _stream(self) -> AsyncGenerator[RunEvent, None]:
        ctx, began = self._ctx, time.monotonic()
        step, hidden = ctx.state.step, self._hidden
        ttft: int | None = None
        ctx.state.asked_at = ctx.services.clock.elapsed()
        self._said = False
        seam = Continuation(self._before)
        async with aclosing(ask(ctx, self._request())) as chunks:
            async for chunk in chunks:
                if ttft is None and isinstance(chunk, TextDelta | ReasoningDelta):
                    ttft = int((time.monotonic() - began) * 1000)
                    self._said = True
                    ctx.state.open_step = StepEnd(step, "interrupted", Usage(exact=False), ttft, ttft)
                match chunk:
                    case TextDelta(text):
                        if hidden:
                            yield Thinking(step, text)
                        elif not self._held and (fresh := seam.feed(text)):
                            self._seen = True
                            ctx.state.shown.append(fresh)
                            yield Token(step, fresh)
                    case ReasoningDelta(text):
                        ctx.state.thinking.append(text)
                        yield Thinking(step, text)
                    case Reclassified(to):
                        if not hidden:
                            ctx.state.shown.clear()
                            yield Reclassify(step, to)
                    case SlotsUnderstood(slots, state):
                        ctx.state.model_reads_slots = True
                        if (slots, state) != (ctx.state.understood, ctx.state.reader_state):
                            ctx.state.understood, ctx.state.reader_state = slots, state
                            yield Understood(step, slots, state)
                    case Finished():
                        self.finished = chunk
                    case CallDelta() | Alive():
                        pass
        if self.finished is None:
            raise IncompleteStream("the model stopped without finishing")
        if rest := seam.finish():
            ctx.state.shown.append(rest)
            yield Token(step, rest)
        if self._before:
            self.finished = replace(self.finished, turn=replace(self.finished.turn, text="".join(ctx.state.shown)))
        finished = self.finished
        ctx.state.open_step = StepEnd(
            step,
            finished.raw_finish or finished.finish,
            finished.usage or self._estimated(finished.turn),
            int((time.monotonic() - began) * 1000),
            ttft,
            dict(finished.turn.echo) if finished.turn.echo else None,
        )

    def _close(self) -> Sequence[RunEvent]:
        """Book the step. Its StepEnd waits until its tools are done: see `end_step`."""
        ctx = self._ctx
        assert self.finished is not None, "closed once the message is whole"
        assert ctx.state.open_step is not None, "set when the stream ended"
        ctx.book(ctx.state.open_step.usage)
        said: list[RunEvent] = []
        if self._final:
            self.finished, answer = final_answer.taken(self.finished)
            if answer and not self._held and not self._hidden:
                ctx.state.shown.append(answer)
                said.append(Token(ctx.state.step, answer))
        ctx.state.trace.append(
            {"step": ctx.state.step, "finish": ctx.state.open_step.finish_reason, "ms": ctx.state.open_step.ms}
        )
        return [*said, *(Notice(code, _TOLD.get(code, "")) for code in self.finished.notices)]

    def _request(self) -> ModelRequest:
        ctx = self._ctx
        turns: list[Turn] = repair(ctx.state.turns)
        if self._before:
            turns += [AssistantTurn(self._before), UserTurn(prompts.GO_ON)]
        if self._nudge:
            turns.append(UserTurn(self._nudge))
        if self._unreadable:
            turns.append(UserTurn(prompts.call_unreadable(self._unreadable)))
        profile = ctx.request.profile
        usual = PLANNING_TEMPERATURE if self._purpose == "plan" else TEMPERATURE
        return ModelRequest(
            turns=turns,
            tools=self._tools,
            tool_choice="required" if self._must_answer and ctx.traits.tool_choice else "auto",
            temperature=profile.temperature if profile.temperature is not None else usual,
            top_p=profile.top_p,
            effort=profile.reasoning_effort,
            max_output_tokens=profile.max_output_tokens,
            response_schema=self._schema if ctx.traits.json_schema != "none" and not self._final else None,
            purpose=self._purpose,
            dialect=profile.dialect,
            goes_on=bool(self._before),
        )

    def _wait_before(self, attempt: int, error: ModelError) -> float | None:
        """Seconds before the next attempt; None: do not try again (README ruling 11)."""
        if (
            self._seen
            or not error.retryable
            or attempt > min(self._ctx.request.profile.max_retries, _most_retries(error))
        ):
            return None
        if isinstance(error, ToolUseFailed):
            return 0.0
        if isinstance(error, RateLimited) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= LONGEST_WAIT else None
        most = min(FIRST_WAIT * 2 ** (attempt - 1), LAST_WAIT)
        return round(self._ctx.services.rng.uniform(most / 2, most), 2)

    def _estimated(self, turn: AssistantTurn) -> Usage:
        """When the provider reports nothing: a quarter of the characters, and marked as a guess."""
        sent = sum(len(getattr(t, "text", "")) for t in self._ctx.state.turns)
        characters = len(turn.text) + len(turn.reasoning) + sum(len(c.args_text) for c in turn.calls)
        return Usage(sent // 4, characters // 4, len(turn.reasoning) // 4, 0, exact=False)


def _most_retries(error: ModelError) -> int:
    """How often it makes sense to try this again (the rows N of security-reliability.md b″)."""
    if isinstance(error, ToolUseFailed):
        return MOST_UNREADABLE
    if isinstance(error, NotAStream):
        return 1 if error.params.get("kind") == "empty" else 0  # a web page stays a web page
    if isinstance(error, NetworkFailed) and error.params.get("phase") == "refused":
        return 1  # a server that is not there does not come by waiting
    return sys.maxsize


def end_step(ctx: RunContext) -> Sequence[RunEvent]:
    """The StepEnd of the step that is going on, once its tools are done."""
    end, ctx.state.open_step = ctx.state.open_step, None
    return [end] if end is not None else []


def without_calls(turn: AssistantTurn) -> AssistantTurn:
    return replace(turn, calls=())
