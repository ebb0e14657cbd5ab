"""Values stored with a session beside its messages: small JSON values under a kind, one table for all."""

from __future__ import annotations

from typing import Any

import apsw

from ..db.columns import text
from ..db.database import Database
from ..db.encoding import names_in, readable, to_text
from .session_rows import number_of


def read_notes(cursor: apsw.Cursor, id: str) -> dict[str, Any]:
    """All notes of session `id`, by their kind."""
    sql = "SELECT kind, body FROM session_note WHERE session = (SELECT n FROM session WHERE id = ?)"
    return {text(kind): readable(body) for kind, body in cursor.execute(sql, (id,))}


class NoteStore:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def get(self, id: str, kind: str) -> Any:
        """What was kept under `kind` with the session; None if there is nothing."""
        text = await self._db.of(id).read(
            lambda cursor: (
                cursor.execute(
                    "SELECT body FROM session_note WHERE kind = ? AND session = (SELECT n FROM session WHERE id = ?)",
                    (kind, id),
                ).get
            )
        )
        return readable(text)

    async def names(self, id: str, kind: str) -> list[str]:
        """A note that is a list of texts."""
        return names_in(await self.get(id, kind))

    async def put(self, id: str, kind: str, body: Any) -> None:
        """None removes it. Raises UnknownName."""

        def work(cursor: apsw.Cursor) -> None:
            session = number_of(cursor, id)
            if body is None:
                cursor.execute("DELETE FROM session_note WHERE session = ? AND kind = ?", (session, kind))
            else:
                values = (session, kind, to_text(body))
                cursor.execute("INSERT OR REPLACE INTO session_note (session, kind, body) VALUES (?, ?, ?)", values)

        await self._db.of(id).write(work)

    async def sessions_with(self, kind: str) -> list[str]:
        """The sessions that have a note of this kind."""
        sql = "SELECT s.id FROM session_note JOIN session s ON s.n = session_note.session WHERE kind = ?"
        return await self._db.read(lambda cursor: [str(row[0]) for row in cursor.execute(sql, (kind,))])
