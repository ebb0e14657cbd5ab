"""Runs and their event logs: the stored truth of what an agent did.

    await runs.start(run, session, message, agent, mode, model)   the answer's row, state streaming
    await runs.append(run, lines, message)                        repeatedly, each whole or not at all
    await runs.finish(run, lines, message)                        the last lines and the whole message

A message row is the projection of its run's log, written in the same transaction. The lines of a log count from 0
without a gap; text is joined in them (`app.services.runs.event_batches`). Older logs, with a line for each piece, are
read the same way.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import apsw

from app.core.ids import is_temporary

from ..db import owner
from ..db.database import Database
from ..db.encoding import object_in, to_text
from ..db.owner import RENEW_EVERY, Owner
from . import intents, model_calls, past_answers, run_rows
from . import message_rows as bodies
from .intents import IntentStore
from .past_answers import PastAnswer
from .run_rows import RunRow, UsageRow, UsedRow
from .session_rows import number_of as session_number
from .sessions import touch

if TYPE_CHECKING:
    from app.core.run.event_line import Stamped
    from app.core.run.messages import Message
    from app.core.run.model_call import ModelCall


class RunStore:
    """Holds this process's lease while it has runs in progress."""

    def __init__(self, db: Database, me: Owner | None = None) -> None:
        self._db = db
        self.owner = me or Owner()
        self.intents = IntentStore(db)
        self._open: set[str] = set()
        self._renewal: asyncio.Task[None] | None = None

    async def recover(self) -> list[str]:
        """At start: ends what dead processes left behind; returns the ids of the sessions changed."""
        from .recovery import recover

        return await self._db.write(lambda cursor: recover(cursor, self.owner.id))

    async def start(
        self,
        run_id: str,
        session: str,
        message: Message | None,
        agent: str = "",
        mode: str = "",
        model: str = "",
        *,
        parent: str | None = None,
    ) -> None:
        """Stores the run and the row of its answer. A run inside another one (`parent`) may have no message."""

        def work(cursor: apsw.Cursor) -> None:
            n = session_number(cursor, session) if session else None
            owner.renew(cursor, self.owner)
            if message is not None and n is not None:
                bodies.insert(cursor, n, message, self.owner.id)
            cursor.execute(
                "INSERT INTO run (id, session, message, parent, agent, mode, model, started, state, owner)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'streaming', ?)",
                (
                    run_id, n, message.id if message else None, parent,
                    agent, mode, model, time.time(), self.owner.id,
                ),
            )  # fmt: skip

        if is_temporary(run_id):  # nobody else can see its rows, so no lease is kept for them
            await self._db.temporary.write(work)
            return
        self._open.add(run_id)
        try:
            await self._db.write(work)
        except BaseException:
            self._open.discard(run_id)
            raise
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew(), name="renew the owner's lease")

    async def append(self, run_id: str, lines: Sequence[Stamped], message: Message | None = None) -> None:
        """All of it is on the disk on return; `message` is the projection so far."""

        def work(cursor: apsw.Cursor) -> None:
            n = self._claim(cursor, run_id)
            run_rows.insert_events(cursor, n, lines)
            intents.settle(cursor, n, lines)
            if message is not None:
                self._project(cursor, n, message, self.owner.id)

        await self._db.of(run_id).write(work)

    async def finish(
        self, run_id: str, lines: Sequence[Stamped], message: Message, spent: Mapping[str, float] | None = None
    ) -> None:
        """`lines` end in the terminal event, `message` in the state that follows from it.

        `spent` are the seconds of work and the tool_calls that count for budgets.
        """

        def work(cursor: apsw.Cursor) -> None:
            n = run_rows.number_of(cursor, run_id)
            run_rows.insert_events(cursor, n, lines)
            intents.settle(cursor, n, lines)
            run_rows.end(cursor, n, message.state, lines, spent)
            session = self._project(cursor, n, message, None)
            if session is not None:
                touch(cursor, session, message)

        await self._db.of(run_id).write(work)
        if run_id in self._open:
            self._open.discard(run_id)
            if not self._open:
                await self._rest()

    async def events(self, run_id: str) -> list[Stamped]:
        """Raises UnknownName."""
        return await self._db.of(run_id).read(lambda cursor: run_rows.read_events(cursor, run_id))

    async def rows(self, session: str | None = None, limit: int = 50) -> list[RunRow]:
        """Newest first."""
        db = self._db.of(session or "")
        return await db.read(lambda cursor: run_rows.read_rows(cursor, session, limit))

    async def usage(
        self, session: str | None = None, since: float = 0.0, until: float = 1e12, *, by_session: bool = False
    ) -> list[UsageRow]:
        """Sums by day, agent and model, and by session if asked for, newest day first."""
        db = self._db.of(session or "")
        return await db.read(lambda cursor: run_rows.read_usage(cursor, session, since, until, by_session=by_session))

    async def used(self, session: str | None = None, since: float = 0.0, *, but: Sequence[str] = ()) -> list[UsedRow]:
        """What counts for the budget of a session, or of all runs begun `since`, temporary ones too.

        Without the runs `but`. A run that is active counts nothing yet.
        """
        of_all = [self._db, *([self._db.temporary] if self._db.has_temporary else ())]
        found: list[UsedRow] = []
        for db in [self._db.of(session)] if session else of_all:
            found += await db.read(lambda cursor: run_rows.read_used(cursor, session, since, but))
        return found

    async def save_result(self, run_id: str, call_id: str, body: Mapping[str, Any]) -> None:
        """The whole result of a tool call; the event log holds what the model saw of it."""

        def work(cursor: apsw.Cursor) -> None:
            cursor.execute(
                "INSERT INTO result (run, call_id, body) VALUES (?, ?, ?)"
                " ON CONFLICT (run, call_id) DO UPDATE SET body = excluded.body",
                (run_rows.number_of(cursor, run_id), call_id, to_text(body)),
            )

        await self._db.of(run_id).write(work)

    async def result(self, run_id: str, call_id: str) -> dict[str, Any] | None:
        """A `ToolResult.to_json`, or None."""

        def work(cursor: apsw.Cursor) -> Any:
            return cursor.execute(
                "SELECT body FROM result WHERE run = (SELECT n FROM run WHERE id = ?) AND call_id = ?",
                (run_id, call_id),
            ).get

        text = await self._db.of(run_id).read(work)
        return object_in(text) or None

    async def save_model_calls(self, run_id: str, calls: Sequence[ModelCall]) -> None:
        await self._db.of(run_id).write(
            lambda cursor: model_calls.put(cursor, run_rows.number_of(cursor, run_id), calls)
        )

    async def model_calls(self, run_id: str) -> list[ModelCall]:
        """Raises UnknownName. Empty for a run whose requests are not kept any more."""
        return await self._db.of(run_id).read(
            lambda cursor: model_calls.of_run(cursor, run_rows.number_of(cursor, run_id))
        )

    async def past_answers(self, agent: str, limit: int) -> list[PastAnswer]:
        """Finished answers of this agent that have a plan or were liked, newest first."""
        return await self._db.read(lambda cursor: past_answers.read(cursor, agent, limit))

    async def close(self) -> None:
        """Before the database is closed."""
        if self._renewal is not None:
            await self._rest()

    def _claim(self, cursor: apsw.Cursor, run_id: str) -> int:
        """Another process may have thought us dead, after a long sleep: we are here, and know more."""
        n = run_rows.number_of(cursor, run_id)
        cursor.execute(
            "UPDATE run SET owner = ?1, state = 'streaming', ended = NULL WHERE n = ?2 AND owner IS NOT ?1",
            (self.owner.id, n),
        )
        return n

    def _project(self, cursor: apsw.Cursor, run: int, message: Message, owned_by: str | None) -> int | None:
        """Returns the number of the session, None if the run has none (any more)."""
        session = cursor.execute("SELECT session FROM run WHERE n = ?", (run,)).get
        if session is None:
            return None
        bodies.update(cursor, session, message, owned_by)
        return int(session)

    async def _renew(self) -> None:
        from app.core.errors import ForThePerson

        while True:
            await asyncio.sleep(RENEW_EVERY)
            # A missed renewal is made up for by the next one; the run itself reports a disk that fails.
            with contextlib.suppress(ForThePerson):
                await self._db.write(lambda cursor: owner.renew(cursor, self.owner))

    async def _rest(self) -> None:
        """No run in progress: no lease to keep, and nothing to wake up for."""
        task, self._renewal = self._renewal, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if not self._open:
            await self._db.write(lambda cursor: owner.leave(cursor, self.owner))
