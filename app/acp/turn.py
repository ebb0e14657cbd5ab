"""One question to an agent of another program: what it sends becomes events of the run, in the order it came.

What it asks for is answered beside that (`requests`). The run's limits hold; a run that is stopped stops the agent, and
an agent that does not stop is ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from app.agent.context import RunContext
from app.agent.policy.taint import Taint
from app.core.domain import Restoring
from app.core.run.chat_model import Usage, UserTurn
from app.core.run.event_line import EVENT_TYPES
from app.core.run.event_values import StopReason
from app.core.run.events import (
    LoopEnd,
    LoopError,
    Notice,
    PlanMade,
    RunEvent,
    StepEnd,
    StepStart,
    Thinking,
    Token,
)
from app.core.run.plan import NO_TOOL, PlanStep, PlanStepStatus

from .calls import OwnCalls, text_of
from .launch import failed
from .link import AgentLink
from .requests import AgentRequest, Requests, chosen
from .terminals import Terminals
from .tools import ALL, TERMINALS

MOST_WAITING: Final = 256
"""Messages that have been read and not shown."""
MOST_SENT: Final = 8_000_000
"""Characters of one answer, thoughts and calls included; each message counts for MESSAGE at least."""
MESSAGE: Final = 16
MOST_STEPS: Final = 50
"""Of a plan."""
_PLAN: Mapping[str, PlanStepStatus] = {"in_progress": "running", "completed": "done"}
_REASONS: Mapping[str, StopReason] = {
    "end_turn": "answered", "max_tokens": "cut", "max_turn_requests": "max_steps", "refusal": "filtered",
}  # fmt: skip


class _Over:
    pass


class ForeignTurn:
    """A `Hearer` of one prompt."""

    def __init__(self, ctx: RunContext, terminals: Terminals, root: Path) -> None:
        self._ctx = ctx
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self._calls = OwnCalls(ctx)
        self.requests = Requests(ctx, self._calls, terminals, root, self._queue.put_nowait)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sent = 0
        self._plans: list[tuple[PlanStep, ...]] = []
        self._texts: list[str] = [""]
        """By step."""
        self._after_call = False
        self._restoring: Restoring | None = None
        self._is_left = False
        self.prompting: asyncio.Future[Any] | None = None
        """The agent's whole answer; it may come after the run has been stopped."""
        ctx.services.tools = {**ctx.services.tools, **{tool.name: tool for tool in ALL}}
        resources = {**ctx.services.tool_seams.get("resources", {}), TERMINALS: terminals}
        ctx.services.tool_seams = {**ctx.services.tool_seams, "resources": resources}
        # Its own model reads what it likes; what this program knows of others' texts is no measure for it.
        ctx.state.taint = Taint()

    # ------------------------------------------------------------ what the link says

    @property
    def is_full(self) -> bool:
        return self._queue.qsize() >= MOST_WAITING and not self._is_left

    def update(self, update: Any) -> None:
        if not self._is_left:
            self._queue.put_nowait(update)

    async def permission(self, request: Any) -> dict[str, Any]:
        return await self._asked("session/request_permission", request)

    async def call(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        return await self._asked(method, params)

    async def _asked(self, method: str, params: Any) -> dict[str, Any]:
        from acp.exceptions import RequestError

        if self._is_left:
            if method == "session/request_permission":
                return chosen([])
            raise RequestError(-32600, "it was stopped")
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(AgentRequest(method, params, answer))
        return await answer

    # ------------------------------------------------------------ the run's side

    async def events(self, work: Awaitable[None]) -> AsyncGenerator[RunEvent, None]:
        """`work` asks the agent, to the end; what it raises is raised here."""
        working = asyncio.ensure_future(work)
        working.add_done_callback(lambda _task: self._queue.put_nowait(_Over()))
        try:
            while not isinstance(item := await self._queue.get(), _Over):
                for event in self._shown(item):
                    yield event
            await working
            for event in self._rest():
                yield event
        finally:
            self._is_left = True
            for task in (working, *self._tasks):
                task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await asyncio.wait({working, *self._tasks}, timeout=1)

    def _shown(self, item: Any) -> Iterator[RunEvent]:
        if item.__class__ in _EVENTS:
            yield item
            return
        if isinstance(item, AgentRequest):
            if item.method == "session/request_permission":
                yield from self._calls.take_question(item.params.tool_call)
            else:
                self._after_call = True
            task = asyncio.create_task(self.requests.answer(item), name=f"agent asks {item.method}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        yield from self._updated(item)

    # ------------------------------------------------------------ updates

    def _updated(self, update: Any) -> Iterator[RunEvent]:
        self._count(MESSAGE)
        match update.session_update:
            case "agent_message_chunk":
                yield from self._visible(text_of(update.content))
            case "agent_thought_chunk":
                yield from self._next_step()
                text = text_of(update.content)
                self._count(len(text))
                self._ctx.state.thinking.append(text)
                yield Thinking(self._ctx.state.step, text)
            case "tool_call" | "tool_call_update":
                if self._ctx.state.step == 0:
                    yield from self._begin_step()
                self._after_call = True
                for event in self._calls.take(update):
                    self._count(len(getattr(event, "text", "")))
                    yield event
            case "plan":
                yield from self._planned(update.entries)
            case _:
                pass  # commands, modes, titles: nothing of this answer

    def _visible(self, text: str) -> Iterator[RunEvent]:
        if self._restoring is not None:
            text = self._restoring.feed(text)
        if not text:
            return
        self._count(len(text))
        yield from self._next_step()
        self._texts[-1] += text
        self._ctx.state.shown.append(text)
        yield Token(self._ctx.state.step, text)

    def _rest(self) -> Iterator[RunEvent]:
        if self._restoring is not None and (text := self._restoring.end()):
            self._texts[-1] += text
            yield Token(self._ctx.state.step, text)
        yield from self._calls.show_announced()
        if self._ctx.state.open_step is not None:
            yield self._step_end("stop")

    def _next_step(self) -> Iterator[RunEvent]:
        """Text behind a call belongs to a step of its own, and the last of them is the answer."""
        if self._ctx.state.step and not self._after_call:
            return
        self._after_call = False
        yield from self._calls.show_announced()
        if self._ctx.state.open_step is not None:
            yield self._step_end("tool_calls")
        yield from self._begin_step()

    def _begin_step(self) -> Iterator[RunEvent]:
        state = self._ctx.state
        state.step += 1
        state.shown.clear()
        self._texts.append("")
        state.asked_at = self._ctx.services.clock.elapsed()
        state.open_step = StepEnd(state.step, "interrupted", Usage(), 0)
        yield StepStart(state.step, max(state.step, self._ctx.request.profile.max_steps), 0)

    def _step_end(self, finish: str) -> StepEnd:
        state = self._ctx.state
        ms = round((self._ctx.services.clock.elapsed() - state.asked_at) * 1000)
        state.open_step = None
        return StepEnd(state.step, finish, Usage(), ms)

    def _planned(self, entries: list[Any]) -> Iterator[RunEvent]:
        steps = tuple(
            PlanStep(n, NO_TOOL, {}, text_of_entry(one), status=_PLAN.get(one.status, "pending"))
            for n, one in enumerate(entries[:MOST_STEPS], 1)
        )
        self._count(sum(len(step.description) for step in steps))
        if steps and (not self._plans or self._plans[-1] != steps):
            self._plans = [*self._plans[-1:], steps]
            yield PlanMade("", steps, len(self._plans))

    def _count(self, chars: int) -> None:
        self._sent += chars
        if self._sent > MOST_SENT:
            raise failed(reason="ACP_TOO_MUCH", message="it sent more than one answer may hold")

    # ------------------------------------------------------------ the end

    async def ask(self, link: AgentLink, before: str) -> None:
        """The question itself; `before` is what was said in a session that the agent does not know."""
        from acp.schema import ImageContentBlock, TextContentBlock

        ctx = self._ctx
        question = next((turn for turn in reversed(ctx.state.turns) if isinstance(turn, UserTurn)), UserTurn(""))
        text = f"{before}\n\n{question.text}" if before else question.text
        if (scrub := await ctx.services.privacy.scrub()) is not None:
            text, self._restoring = scrub.outgoing(text), scrub.incoming()
        blocks: list[Any] = [TextContentBlock(type="text", text=text)]
        if question.images and scrub is None and link.sees_images:
            for url in question.images:
                head, _comma, data = url.partition(",")
                mime = head.removeprefix("data:").partition(";")[0]
                blocks.append(ImageContentBlock(type="image", data=data, mime_type=mime))
        elif question.images:
            name = ctx.request.profile.title
            notice = Notice("images_left_out", f"{name} sees no images; they are not sent", {"model": name})
            self._queue.put_nowait(notice)
        self.prompting = asyncio.ensure_future(link.prompt(blocks, self))
        self.prompting.add_done_callback(_is_heard)
        end = await asyncio.shield(self.prompting)
        if end.usage is not None:
            used = end.usage
            ctx.book(
                Usage(used.input_tokens, used.output_tokens, used.thought_tokens or 0, used.cached_read_tokens or 0)
            )
        self._conclude(end.stop_reason)

    def _conclude(self, reason: str) -> None:
        answer = next((text for text in reversed(self._texts) if text.strip()), "")
        if reason == "cancelled":
            raise failed(reason="ACP_STOPPED", message="it stopped by itself")
        self._ctx.conclude(answer, _REASONS.get(reason, "answered"))


def _is_heard(answer: asyncio.Future[Any]) -> None:
    """How it ended is read here, if nobody waits for it any more."""
    if not answer.cancelled():
        answer.exception()


def text_of_entry(entry: Any) -> str:
    from app.mcp.texts import scrub

    return scrub(entry.content)[:1_000]


_EVENTS: Final = frozenset(EVENT_TYPES.values()) - {LoopEnd, LoopError}
