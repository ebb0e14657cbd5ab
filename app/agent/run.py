"""One run: one task that drives a mode, and the log everyone listens to.

The first event is there before the task begins; the terminal event comes from the task's
done-callback, because a task that is cancelled before its first step never runs its body.
Exactly one `loop_start`, exactly one terminal event, nothing after it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, get_args

from app.core.detached import contained
from app.core.errors import DamagedStream, ModelError, TriptychError, UnknownName
from app.core.profile import PermissionRule
from app.core.run.chat_model import UserTurn
from app.core.run.event_line import Stamped
from app.core.run.event_values import BudgetScope, ErrorInfo, ErrorReason
from app.core.run.events import LoopEnd, LoopError, LoopStart, Notice, RunEvent, Terminal, Thinking, Token
from app.core.run.model_call import ModelCall
from app.core.system.awake import LOOK_SECONDS
from app.core.tools.tool import ToolResult

from .context import RunContext
from .modes import Mode
from .modes.direct import DIRECT
from .modes.hand_in import hand_in
from .modes.loop import BUDGET, BudgetUsedUp
from .modes.pipeline import pipeline
from .modes.review import REVIEW
from .modes.structured import structured
from .plan_control import PlanOrderName

log = logging.getLogger(__name__)

GATHER = 2_000
"""Characters of text gathered in one event while nobody has read it yet."""
GATHERED_SECONDS = 0.05
"""Between two wakings for text of those who want it gathered: a waking costs more than a token does."""
LONG_PROMPT = 16_000
"""Characters of a system prompt from which on the person is told what it costs."""
CLOCK_CHECK = LOOK_SECONDS
"""Seconds between two looks at the time limit, since waiting for the person stops the clock."""
_USED_UP: Mapping[BudgetScope, tuple[str, str]] = {
    "run": ("BUDGET", "this run"),
    "session": ("BUDGET_SESSION", "this session"),
    "day": ("BUDGET_DAY", "today"),
}
"""Code, and what its message names."""


class Run:
    """The handle of one run (`core.run.run_handle.RunHandle`)."""

    def __init__(self, ctx: RunContext, mode: Mode, *, parent: str | None = None) -> None:
        self._ctx, self._mode, self._parent = ctx, mode, parent
        self._log: list[Stamped] = []
        self._read = 0
        """Events before this place have been given to somebody and do not change any more."""
        self._waiting: set[asyncio.Future[None]] = set()
        self._gathering: set[asyncio.Future[None]] = set()
        """As `_waiting`, of those who want text gathered."""
        self._gathered_at = 0.0
        self._wake_soon: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[Terminal] | None = None
        self._presses = 0
        self._timed_out = False

    @property
    def id(self) -> str:
        return self._ctx.request.run_id

    @property
    def session(self) -> str:
        return self._ctx.request.session_id

    @property
    def parent(self) -> str | None:
        """The id of the run this one was started by."""
        return self._parent

    @property
    def is_running(self) -> bool:
        return self._ended is not None and not self._ended.done()

    def start(self) -> Run:
        loop = asyncio.get_running_loop()
        self._ended = loop.create_future()
        ctx = self._ctx
        settings = ctx.request.profile.model_dump(
            mode="json", exclude={"system_prompt", "name", "description", "examples"}
        )
        self._emit(
            LoopStart(ctx.request.profile.id, self._mode.id, ctx.services.model.ref, ctx.request.query, settings)
        )
        for event in ctx.state.resumed.events:
            self._emit(event)
        self._task = loop.create_task(self._drive(), name=f"run {self.id}")
        self._task.add_done_callback(self._close)
        return self

    @property
    def seconds(self) -> float:
        return self._ctx.services.clock.elapsed()

    # ------------------------------------------------------------ listening

    async def events(self, *, gathered: bool = False) -> AsyncIterator[Stamped]:
        place, waiting = 0, self._gathering if gathered else self._waiting
        while True:
            while place < len(self._log):
                stamped = self._log[place]
                place += 1
                self._read = max(self._read, place)
                yield stamped
                if isinstance(stamped.event, LoopEnd | LoopError):
                    return
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            waiting.add(future)
            try:
                await future
            finally:
                waiting.discard(future)

    async def result(self) -> Terminal:
        assert self._ended is not None, "the run has been started"
        return await asyncio.shield(self._ended)

    def full_result(self, call_id: str) -> ToolResult | None:
        return self._ctx.state.results.get(call_id)

    def requests(self) -> list[ModelCall]:
        return list(self._ctx.state.model_calls)

    # ------------------------------------------------------------ steering

    def cancel(self) -> None:
        if self._task is None or not self.is_running:
            return
        self._presses += 1
        self._task.cancel()
        if self._presses > 1:
            self._finish(self._error("cancelled", "CANCELLED", "stopped"))

    def answer_now(self) -> None:
        self._ctx.services.inbox.answer_now = True
        self._ctx.services.inbox.reply(BUDGET, None)  # it may wait there for a larger budget
        self._ctx.services.inbox.reply(BUDGET, None)

    def retry_now(self) -> None:
        self._ctx.services.inbox.hurry.set()

    def one_more_round(self) -> None:
        self._ctx.services.inbox.extra_rounds += 1

    def steer(self, text: str) -> bool:
        if not self.is_running or not text.strip():
            return False
        self._ctx.services.inbox.said.append(text)
        return True

    @property
    def agent(self) -> str:
        return self._ctx.request.profile.id

    @property
    def granted(self) -> tuple[PermissionRule, ...]:
        """What the person has allowed for the rest of this run."""
        return tuple(self._ctx.services.permissions.granted)

    def revoke(self, rule: PermissionRule) -> None:
        """Take that back: the next such call asks again."""
        granted = self._ctx.services.permissions.granted
        if rule in granted:
            granted.remove(rule)

    def approve(
        self, approval_id: str, choice: str, *, args: Mapping[str, Any] | None = None, reason: str = ""
    ) -> bool:
        return self._ctx.services.inbox.reply(approval_id, {"choice": choice, "args": args, "reason": reason})

    def answer(self, question_id: str, text: str) -> bool:
        return self._ctx.services.inbox.reply(question_id, text)

    def submit_plan(self, goal: str, steps: list[Mapping[str, Any]]) -> bool:
        return self._ctx.services.inbox.reply(REVIEW, {"goal": goal, "steps": steps})

    def keep_plan(self) -> bool:
        """To a new plan for the rest: the old one continues, without what failed."""
        return self._ctx.services.inbox.reply(REVIEW, {"keep": True})

    def control_plan(self, order: str, step: int = 0, value: Any = None) -> None:
        if order not in get_args(PlanOrderName):
            raise UnknownName("order", order, get_args(PlanOrderName))
        self._ctx.services.inbox.plan.give(order, step, value)  # type: ignore[arg-type]  # checked one line above

    def raise_budget(self, limit: float | None) -> bool:
        return self._ctx.services.inbox.reply(BUDGET, limit)

    # ------------------------------------------------------------ driving

    async def _drive(self) -> None:
        watch = asyncio.create_task(self._watch_clock(), name=f"clock of {self.id}")
        for notice in self._ctx.request.notices:
            self._emit(notice)
        if (chars := len(self._ctx.request.profile.system_prompt)) > LONG_PROMPT:
            self._emit(Notice("prompt_long", f"the system prompt has {chars} characters", {"chars": chars}))
        if (model := self._unpriced()) is not None:
            self._emit(Notice("no_price", f"no price is known for {model}", {"model": model}))
        if not self._ctx.traits.vision and any(
            isinstance(turn, UserTurn) and turn.images for turn in self._ctx.state.turns
        ):
            model = self._ctx.services.model.ref
            self._emit(Notice("images_left_out", f"{model} sees no images; they are not sent", {"model": model}))
        try:
            for stage in await self._stages():
                with contained():  # a mode may be a plug-in's
                    async with aclosing(stage(self._ctx)) as events:
                        async for event in events:
                            self._emit(event)
        finally:
            watch.cancel()

    async def _stages(self) -> Sequence[Callable[[RunContext], AsyncGenerator[RunEvent, None]]]:
        """What a guard of the domain answers is one text: nothing is planned, called or handed on."""
        ctx = self._ctx
        if await ctx.services.privacy.reply_to(ctx.state.turns, ctx.request.profile) is not None:
            return (DIRECT.run,)
        return (self._mode.run, hand_in, structured, pipeline)

    def _unpriced(self) -> str | None:
        """The model of a run with a money budget that nobody typed a price for: that limit cannot act."""
        spending, ref = self._ctx.services.spending, self._ctx.services.model.ref
        return ref if spending.limits("money") and spending.price_of(ref) is None else None

    async def _watch_clock(self) -> None:
        """The time limit counts working time: neither waiting for the person nor sleep of the computer."""
        limit = self._ctx.request.profile.run_timeout
        while (left := limit - self._ctx.services.clock.working()) > 0:  # noqa: ASYNC110 - a clock: nothing announces it
            await asyncio.sleep(min(left + 0.01, CLOCK_CHECK))
        if self._task is not None:
            self._timed_out = True
            self._task.cancel()

    def _close(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            if self._timed_out:
                limit = self._ctx.request.profile.run_timeout
                self._finish(self._error("timeout", "TIMEOUT", f"the run took longer than {limit:g} s"))
            else:
                self._finish(self._error("cancelled", "CANCELLED", "stopped"))
            return
        failure = task.exception()
        if isinstance(failure, DamagedStream) and (text := "".join(self._ctx.state.shown)).strip():
            # Text that is shown is not taken back: it stays as far as it could be read, and says what it is.
            self._emit(Notice("damaged", failure.message))
            self._ctx.conclude(text, "damaged")
            failure = None
        self._finish(self._failed(failure) if failure else self._concluded())

    def _concluded(self) -> Terminal:
        ctx, end = self._ctx, self._ctx.state.conclusion
        if end is None:
            return self._error("internal", "INTERNAL", "the mode ended without an answer")
        return LoopEnd(
            answer=end.answer,
            stop_reason=end.stop_reason,
            thinking="".join(ctx.state.thinking),
            needs_clarification=end.needs_clarification,
            usage=ctx.state.tally.usage,
            steps=ctx.state.step,
            tools=tuple(dict.fromkeys(ctx.state.tools_used)),
            seconds=round(ctx.services.clock.elapsed(), 3),
            trace=tuple(ctx.state.trace),
            structured=ctx.state.structured,
            structured_error=ctx.state.structured_error,
            money=dict(ctx.state.tally.money) or None,
        )

    def _failed(self, failure: BaseException) -> LoopError:
        match failure:
            case ModelError():
                return self._error(
                    "api", failure.code, failure.message, hint=failure.hint, retryable=failure.retryable,
                    params=dict(failure.params),
                )  # fmt: skip
            case BudgetUsedUp(scope=scope):
                code, what = _USED_UP[scope]
                return self._error("budget", code, f"the budget of {what} is used up")
            case TriptychError():
                return self._error("internal", failure.code, failure.message, hint=failure.hint)
            case _:
                log.error("run %s failed", self.id, exc_info=failure)
                return self._error("internal", "INTERNAL", f"{type(failure).__name__}: {failure}"[:500])

    def _error(
        self,
        reason: ErrorReason,
        code: str,
        message: str,
        *,
        hint: str = "",
        retryable: bool = False,
        params: Mapping[str, Any] | None = None,
    ) -> LoopError:
        ctx = self._ctx
        return LoopError(
            reason,
            ErrorInfo(code, message, hint, retryable, params or {}),
            partial="".join(ctx.state.shown),
            usage=ctx.state.tally.usage,
            steps=ctx.state.step,
            tools=tuple(dict.fromkeys(ctx.state.tools_used)),
            seconds=round(ctx.services.clock.elapsed(), 3),
            money=dict(ctx.state.tally.money) or None,
        )

    def _finish(self, end: Terminal) -> None:
        """Close what is open, then the terminal event; whatever comes later is not said any more."""
        if self._ended is None or self._ended.done():
            return
        for event in self._ctx.closing_events():
            self._emit(event)
        self._emit(end)
        self._ended.set_result(end)

    # ------------------------------------------------------------ the log

    def _emit(self, event: RunEvent) -> None:
        if self._ended is not None and self._ended.done():
            return
        last = self._log[-1].event if len(self._log) > self._read else None
        if isinstance(event, Token | Thinking) and type(last) is type(event) and _joins(last, event):
            stamped = self._log[-1]
            joined = type(event)(event.step, last.text + event.text)
            self._log[-1] = Stamped(stamped.seq, stamped.t, stamped.run, stamped.session, joined, stamped.parent)
            return
        ctx = self._ctx
        self._log.append(
            Stamped(
                len(self._log),
                ctx.services.clock.elapsed(),
                ctx.request.run_id,
                ctx.request.session_id,
                event,
                self._parent,
            )
        )
        _wake(self._waiting)
        if not isinstance(event, Token | Thinking):
            _wake(self._gathering)
        elif self._gathering and self._wake_soon is None:
            loop = asyncio.get_running_loop()
            seconds = self._gathered_at + GATHERED_SECONDS - loop.time()
            if seconds <= 0:
                self._wake_gathering()
            else:
                self._wake_soon = loop.call_later(seconds, self._wake_gathering)

    def _wake_gathering(self) -> None:
        self._wake_soon, self._gathered_at = None, asyncio.get_running_loop().time()
        _wake(self._gathering)


def _wake(waiting: set[asyncio.Future[None]]) -> None:
    for future in waiting:
        if not future.done():
            future.set_result(None)
    waiting.clear()


def _joins(last: Token | Thinking, event: Token | Thinking) -> bool:
    return last.step == event.step and len(last.text) < GATHER
