"""Records a run while it is active, with or without a window.

The event log is the stored truth: streamed text is on disk within a quarter of a second or two kilobytes, joined
(`event_batches`). The message is its projection, written with it at the end of each step, each tool and the run. A
write that fails is kept and repeated; nothing received is lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping

from app.core.errors import TriptychError
from app.core.ids import is_temporary
from app.core.run.event_line import Stamped
from app.core.run.events import (
    PlanMade,
    PlanStepChanged,
    StepEnd,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
    ToolText,
    is_terminal,
)
from app.core.run.model_call import ModelCall
from app.core.run.run_handle import RunHandle
from app.core.run.transcript import Fold
from app.storage.stores.runs import RunStore

from ..changes import Changes
from .event_batches import Gathering

log = logging.getLogger(__name__)

FLUSH_AFTER = 0.12
"""Seconds; with the wait for gathered text and the write it stays under a quarter of a second."""
IN_MEMORY_AFTER = 2.0
"""The same for a temporary session: nothing of it reaches a disk, so nothing is lost by waiting."""
FLUSH_AT = 2_000
"""Characters."""
TRY_AGAIN = 1.0
LAST_TRIES = 5

_AT_ONCE = (ToolCalled, ToolStarted, ToolReturned, StepEnd, PlanMade, PlanStepChanged)


class NotRecorded(TriptychError):
    """A call could not be written down before it began."""

    code = "NOT_RECORDED"


class Recorder:
    """Follows one run to its end, and keeps its journal (`app.agent.policy.journal`)."""

    def __init__(
        self,
        run: RunHandle,
        store: RunStore,
        fold: Fold,
        *,
        saved: Changes[bool],
        spent: Callable[[], Mapping[str, float]] = dict,
    ) -> None:
        """`saved` is told whether the last write reached the disk; `spent` is asked at the end.

        `spent` gives the seconds of work and the tool_calls that count for budgets.
        """
        self._run, self._store, self._fold, self._saved = run, store, fold, saved
        self._spent = spent
        self._wait = IN_MEMORY_AFTER if is_temporary(run.session) else FLUSH_AFTER
        self._lines = Gathering(FLUSH_AT)
        self._timer: asyncio.TimerHandle | None = None
        self._due = asyncio.Event()
        self._writing = asyncio.Lock()
        self._project = False
        self._started: dict[str, asyncio.Future[None]] = {}
        """Calls that are to be written down before they begin; done once their `ToolStarted` has been taken."""
        self._calls: list[ModelCall] = []
        self._over = False

    async def begin(self, call_id: str, name: str, args_hash: str) -> None:
        """See `app.agent.policy.journal.Journal`."""
        if self._over:
            raise NotRecorded("the run is not written down any more")
        started = self._started.setdefault(call_id, asyncio.get_running_loop().create_future())
        await started
        if not await self._flush():
            raise NotRecorded("the disk refuses")
        await self._store.intents.propose(self._run.id, call_id, name, args_hash, begins=True)

    def note_model_call(self, call: ModelCall) -> None:
        """See `app.agent.policy.journal.Journal`. Kept with the end of the step."""
        self._calls.append(call)

    async def _save_calls(self) -> None:
        """They are for looking at: where the disk refuses them, the run continues without."""
        calls, self._calls = self._calls, []
        if calls:
            try:
                await self._store.save_model_calls(self._run.id, calls)
            except (TriptychError, OSError) as error:
                log.warning("requests of run %s could not be kept: %s", self._run.id, error)

    async def follow(self) -> None:
        flusher = asyncio.create_task(self._flush_when_due(), name=f"flush {self._run.id}")
        try:
            async for line in self._run.events(gathered=True):
                self._take(line)
        finally:
            self._over = True
            for told in self._started.values():
                if not told.done():
                    told.set_exception(NotRecorded("the run has ended"))
                    told.exception()  # looked at: whoever waited may be gone
            try:
                await self._last_flush(flusher)
            finally:
                flusher.cancel()

    def _take(self, line: Stamped) -> None:
        event = line.event
        self._fold.apply(event)
        self._lines.take(line)
        if isinstance(event, Token | Thinking | ToolText):
            if self._lines.chars >= FLUSH_AT:
                self._due.set()
        elif isinstance(event, _AT_ONCE):
            if isinstance(event, ToolStarted):
                started = self._started.setdefault(event.id, asyncio.get_running_loop().create_future())
                if not started.done():
                    started.set_result(None)
            self._project = self._project or isinstance(event, StepEnd | ToolReturned)
            self._due.set()
        if self._timer is None and not is_terminal(event):
            self._timer = asyncio.get_running_loop().call_later(self._wait, self._due.set)

    async def _flush_when_due(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            if not await self._flush():
                await asyncio.sleep(TRY_AGAIN)
                self._due.set()

    async def _flush(self) -> bool:
        """False if the disk refused; what was to be written is kept."""
        async with self._writing:
            lines = self._lines.give()
            project, self._project = self._project, False
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if not lines:
                return True
            try:
                for line in lines:
                    await self._save_result(line)
                await self._store.append(self._run.id, lines, self._fold.message() if project else None)
            except BaseException as error:
                # Also when the flush itself is cancelled: what was taken out goes back, `append` may repeat.
                self._lines.give_back(lines)
                self._project = self._project or project
                if not isinstance(error, TriptychError | OSError):
                    raise
                log.warning("run %s could not be written: %s", self._run.id, error)
                self._saved.notify(False)
                return False
            if project:
                await self._save_calls()
            self._saved.notify(True)
            return True

    async def _save_result(self, line: Stamped) -> None:
        if isinstance(line.event, ToolReturned):
            result = self._run.full_result(line.event.id)
            if result is not None:
                await self._store.save_result(self._run.id, line.event.id, result.to_json())

    async def _last_flush(self, flusher: asyncio.Task[None]) -> None:
        """The end of the run, with the whole message."""
        if self._timer is not None:
            self._timer.cancel()
        for attempt in range(LAST_TRIES):
            async with self._writing:
                # Not before: stopped in the middle of its work, its lines would be written twice.
                flusher.cancel()
                lines = self._lines.give()
                try:
                    for line in lines:
                        await self._save_result(line)
                    await self._store.finish(self._run.id, lines, self._fold.message(), self._spent())
                    await self._save_calls()
                    self._saved.notify(True)
                    return
                except (TriptychError, OSError) as error:
                    log.warning("the end of run %s could not be written: %s", self._run.id, error)
                    self._lines.give_back(lines)
                    self._saved.notify(False)
            await asyncio.sleep(TRY_AGAIN * (attempt + 1))
        log.error("run %s is not on disk", self._run.id)
