"""Vectors of passages and of remembered facts, each with the model that made it; compared by SQLite itself.

A vector belongs to a model and the length its vectors had: where either changes, the old ones are not compared any
more and are replaced one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from ..db.columns import number, text
from .file import KnowledgeFile

_MODEL = "(SELECT id FROM vector_model WHERE ref = ? AND dimension = ?)"


class VectorStore:
    def __init__(self, file: KnowledgeFile) -> None:
        self._file = file

    async def dimension(self, ref: str) -> int:
        """Of the model's vectors that are stored; 0 = there are none."""
        sql = (
            "SELECT m.dimension FROM vector_model m WHERE m.ref = ?"
            " AND EXISTS (SELECT 1 FROM vector v WHERE v.model = m.id) ORDER BY m.id DESC"
        )
        return await self._file.read(lambda cursor: number(cursor.execute(sql, (ref,)).get or 0), 0, "vectors")

    async def missing(self, base: str, ref: str, dimension: int, after: int, limit: int) -> list[tuple[int, str]]:
        """Passages from a number on that have no such vector, with their headings and text."""
        sql = (
            "SELECT p.n, p.heading, p.text FROM file f CROSS JOIN passage p ON p.file = f.n"  # noqa: S608
            f" LEFT JOIN vector v ON v.passage = p.n AND v.model = {_MODEL}"
            " WHERE f.base = ? AND v.passage IS NULL AND p.n > ? ORDER BY p.n LIMIT ?"
        )
        values = (ref, dimension, base, after, limit)

        def work(cursor: apsw.Cursor) -> list[tuple[int, str]]:
            return [
                (number(n), f"{head}\n{body}" if head else str(body)) for n, head, body in cursor.execute(sql, values)
            ]

        return await self._file.read(work, list[tuple[int, str]](), "vectors")

    async def counts(self, base: str, ref: str, dimension: int) -> tuple[int, int]:
        """How many passages have such a vector, and how many there are."""
        sql = (
            f"SELECT count(v.passage), count(*) FROM file f CROSS JOIN passage p ON p.file = f.n"  # noqa: S608
            f" LEFT JOIN vector v ON v.passage = p.n AND v.model = {_MODEL} WHERE f.base = ?"
        )

        def work(cursor: apsw.Cursor) -> tuple[int, int]:
            have, whole = cursor.execute(sql, (ref, dimension, base)).fetchall()[0]
            return number(have), number(whole)

        return await self._file.read(work, (0, 0), "vectors")

    async def put(self, ref: str, dimension: int, vectors: Iterable[tuple[int, bytes]]) -> None:
        """In place of those the passages had. A passage that is gone meanwhile gets none."""
        rows = [(data, n) for n, data in vectors]

        def work(cursor: apsw.Cursor) -> None:
            model = _model(cursor, ref, dimension)
            cursor.executemany(
                f"INSERT OR REPLACE INTO vector SELECT n, file, {model}, ? FROM passage WHERE n = ?",  # noqa: S608
                rows,
            )

        await self._file.write(work)

    async def search(
        self, bases: Sequence[str], ref: str, vector: bytes, limit: int, folder: str = ""
    ) -> list[tuple[int, float]]:
        """Passages nearest to a vector of the same model and length, with the cosine of the angle, nearest first."""
        if not bases:
            return []
        marks = ", ".join("?" for _ in bases)
        sql = (
            f"SELECT v.passage, vec1_cos_distance(v.data, ?) AS d FROM vector v WHERE v.model = {_MODEL}"  # noqa: S608
            f" AND v.file IN (SELECT n FROM file WHERE base IN ({marks})"
            " AND (? = '' OR substr(path, 1, length(?)) = ?)) ORDER BY d LIMIT ?"
        )
        values = (vector, ref, len(vector) // 4, *bases, folder, folder, folder, limit)

        def work(cursor: apsw.Cursor) -> list[tuple[int, float]]:
            return [(number(n), 1 - float(d)) for n, d in cursor.execute(sql, values) if d is not None]

        return await self._file.read(work, list[tuple[int, float]](), "vectors")

    # ------------------------------------------------------------ facts

    async def facts_missing(self, ref: str, dimension: int, facts: Mapping[str, str]) -> list[str]:
        """Ids of those without such a vector of that text; `facts` are hashes by id."""
        sql = f"SELECT fact, hash FROM fact_vector WHERE model = {_MODEL}"  # noqa: S608

        def work(cursor: apsw.Cursor) -> dict[str, str]:
            return {text(id): text(hash) for id, hash in cursor.execute(sql, (ref, dimension))}

        have = await self._file.read(work, dict[str, str](), "vectors")
        return [id for id, hash in facts.items() if have.get(id) != hash]

    async def put_facts(self, ref: str, dimension: int, rows: Iterable[tuple[str, str, bytes]]) -> None:
        """(id, hash of the text, vector)."""
        stored_rows = list(rows)

        def work(cursor: apsw.Cursor) -> None:
            model = _model(cursor, ref, dimension)
            sql = f"INSERT OR REPLACE INTO fact_vector VALUES (?, ?, {model}, ?)"  # noqa: S608 - a number of ours
            cursor.executemany(sql, stored_rows)

        await self._file.write(work)

    async def nearest_facts(self, ref: str, vector: bytes, ids: Iterable[str]) -> dict[str, float]:
        """The cosine of the angle, by id."""
        sql = f"SELECT fact, vec1_cos_distance(data, ?) FROM fact_vector WHERE model = {_MODEL}"  # noqa: S608
        wanted = set(ids)

        def work(cursor: apsw.Cursor) -> dict[str, float]:
            rows = cursor.execute(sql, (vector, ref, len(vector) // 4))
            return {text(id): 1 - float(d) for id, d in rows if id in wanted and d is not None}

        return await self._file.read(work, dict[str, float](), "vectors")

    async def forget_facts(self, ids: Sequence[str]) -> None:
        """Nothing is written where none of them has a vector."""
        marks = ", ".join("?" for _ in ids)
        sql = f"SELECT fact FROM fact_vector WHERE fact IN ({marks})"  # noqa: S608 - only marks are put in
        none = list[tuple[Any, ...]]()
        there = await self._file.read(lambda cursor: cursor.execute(sql, tuple(ids)).fetchall(), none, "vectors")
        if there:
            await self._file.write(lambda cursor: cursor.executemany("DELETE FROM fact_vector WHERE fact = ?", there))


def _model(cursor: apsw.Cursor, ref: str, dimension: int) -> int:
    cursor.execute("INSERT OR IGNORE INTO vector_model (ref, dimension) VALUES (?, ?)", (ref, dimension))
    return number(cursor.execute(_MODEL[1:-1], (ref, dimension)).get)
