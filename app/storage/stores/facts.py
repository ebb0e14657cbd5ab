"""What agents remember: one row per fact, with an index of its words. Implements what `services/memory` keeps."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import apsw

from app.core.memory import MemoryFact

from ..db import search_index
from ..db.columns import number, row_of, text
from ..db.database import Database
from ..db.encoding import clean

_COLUMNS = "id, agent, text, kind, about, state, session, run, created, valid_from, valid_to, replaces, used"
_CHANGEABLE = frozenset({"text", "kind", "about", "state", "valid_from", "valid_to", "replaces", "used"})


class FactStore:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, fact: MemoryFact) -> None:
        values = (
            fact.id, fact.agent, clean(fact.text), clean(fact.kind), clean(fact.about), fact.state, fact.session,
            fact.run, fact.created, fact.valid_from, fact.valid_to, fact.replaces, fact.used,
        )  # fmt: skip

        def work(cursor: apsw.Cursor) -> None:
            cursor.execute(f"INSERT INTO fact ({_COLUMNS}) VALUES (?{', ?' * 12})", values)  # noqa: S608 - names of ours
            search_index.put_fact(cursor, cursor.connection.last_insert_rowid(), fact.text)

        await self._db.write(work)

    async def get(self, id: str) -> MemoryFact | None:
        rows = await self._select("id = ?", (id,), 1)
        return rows[0] if rows else None

    async def all(
        self, agent: str = "", *, state: str = "", session: str = "", limit: int = 10_000
    ) -> list[MemoryFact]:
        """Newest first; "" is any."""
        filters = {"agent": agent, "state": state, "session": session}
        where = " AND ".join(["1", *(f"{name} = ?" for name, value in filters.items() if value)])
        return await self._select(where, tuple(value for value in filters.values() if value), limit)

    async def agents(self) -> dict[str, int]:
        """How many facts each agent keeps."""
        sql = "SELECT agent, count(*) FROM fact WHERE state = 'kept' AND valid_to IS NULL GROUP BY agent"
        return await self._db.read(lambda cursor: {text(id): number(n) for id, n in cursor.execute(sql)})

    async def search(self, agent: str, match: str, limit: int) -> list[tuple[MemoryFact, float]]:
        """Facts that hold any word of the FTS5 expression, with their relevance: higher is better. "" is any agent."""
        if not match:
            return []
        columns = ", ".join(f"f.{name.strip()}" for name in _COLUMNS.split(","))
        sql = (
            f"SELECT bm25(fact_search), {columns} FROM fact_search JOIN fact f ON f.n = fact_search.rowid"  # noqa: S608
            " WHERE fact_search MATCH ? AND f.state = 'kept' AND f.valid_to IS NULL AND (? = '' OR f.agent = ?)"
            " ORDER BY rank LIMIT ?"
        )

        def work(cursor: apsw.Cursor) -> list[tuple[MemoryFact, float]]:
            rows = cursor.execute(sql, (match, agent, agent, limit))
            return [(row_of(MemoryFact, row[1:]), -float(row[0])) for row in rows]

        return await self._db.read(work)

    async def change(self, id: str, values: Mapping[str, Any]) -> bool:
        """Whether there is such a fact."""
        names = [name for name in values if name in _CHANGEABLE]
        sets = ", ".join(f"{name} = ?" for name in names)
        new = tuple(clean(value) if isinstance(value, str) else value for value in (values[name] for name in names))

        def work(cursor: apsw.Cursor) -> bool:
            cursor.execute(f"UPDATE fact SET {sets} WHERE id = ?", (*new, id))  # noqa: S608 - names of ours
            changed = cursor.connection.changes() > 0
            if changed and "text" in names:
                n = int(cursor.execute("SELECT n FROM fact WHERE id = ?", (id,)).get)
                search_index.put_fact(cursor, n, str(values["text"]))
            return changed

        return bool(names) and await self._db.write(work)

    async def keep(self, id: str, now: float) -> bool:
        """The fact is true from its `valid_from` on, and what it replaces is not true any more."""

        def work(cursor: apsw.Cursor) -> bool:
            cursor.execute("UPDATE fact SET state = 'kept' WHERE id = ?", (id,))
            if cursor.connection.changes() == 0:
                return False
            replaced = cursor.execute("SELECT replaces FROM fact WHERE id = ?", (id,)).get
            if replaced:
                cursor.execute("UPDATE fact SET valid_to = ? WHERE id = ? AND valid_to IS NULL", (now, replaced))
            return True

        return await self._db.write(work)

    async def forget(self, id: str) -> bool:
        """The row and its words; not to be brought back."""
        return bool(await self._forget("id = ?", (id,)))

    async def forget_all(self, agent: str) -> int:
        return await self._forget("agent = ?", (agent,))

    async def note_use(self, ids: list[str]) -> None:
        now = time.time()
        await self._db.write(
            lambda cursor: cursor.executemany("UPDATE fact SET used = ? WHERE id = ?", [(now, id) for id in ids])
        )

    async def _forget(self, where: str, values: tuple[Any, ...]) -> int:
        def work(cursor: apsw.Cursor) -> int:
            rows = [row[0] for row in cursor.execute(f"SELECT n FROM fact WHERE {where}", values)]  # noqa: S608
            for n in rows:
                search_index.remove_fact(cursor, n)
            cursor.execute(f"DELETE FROM fact WHERE {where}", values)  # noqa: S608 - SQL of ours
            return len(rows)

        return await self._db.write(work)

    async def _select(self, where: str, values: tuple[Any, ...], limit: int) -> list[MemoryFact]:
        sql = f"SELECT {_COLUMNS} FROM fact WHERE {where} ORDER BY n DESC LIMIT ?"  # noqa: S608 - SQL of ours
        return await self._db.read(
            lambda cursor: [row_of(MemoryFact, row) for row in cursor.execute(sql, (*values, limit))]
        )
