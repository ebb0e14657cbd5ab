"""The active runs, one per session and those inside them; each is recorded to its end, with or without a window."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from app.agent.context import RunContext
from app.agent.run import Run
from app.core.errors import BadInput
from app.core.run.transcript import Fold
from app.storage.stores.runs import RunStore

from ..changes import Changes
from ..tools.grants import RunGrant
from .budgets import Budgets, spent_by
from .recorder import Recorder

log = logging.getLogger(__name__)

STOP_WAIT = 4.0
"""Seconds the shutdown waits for runs to end and be written."""


class AlreadyRunning(BadInput):
    """The session is still busy with the last question."""

    code = "ALREADY_RUNNING"


class ActiveRuns:
    def __init__(self, runs: RunStore, budgets: Budgets, changes: Changes[str]) -> None:
        """`changes` is told the id of a session whose run has ended."""
        self._runs, self._budgets, self._changes = runs, budgets, changes
        self._running: dict[str, Run] = {}
        self._inner: dict[str, Run] = {}
        """Runs inside those, by their own id."""
        self._starting: dict[str, asyncio.Event] = {}
        """Sessions whose run is being prepared; set when it is there, or will never be."""
        self._recording: dict[str, asyncio.Task[None]] = {}
        """By session, or id of an inner run; a run that has ended stays here until it is on disk."""
        self._saving: Changes[bool] = Changes()

    def running(self, session_id: str) -> Run | None:
        run = self._running.get(session_id)
        return run if run is not None and run.is_running else None

    def inner_run(self, run_id: str) -> Run | None:
        """A run inside an active one (`SubRun`); afterwards its events are read like any other's."""
        return self._inner.get(run_id)

    def running_sessions(self) -> set[str]:
        return {id for id, run in self._running.items() if run.is_running}

    def run_grants(self) -> list[RunGrant]:
        """What the person has allowed for the active runs."""
        return [
            RunGrant(run.agent, rule.tool, rule.subject, partial(run.revoke, rule))
            for run in self._running.values()
            if run.is_running
            for rule in run.granted
        ]

    def listen_saving(self, listener: Callable[[bool], None]) -> Callable[[], None]:
        """`listener` is called with whether the last write of a run reached the disk."""
        return self._saving.listen(listener)

    async def recorded(self) -> None:
        """Returns when every run that has ended is on disk."""
        while self._recording:
            await asyncio.wait(tuple(self._recording.values()))

    async def stop_all(self) -> None:
        """Stop what runs, or is about to, and write it down; gives up after a few seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_WAIT):
                for starting in tuple(self._starting.values()):
                    await starting.wait()
        for run in tuple(self._running.values()):
            run.cancel()
        if self._recording:
            await asyncio.wait(tuple(self._recording.values()), timeout=STOP_WAIT)

    @contextmanager
    def alone(self, session_id: str) -> Iterator[None]:
        """Two questions sent at the same moment are still one run: the second is refused at once."""
        if session_id in self._starting or self.running(session_id) is not None:
            raise AlreadyRunning("the last question is still being answered")
        over = self._starting[session_id] = asyncio.Event()
        try:
            yield
        finally:
            del self._starting[session_id]
            over.set()

    def add(self, run: Run, ctx: RunContext, fold: Fold) -> None:
        """Records the run to its end; one inside another (`run.parent`) beside it, any other as that of its session."""
        key = run.id if run.parent else run.session
        if run.parent:
            self._inner[run.id] = run
        else:
            self._running[run.session] = run
            self._budgets.follow(run.id, ctx.services.spending)
        spent = partial(spent_by, ctx)
        ctx.services.journal = recorder = Recorder(run, self._runs, fold, saved=self._saving, spent=spent)
        task = asyncio.create_task(recorder.follow(), name=f"record {run.id}")
        self._recording[key] = task

        def ended(task: asyncio.Task[None]) -> None:
            if self._recording.get(key) is task:
                del self._recording[key]
            if self._running.get(run.session) is run:
                del self._running[run.session]
            self._budgets.forget(run.id)
            self._inner = {id: inner for id, inner in self._inner.items() if inner.parent != run.id}
            if not task.cancelled() and (error := task.exception()):
                log.error("run %s was not recorded to its end", run.id, exc_info=error)
            self._changes.notify(run.session)

        task.add_done_callback(ended)

    async def written(self, session_id: str) -> None:
        """Returns when the last run of this session is on disk."""
        if (writing := self._recording.get(session_id)) is not None:
            await asyncio.wait([writing])
