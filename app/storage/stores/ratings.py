"""Thumbs on answers, with the question and the mode they were given to. They go with their message."""

from __future__ import annotations

import time
from dataclasses import dataclass

import apsw

from ..db.columns import number, row_of, text
from ..db.database import Database
from ..db.encoding import clean

LONGEST_QUERY = 500
"""Characters of a question that are kept with its rating."""


@dataclass(frozen=True, slots=True)
class Rating:
    message: str
    agent: str
    mode: str
    query: str
    value: int
    """1 or -1."""


class RatingStore:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def put(self, rating: Rating) -> None:
        """In place of an earlier one; 0 takes it back."""
        values = (rating.message, rating.agent, rating.mode, clean(rating.query[:LONGEST_QUERY]), rating.value)

        def work(cursor: apsw.Cursor) -> None:
            if rating.value == 0:
                cursor.execute("DELETE FROM rating WHERE message = ?", (rating.message,))
            else:
                cursor.execute("INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?)", (*values, time.time()))

        await self._db.of(rating.message).write(work)

    async def all(self, agent: str, limit: int = 500) -> list[Rating]:
        """Of one agent, newest first."""
        sql = "SELECT message, agent, mode, query, value FROM rating WHERE agent = ? ORDER BY created DESC LIMIT ?"
        return await self._db.read(lambda cursor: [row_of(Rating, row) for row in cursor.execute(sql, (agent, limit))])

    async def of_session(self, session: str) -> dict[str, int]:
        """The rating of each rated message."""
        sql = (
            "SELECT r.message, r.value FROM rating r JOIN message m ON m.id = r.message"
            " WHERE m.session = (SELECT n FROM session WHERE id = ?)"
        )
        return await self._db.of(session).read(
            lambda cursor: {text(id): number(value) for id, value in cursor.execute(sql, (session,))}
        )

    async def clear(self) -> None:
        await self._db.write(lambda cursor: cursor.execute("DELETE FROM rating").fetchall())
