"""The database of temporary sessions: the same tables in memory, gone with the process.

The same SQL runs on it, so a temporary session can do what a stored one can, and no store needs to
know the difference: it asks `Database.of(id)` where an id lives.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from .connection import READ_WRITE, connect
from .database import Database
from .migrations import migrate

T = TypeVar("T")
NOWHERE = Path(":memory:")


class TemporaryDatabase(Database):
    """One connection, so one thread: what is read waits for what is written. Has no file, marker or backup."""

    def __init__(self) -> None:
        super().__init__(NOWHERE)

    async def read(self, work: Callable[[apsw.Cursor], T]) -> T:
        return await self.write(work)

    async def empty_wal(self) -> None:
        """There is none."""

    def _get_writer(self) -> apsw.Connection:
        if self._writer is None:
            self._writer = connect(NOWHERE, READ_WRITE | apsw.SQLITE_OPEN_CREATE)
            migrate(self._writer, NOWHERE, None)
        return self._writer

    def _mark(self, connection: apsw.Connection, clean: float | None) -> None:
        """Nothing will ask whether it was whole."""
