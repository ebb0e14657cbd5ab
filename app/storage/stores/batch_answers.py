"""The answers of batches on a PostgreSQL server: several machines write into one table, each answer once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ..knowledge.server.connection import Server

if TYPE_CHECKING:
    from asyncpg import Connection

_TABLE: Final = """
    CREATE TABLE IF NOT EXISTS batch_answers (
        batch text NOT NULL, id text NOT NULL, line jsonb NOT NULL, written timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (batch, id)
    )
"""
_LOCK: Final = "SELECT pg_advisory_xact_lock(7473795642)"
"""Two processes that make one table at the same moment would fail, whatever IF NOT EXISTS says."""
_WRITE: Final = """
    INSERT INTO batch_answers (batch, id, line) VALUES ($1, $2, $3)
    ON CONFLICT (batch, id) DO UPDATE SET line = excluded.line, written = now()
"""


class BatchAnswerTable:
    """Everything may raise KnowledgeServerFailed."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def lines(self, batch: str) -> list[dict[str, Any]]:
        """What there is of the batch; makes the table."""

        async def work(connection: Connection) -> list[dict[str, Any]]:
            await connection.execute(_LOCK)
            await connection.execute(_TABLE)
            rows = await connection.fetch("SELECT line FROM batch_answers WHERE batch = $1", batch)
            return [json.loads(row["line"]) for row in rows]

        return await self._server.write(work)

    async def add(self, batch: str, id: str, line: Mapping[str, Any]) -> None:
        """The later answer takes the place of the earlier one."""
        # The server keeps no NUL in a text.
        text = json.dumps(line, ensure_ascii=False, default=str).replace("\\u0000", "").encode("utf-8", "replace")

        async def work(connection: Connection) -> None:
            await connection.execute(_WRITE, batch, id, text.decode())

        await self._server.write(work)

    async def close(self) -> None:
        await self._server.close()
