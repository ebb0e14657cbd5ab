"""Vectors of passages on the server, with an index of near ones for every model and length."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from app.core.errors import KnowledgeServerFailed
from app.core.knowledge import SERVER

from .connection import Server, rows_of

if TYPE_CHECKING:
    from asyncpg import Connection

_LONGEST_EXACT, _LONGEST_HALF = 2_000, 4_000
"""Numbers of a vector that the index takes whole, and at half the precision; longer ones are compared one by one."""
_MODEL = "(SELECT n FROM vector_model WHERE ref = $1 AND dimension = $2)"


class ServerVectors:
    def __init__(self, server: Server) -> None:
        self._server = server

    async def dimension(self, ref: str) -> int:
        sql = (
            "SELECT m.dimension FROM vector_model m WHERE m.ref = $1"
            " AND EXISTS (SELECT 1 FROM passage_vector v WHERE v.model = m.n) ORDER BY m.n DESC LIMIT 1"
        )

        async def work(connection: Connection) -> int:
            return int(await connection.fetchval(sql, ref) or 0) if self._server.has_vectors else 0

        return await self._server.read(work)

    async def missing(self, base: str, ref: str, dimension: int, after: int, limit: int) -> list[tuple[int, str]]:
        sql = (
            "SELECT p.n, p.heading, p.text FROM passage p JOIN base b ON b.n = p.base"  # noqa: S608 - names of ours
            f" LEFT JOIN passage_vector v ON v.passage = p.n AND v.model = {_MODEL}"
            " WHERE b.id = $3 AND v.passage IS NULL AND p.n > $4 ORDER BY p.n LIMIT $5"
        )

        async def work(connection: Connection) -> list[tuple[int, str]]:
            self._check()
            rows = rows_of(await connection.fetch(sql, ref, dimension, _own(base), after, limit))
            return [(n, f"{head}\n{body}" if head else body) for n, head, body in rows]

        return await self._server.read(work)

    async def counts(self, base: str, ref: str, dimension: int) -> tuple[int, int]:
        sql = (
            "SELECT count(v.passage), count(*) FROM passage p JOIN base b ON b.n = p.base"  # noqa: S608
            f" LEFT JOIN passage_vector v ON v.passage = p.n AND v.model = {_MODEL} WHERE b.id = $3"
        )

        async def work(connection: Connection) -> tuple[int, int]:
            if not self._server.has_vectors:
                plain = "SELECT count(*) FROM passage p JOIN base b ON b.n = p.base WHERE b.id = $1"
                return 0, int(await connection.fetchval(plain, _own(base)))
            have, whole = rows_of(await connection.fetch(sql, ref, dimension, _own(base)))[0]
            return have, whole

        return await self._server.read(work)

    async def put(self, ref: str, dimension: int, vectors: Iterable[tuple[int, bytes]]) -> None:
        rows = list(vectors)

        async def work(connection: Connection) -> None:
            self._check()
            model = await _model(connection, ref, dimension)
            await connection.execute(
                "INSERT INTO passage_vector SELECT p.n, p.file, p.base, $1, given.data::vector FROM"
                " unnest($2::bigint[], $3::text[]) AS given (n, data) JOIN passage p ON p.n = given.n"
                " ON CONFLICT (passage) DO UPDATE SET model = excluded.model, data = excluded.data",
                model, [n for n, _data in rows], [_written(data) for _n, data in rows],
            )  # fmt: skip

        if rows:
            await self._server.write(work)

    async def search(
        self, bases: Sequence[str], ref: str, vector: bytes, limit: int, folder: str = ""
    ) -> list[tuple[int, float]]:
        dimension = len(vector) // 4
        kind = _kind(dimension)
        distance = f"v.data::{kind}({dimension}) <=> $1::text::{kind}({dimension})"

        async def work(connection: Connection) -> list[tuple[int, float]]:
            self._check()
            model = await connection.fetchval(_MODEL[1:-1], ref, dimension)
            wanted = [_own(base) for base in bases]
            numbers = [n for (n,) in rows_of(await connection.fetch("SELECT n FROM base WHERE id = ANY($1)", wanted))]
            if model is None or not numbers:
                return []
            # Of other bases and folders may be those that the index names first: it is asked for more until it is
            # enough.
            await connection.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            await connection.execute(f"SET LOCAL hnsw.ef_search = {max(100, limit)}")
            rows = await connection.fetch(
                f"SELECT v.passage, {distance} AS distance FROM passage_vector v WHERE v.model = {int(model)}"  # noqa: S608
                " AND v.base = ANY($2::int[]) AND ($3 = '' OR EXISTS (SELECT 1 FROM file f WHERE f.n = v.file"
                " AND starts_with(f.path, $3))) ORDER BY distance LIMIT $4",
                _written(vector), numbers, folder, limit,
            )  # fmt: skip
            return [(n, 1 - distance) for n, distance in rows_of(rows) if not math.isnan(distance)]

        return await self._server.read(work) if bases else []

    def _check(self) -> None:
        if not self._server.has_vectors:
            message = "the server has no extension vector"
            raise KnowledgeServerFailed(message, reason="SERVER_VECTORS")


def _own(id: str) -> str:
    return id.removeprefix(SERVER)


def _kind(dimension: int) -> str:
    return "halfvec" if _LONGEST_EXACT < dimension <= _LONGEST_HALF else "vector"


def _written(data: bytes) -> str:
    return "[" + ",".join(f"{number:.9g}" for number in array("f", data)) + "]"


async def _model(connection: Connection, ref: str, dimension: int) -> int:
    """Its number; the first time with its index."""
    number = await connection.fetchval(_MODEL[1:-1], ref, dimension)
    if number is not None:
        return int(number)
    model = await connection.fetchval(
        "INSERT INTO vector_model (ref, dimension) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING n", ref, dimension
    )
    if model is None:  # another program was first
        return int(await connection.fetchval(_MODEL[1:-1], ref, dimension))
    if dimension <= _LONGEST_HALF:
        kind = _kind(dimension)
        await connection.execute(
            f"CREATE INDEX ON passage_vector USING hnsw ((data::{kind}({dimension})) {kind}_cosine_ops)"
            f" WHERE model = {int(model)}"
        )
    return int(model)
