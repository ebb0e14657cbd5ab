"""Tool calls that are about to run, written before they do.

A call that was running when the process died is `unknown` afterwards: it may have happened. It is shown as unknown and
never repeated automatically.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import apsw

from app.core.run.event_line import Stamped
from app.core.run.events import ToolReturned

from ..db.columns import row_of
from ..db.database import Database
from .run_rows import number_of

IntentState = Literal["proposed", "running", "done", "failed", "unknown"]
OPEN: tuple[IntentState, ...] = ("proposed", "running")


@dataclass(frozen=True, slots=True)
class CallIntent:
    call_id: str
    name: str
    args_hash: str
    state: IntentState
    started: float | None
    ended: float | None


def propose(cursor: apsw.Cursor, run: int, call_id: str, name: str, args_hash: str, permit: str, server: str) -> None:
    cursor.execute(
        "INSERT INTO tool_intent (run, call_id, name, args_hash, state, permit, server)"
        " VALUES (?, ?, ?, ?, 'proposed', ?, ?) ON CONFLICT (run, call_id) DO NOTHING",
        (run, call_id, name, args_hash, permit or None, server or None),
    )


def mark(cursor: apsw.Cursor, run: int, call_id: str, state: IntentState) -> None:
    if state == "running":
        sql = "UPDATE tool_intent SET state = ?, started = ? WHERE run = ? AND call_id = ?"
    else:
        sql = "UPDATE tool_intent SET state = ?, ended = ? WHERE run = ? AND call_id = ?"
    cursor.execute(sql, (state, time.time(), run, call_id))


def settle(cursor: apsw.Cursor, run: int, lines: Iterable[Stamped]) -> None:
    """In the transaction that writes a call's result, so that the log and this table never disagree."""
    for line in lines:
        if isinstance(line.event, ToolReturned):
            state = "done" if line.event.ok else "unknown" if line.event.status == "unknown" else "failed"
            cursor.execute(
                "UPDATE tool_intent SET state = ?, ended = ? WHERE run = ? AND call_id = ? AND state = 'running'",
                (state, time.time(), run, line.event.id),
            )


def of_run(cursor: apsw.Cursor, run: int) -> list[CallIntent]:
    rows = cursor.execute(
        "SELECT call_id, name, args_hash, state, started, ended FROM tool_intent WHERE run = ? ORDER BY call_id", (run,)
    )
    return [row_of(CallIntent, row) for row in rows]


def abandon(cursor: apsw.Cursor, run: int) -> set[str]:
    """The process is gone: what ran has an unknown outcome, what waited did not happen. Returns the former."""
    rows = cursor.execute("SELECT call_id FROM tool_intent WHERE run = ? AND state = 'running'", (run,))
    running = {str(row[0]) for row in rows.fetchall()}
    cursor.execute("UPDATE tool_intent SET state = 'unknown' WHERE run = ? AND state = 'running'", (run,))
    cursor.execute("UPDATE tool_intent SET state = 'failed' WHERE run = ? AND state = 'proposed'", (run,))
    return running


class IntentStore:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def propose(
        self,
        run_id: str,
        call_id: str,
        name: str,
        args_hash: str,
        *,
        permit: str = "",
        server: str = "",
        begins: bool = False,
    ) -> None:
        """Before the call may run; on the disk on return. `begins`: it runs from now on, marked with the same write."""

        def work(cursor: apsw.Cursor) -> None:
            n = number_of(cursor, run_id)
            propose(cursor, n, call_id, name, args_hash, permit, server)
            if begins:
                mark(cursor, n, call_id, "running")

        await self._db.of(run_id).write(work)

    async def mark(self, run_id: str, call_id: str, state: IntentState) -> None:
        await self._db.of(run_id).write(lambda cursor: mark(cursor, number_of(cursor, run_id), call_id, state))

    async def of_run(self, run_id: str) -> list[CallIntent]:
        return await self._db.of(run_id).read(lambda cursor: of_run(cursor, number_of(cursor, run_id)))
