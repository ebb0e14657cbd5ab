"""Executes the tool calls of one message: the same gate and order in every mode.

    corrected arguments → known tool → hooks → check of arguments → permission (bound to a hash) → repeat? → run,
    with a time limit → hooks → truncation → event and conversation

A call that may not run, or fails, becomes an error result with a useful sentence; no exception of a tool leaves this
file. Calls run in parallel, exclusive tools alone; results are added to the conversation in the order of the calls.
Cancelling cancels all of them and waits 2 s.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from app.core import detached
from app.core.arguments import Note
from app.core.errors import ToolError, TriptychError
from app.core.run.chat_model import CallTurn, ResultTurn
from app.core.run.event_values import CallStatus
from app.core.run.events import RunEvent, ToolCalled, ToolReturned, ToolStarted
from app.core.tools.tool import Tool, ToolResult, mend_call

from ..context import RunContext
from ..policy.hooks import Hooks
from ..policy.permission import call_hash
from ..policy.result_cache import may_keep
from ..policy.result_reader import READ_RESULT
from ..policy.truncation import cut, shares
from ..request import prompts
from . import failures, text_model
from .call_reader import read_call
from .gate import Gate, Turned, call_key, checked_args
from .sound_result import sound_result
from .summarise_result import summarise_result

log = logging.getLogger(__name__)

AT_ONCE = 4
"""Tools running at the same time."""
CANCEL_WAIT = 2.0
_LOST = frozenset({"TIMEOUT", "CANCELLED", "OUTCOME_UNKNOWN"})
"""Failures after which nobody knows whether the call had its effect."""


@dataclass
class _Job:
    """One call on its way through the order above."""

    call: CallTurn
    tool: Tool | None = None
    args: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    """What was corrected of the arguments."""
    turned: Turned | None = None
    """Why it cannot run, as far as its name and its form say."""
    dropped: list[str] = field(default_factory=list)
    """Fields that the tool does not know; it ran without them."""
    result: ToolResult | None = None
    status: CallStatus = "ok"
    repeat: str | None = None
    age: float | None = None
    text: str = ""
    whole: int = 0
    """Characters of the result before it was condensed; 0: it was not."""
    ms: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)
    plan_step: int | None = None
    untrusted: bool = False


class Batch:
    """Executes `calls`; afterwards `ctx.state.turns` holds their results in call order."""

    def __init__(
        self,
        ctx: RunContext,
        calls: Sequence[CallTurn],
        *,
        hooks: Hooks | None = None,
        dialect: str = "native",
        plan_steps: Mapping[str, int] | None = None,
    ) -> None:
        self._ctx, self._hooks, self._dialect = ctx, hooks or Hooks(), dialect
        plan = plan_steps or {}
        self._jobs = [self._job(n, call, plan.get(call.id)) for n, call in enumerate(calls)]
        self._by_id = {job.call.id: job for job in self._jobs}
        self._queue: asyncio.Queue[RunEvent | _Job] = asyncio.Queue()
        """What the calls say, in the order it happened; a job stands for its own end."""
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._gate = Gate(ctx, self._queue.put_nowait)
        self._has_asked = False
        """One of the calls has put a question to the person."""

    def _job(self, place: int, call: CallTurn, plan_step: int | None) -> _Job:
        read = read_call(
            self._ctx, call, any_number=plan_step is not None, place=place, hooked=bool(self._hooks.before)
        )
        return _Job(read.call, read.tool, read.args, read.notes, read.turned, plan_step=plan_step)

    @property
    def all_repeats(self) -> bool:
        return bool(self._jobs) and all(job.status == "repeat" for job in self._jobs)

    def result_of(self, call_id: str) -> ToolResult:
        result = self._by_id[call_id].result
        assert result is not None, "asked before the batch has ended"
        return result

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        ctx = self._ctx
        for job in self._jobs:
            ctx.state.open_calls[job.call.id] = job.call
            yield ToolCalled(
                step=ctx.state.step, id=job.call.id, name=job.call.name, args=job.call.args or {},
                dialect=self._dialect, why=job.call.why or None, plan_step=job.plan_step,
                mended=tuple(note.to_json() for note in job.notes),
            )  # fmt: skip
        waiting: list[_Job] = []
        for group in self._groups():
            async for event in self._run_group(group, waiting):
                yield event
        limits = self._limits()
        if ctx.request.profile.long_results == "summarise":
            await self._condense(waiting, limits)
        for job in waiting:
            yield self._returned(job, limits[job.call.id])
        ctx.add(*[self._turn(job) for job in self._jobs])

    # ------------------------------------------------------------ side by side, or alone

    def _groups(self) -> Iterator[list[_Job]]:
        """Stretches of calls that may run together; an exclusive tool is a stretch of its own."""
        group: list[_Job] = []
        for job in self._jobs:
            tool = self._ctx.tool(job.call.name)
            alone = not self._ctx.request.profile.parallel_tool_calls or (tool is not None and tool.exclusive)
            if alone and group:
                yield group
                group = []
            group.append(job)
            if alone:
                yield group
                group = []
        if group:
            yield group

    async def _run_group(self, group: list[_Job], waiting: list[_Job]) -> AsyncGenerator[RunEvent, None]:
        """Results within their share are told as they come; longer ones wait for the whole batch."""
        share = self._ctx.request.profile.tool_results_total_length // len(self._jobs)
        share = min(share, self._ctx.request.profile.tool_result_max_length)
        tasks = [asyncio.create_task(self._work(job), name=f"tool {job.call.name}") for job in group]
        unfinished = len(group)
        try:
            while unfinished:
                event = await self._queue.get()
                if not isinstance(event, _Job):
                    yield event
                    continue
                unfinished -= 1
                if len(event.text) <= share:
                    yield self._returned(event, len(event.text))
                else:
                    waiting.append(event)
        finally:
            running = [task for task in tasks if not task.done()]
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running, timeout=CANCEL_WAIT)

    async def _work(self, job: _Job) -> None:
        try:
            await self._one(job)
            job.text = await self._observation(job)
        except Turned as turned:
            await self._refuse(job, turned.status, turned.result)
        except Exception as error:  # a tool's code may raise anything; the loop continues and the log has it
            log.warning("tool %s failed", job.call.name, exc_info=True)
            await self._refuse(job, "error", failures.crashed(self._ctx.request.language, error))
        finally:
            job.done.set()
            self._queue.put_nowait(job)

    async def _refuse(self, job: _Job, status: CallStatus, result: ToolResult) -> None:
        job.status, job.result = status, result
        job.text = await self._observation(job)

    # ------------------------------------------------------------ one call

    async def _one(self, job: _Job) -> None:
        if job.turned is not None:
            raise job.turned
        assert job.tool is not None, "a call that was not turned away has a tool"
        tool = job.tool
        args = await self._ctx.services.privacy.arguments(tool, await self._hooked_args(job, tool))
        job.args = original = checked_args(tool, args, self._ctx)
        repeats = await self._find_repeat(job, tool)
        job.args = await self._gate.admit(job.call.id, tool, original, runs=not repeats)
        if not repeats and job.args is not original:  # changed by the person
            self._release(call_key(tool, original), job.call.id)
            repeats = await self._find_repeat(job, tool)
        if repeats or self._was_kept(job, tool):
            return
        self._ask_once(tool)
        keeps = self._keeps(job, tool)
        async with self._slots:
            self._queue.put_nowait(ToolStarted(self._ctx.state.step, job.call.id, tool.name))
            self._ctx.book_call()
            if not tool.read_only:
                await self._write_ahead(job, tool)
            began = time.monotonic()
            job.result = await self._run_tool(tool, job.args, job.call.id)
            job.ms = int((time.monotonic() - began) * 1000)
        self._ctx.state.acting.discard(job.call.id)
        if keeps and self._ctx.services.kept is not None:
            self._ctx.services.kept.keep(
                self._ctx.request.profile.id, tool, job.args, self._ctx.request.language, job.result
            )
        self._ctx.services.permissions.narrow(job.result)
        error = job.result.error
        if error is not None and not tool.read_only and error.code in _LOST:
            self._ctx.state.unsure.add(call_key(tool, job.args))
            job.status = "unknown"
        elif error is not None:
            job.status = "error"
        if job.status == "unknown" or (error is None and not tool.read_only) or (error and error.code == "STALE"):
            self._ctx.state.cache.clear()  # what was read may be so no longer

    def _ask_once(self, tool: Tool) -> None:
        """One question to the person for each message; the model puts several together."""
        if tool.permission == "user":
            if self._has_asked:
                raise Turned("error", failures.asked_already(self._ctx.request.language))
            self._has_asked = True

    async def _write_ahead(self, job: _Job, tool: Tool) -> None:
        """What changes something is on the disk before it begins, or it does not begin."""
        if self._ctx.services.journal is not None:
            try:
                await self._ctx.services.journal.begin(job.call.id, tool.name, call_hash(tool, job.args))
            except (TriptychError, OSError) as error:
                raise Turned("error", failures.not_recorded(self._ctx.request.language, error)) from error
        self._ctx.state.acting.add(job.call.id)

    async def _hooked_args(self, job: _Job, tool: Tool) -> dict[str, Any]:
        """What the hooks make of the corrected arguments; a field they leave unknown goes where that does no harm."""
        try:
            args = await self._hooks.before_call(tool.name, job.args)
        except ToolError as no:
            message, hint = no.worded(self._ctx.request.language)
            raise Turned("blocked", ToolResult.failure(no.tool_code, message, hint=hint)) from no
        if args is None:
            raise Turned("blocked", failures.blocked(self._ctx.request.language))
        if not tool.drops_unknown:
            return args
        rest = mend_call(tool, args, self._ctx.day, drops_unknown=True)
        job.dropped = [note.path for note in rest.notes if note.code == "dropped"]
        return rest.args

    # ------------------------------------------------------------ repeats

    async def _find_repeat(self, job: _Job, tool: Tool) -> bool:
        """A read-only call that was made before, or asks the same, is answered from its first result, and says so.

        Where the first is still on its way, or waits for the person, this one waits for it; where it fails, the next
        in line takes its place.
        """
        if not tool.read_only:
            return False
        key, cache = call_key(tool, job.args), self._ctx.state.cache
        if tool.alike is not None and key not in cache:
            of_tool = [known for known in cache if known[0] == tool.name]
            key = next((known for known in of_tool if tool.alike(json.loads(known[1]), job.args)), key)
        while (first := cache.setdefault(key, job.call.id)) != job.call.id:
            running = self._by_id.get(first)
            if running is not None:
                await running.done.wait()
                result = running.result if call_key(tool, running.args) == key else None
            else:
                result = self._ctx.state.results.get(first)
            if result is not None and result.ok:
                job.result, job.status, job.repeat = result, "repeat", first
                return True
            self._release(key, first)
        return False

    def _release(self, key: tuple[str, str], call_id: str) -> None:
        """Another call may be the first of its kind."""
        if self._ctx.state.cache.get(key) == call_id:
            del self._ctx.state.cache[key]

    def _keeps(self, job: _Job, tool: Tool) -> bool:
        return self._ctx.services.kept is not None and may_keep(tool, job.args, self._ctx.state.taint)

    def _was_kept(self, job: _Job, tool: Tool) -> bool:
        """An earlier run of this agent has asked the same, not too long ago; says so too."""
        ctx = self._ctx
        if ctx.services.kept is None or ctx.request.fresh or not self._keeps(job, tool):
            return False
        if (found := ctx.services.kept.find(ctx.request.profile.id, tool, job.args, ctx.request.language)) is None:
            return False
        job.result, job.age = found
        return True

    # ------------------------------------------------------------ running

    async def _run_tool(self, tool: Tool, args: dict[str, Any], call: str) -> ToolResult:
        waits = tool.permission == "user"  # its question has a limit of its own, and says so when nobody answers
        limit = 2 * self._ctx.request.approval_wait if waits else tool.timeout or self._ctx.request.profile.tool_timeout
        context = text_model.offered(tool, call, self._ctx, self._queue.put_nowait, self._gate.ask_question)
        try:
            with detached.contained():
                run = partial(tool.body, context, await self._ctx.services.privacy.arguments(tool, args))
                result: Any = detached.in_thread(run) if tool.blocking else run()
            if inspect.isawaitable(result):
                result = await detached.within(_awaited(result), limit, grace=CANCEL_WAIT)
        except ToolError as error:
            message, hint = error.worded(self._ctx.request.language)
            return ToolResult.failure(error.tool_code, message, hint=hint, retryable=error.retryable)
        except TimeoutError:
            return failures.timed_out(self._ctx.request.language, limit, read_only=tool.read_only)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return failures.gave_up(self._ctx.request.language)
        return sound_result(result, self._ctx.request.language)

    # ------------------------------------------------------------ what the model reads

    async def _observation(self, job: _Job) -> str:
        assert job.result is not None, "a call that is done has a result"
        text = job.result.for_model() or "(no content)"
        if job.status == "repeat":
            text = f"[repeat of an earlier call, not run again]\n{text}"
        elif job.age is not None:
            text = f"[fetched {job.age:.0f} s ago in an earlier run, not run again]\n{text}"
        if job.dropped:
            text = f"[not known to this tool and left out: {', '.join(job.dropped)[:200]}]\n{text}"
        return await self._hooks.after_call(job.call.name, job.args, text) or "(no content)"

    def _limits(self) -> dict[str, int]:
        """What each result may have of the batch's total, by call id."""
        profile = self._ctx.request.profile
        lengths = [len(job.text) for job in self._jobs]
        limits = shares(lengths, profile.tool_result_max_length, profile.tool_results_total_length)
        return {job.call.id: limit for job, limit in zip(self._jobs, limits, strict=True)}

    async def _condense(self, waiting: Sequence[_Job], limits: Mapping[str, int]) -> None:
        """A digest in place of a cut, where the profile wants it and the model can."""
        for job in waiting:
            limit = limits[job.call.id]
            if len(job.text) > limit and (short := await summarise_result(self._ctx, job.call.name, job.text, limit)):
                job.whole, job.text = len(job.text), short

    def _returned(self, job: _Job, limit: int) -> ToolReturned:
        result = job.result
        assert result is not None, "a call that is done has a result"
        ctx, whole = self._ctx, job.whole or len(job.text)
        job.text = cut(job.text, limit, more=f"{READ_RESULT} with call_id {job.call.id} reads the rest")
        ctx.state.results[job.call.id] = result
        ctx.state.open_calls.pop(job.call.id, None)
        ctx.state.tools_used.append(job.call.name)
        job.untrusted, private = ctx.state.taint.note_call(job.tool, job.args, result) if job.tool else (False, False)
        if result.ok:
            ctx.state.fresh_arguments.append(job.args)
        ctx.state.failures_in_a_row = 0 if result.ok else ctx.state.failures_in_a_row + 1
        ctx.state.trace.append({"step": ctx.state.step, "tool": job.call.name, "status": job.status, "ms": job.ms})
        event = ToolReturned(
            step=ctx.state.step, id=job.call.id, name=job.call.name, ok=result.ok, status=job.status,
            summary=result.summary or (result.error.message if result.error else job.text[:200]),
            text=job.text, chars=whole, kept_chars=len(job.text) if job.whole else min(whole, limit),
            truncated=whole > limit, ms=job.ms,
            cached=job.status == "repeat" or job.age is not None, repeat=job.repeat, age=job.age,
            display=result.display.to_json() if result.display and job.repeat is None else None,
            error=result.error.to_json() if result.error else None,
            untrusted=job.untrusted, inside=job.untrusted and ctx.state.taint.is_inside(job.tool), private=private,
        )  # fmt: skip
        ctx.state.returned.append(event)
        return event

    def _turn(self, job: _Job) -> ResultTurn:
        assert job.result is not None, "a call that is done has a result"
        text = prompts.framed(job.text, job.call.name, self._ctx.request.run_id) if job.untrusted else job.text
        return ResultTurn(job.call.id, job.call.name, text, not job.result.ok, job.result.data)


async def _awaited(result: Any) -> Any:
    with detached.contained():
        while inspect.isawaitable(result):
            result = await result
        return result
