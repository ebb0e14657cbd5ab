"""Bases, files and passages on the server, found by words.

A passage is indexed by the stems of its words and by its Chinese characters and their pairs. A search first asks how
rare each word is; the rarest say which passages are looked at, all of them say in which order they come.
"""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from app.core.knowledge import SERVER, IndexedPassage, KnowledgeBase, Passage, SourceFile
from app.core.passages import Found
from app.core.text.question_words import CJK, TOKEN

from ...db.encoding import clean
from .connection import Server, rows_of

if TYPE_CHECKING:
    from asyncpg import Connection

COUNTED = 20_000
"""Passages of one word that are counted, and about as many as are looked at in one search."""
_PASSAGE = "p.n, b.id, f.path, p.place, p.text, p.page, p.sheet, p.row, p.heading"
_JOINED = "passage p JOIN file f ON f.n = p.file JOIN base b ON b.n = p.base"
_PUT = """
INSERT INTO passage (file, base, place, page, sheet, row, heading, text, words)
SELECT $1, $2, o - 1, page, sheet, row, heading, text,
    to_tsvector('english', latin) || array_to_tsvector(string_to_array(chinese, ' '))
FROM unnest($3::int[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[])
    WITH ORDINALITY AS given (page, sheet, row, heading, text, latin, chinese, o)
"""


class ServerStore:
    """Ids of its bases begin with `SERVER`."""

    def __init__(self, server: Server) -> None:
        self._server = server

    # ------------------------------------------------------------ bases and files

    async def bases(self) -> list[KnowledgeBase]:
        async def work(connection: Connection) -> list[KnowledgeBase]:
            rows = await connection.fetch("SELECT id, name, sources, created, watched FROM base ORDER BY name, id")
            return [
                KnowledgeBase(SERVER + id, name, tuple(sources), created, watched)
                for id, name, sources, created, watched in rows_of(rows)
            ]

        return await self._server.read(work)

    async def put_base(self, base: KnowledgeBase) -> None:
        sql = (
            "INSERT INTO base (id, name, sources, created, watched) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id)"
            " DO UPDATE SET name = excluded.name, sources = excluded.sources, watched = excluded.watched"
        )
        values = (_own(base.id), clean(base.name), list(base.sources), base.created or time.time(), base.watched)

        async def work(connection: Connection) -> None:
            await connection.execute(sql, *values)

        await self._server.write(work)

    async def remove_base(self, id: str) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute("DELETE FROM base WHERE id = $1", _own(id))

        await self._server.write(work)

    async def files(self, base: str) -> list[SourceFile]:
        sql = (
            "SELECT f.n, f.path, f.hash, f.size, f.changed, f.read, f.error, f.passages FROM file f"
            " JOIN base b ON b.n = f.base WHERE b.id = $1 ORDER BY f.path"
        )

        async def work(connection: Connection) -> list[SourceFile]:
            return [SourceFile(n, base, *rest) for n, *rest in rows_of(await connection.fetch(sql, _own(base)))]

        return await self._server.read(work)

    async def put_files(self, files: Sequence[tuple[SourceFile, Sequence[IndexedPassage]]]) -> None:
        async def work(connection: Connection) -> None:
            for file, passages in files:
                await _put(connection, file, passages)

        await self._server.write(work)

    async def remove_files(self, numbers: Sequence[int]) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute("DELETE FROM file WHERE n = ANY($1::bigint[])", list(numbers))

        if numbers:
            await self._server.write(work)

    async def note_unchanged(self, n: int, changed: float, size: int) -> None:
        async def work(connection: Connection) -> None:
            await connection.execute("UPDATE file SET changed = $1, size = $2 WHERE n = $3", changed, size, n)

        await self._server.write(work)

    # ------------------------------------------------------------ passages

    async def search(self, bases: Sequence[str], words: Sequence[str], limit: int, folder: str = "") -> Found:
        if not words or not bases:
            return {}

        async def work(connection: Connection) -> Found:
            wanted = [_own(base) for base in bases]
            numbers = [n for (n,) in rows_of(await connection.fetch("SELECT n FROM base WHERE id = ANY($1)", wanted))]
            terms = await _terms(connection, words, numbers)
            if not terms:
                return {}
            looked = _rarest(terms)
            rows = await connection.fetch(
                f"SELECT {_PASSAGE} FROM {_JOINED} WHERE p.words @@ $1::tsquery AND p.base = ANY($2::int[])"  # noqa: S608
                " AND ($3 = '' OR starts_with(f.path, $3)) ORDER BY (SELECT sum(weight) FROM"
                " unnest($4::text[], $5::float8[]) AS term (query, weight) WHERE p.words @@ query::tsquery) DESC,"
                " length(p.words), p.n LIMIT $6",
                " | ".join(f"({query})" for query, _count in looked), numbers, folder,
                [query for query, _count in terms], [_weight(count) for _query, count in terms], limit,
            )  # fmt: skip
            return dict(map(_found, rows_of(rows)))

        return await self._server.read(work)

    async def passages(self, numbers: Iterable[int]) -> Found:
        wanted = list(numbers)
        if not wanted:
            return {}
        sql = f"SELECT {_PASSAGE} FROM {_JOINED} WHERE p.n = ANY($1::bigint[])"  # noqa: S608 - names of ours

        async def work(connection: Connection) -> Found:
            by_id = dict(map(_found, rows_of(await connection.fetch(sql, wanted))))
            return {n: by_id[n] for n in wanted if n in by_id}

        return await self._server.read(work)

    async def document(self, bases: Sequence[str], path: str) -> list[Passage]:
        sql = (
            "SELECT text, page, sheet, row, heading FROM passage WHERE file = (SELECT f.n FROM file f"
            " JOIN base b ON b.n = f.base WHERE f.path = $1 AND b.id = ANY($2) ORDER BY f.n LIMIT 1) ORDER BY place"
        )

        async def work(connection: Connection) -> list[Passage]:
            return [Passage(*row) for row in rows_of(await connection.fetch(sql, path, [_own(one) for one in bases]))]

        return await self._server.read(work)


def _own(id: str) -> str:
    return id.removeprefix(SERVER)


def _found(row: Sequence[Any]) -> tuple[int, tuple[str, str, int, Passage]]:
    n, base, path, place, *rest = row
    return n, (SERVER + base, path, place, Passage(*rest))


async def _put(connection: Connection, file: SourceFile, passages: Sequence[IndexedPassage]) -> None:
    base = await connection.fetchval("SELECT n FROM base WHERE id = $1", _own(file.base))
    if base is None:  # removed meanwhile
        return
    path = clean(file.path)
    await connection.execute("DELETE FROM file WHERE base = $1 AND path = $2", base, path)
    n = await connection.fetchval(
        "INSERT INTO file (base, path, hash, size, changed, read, error, passages)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING n",
        base, path, file.hash, file.size, file.changed, time.time(), file.error, len(passages),
    )  # fmt: skip
    if passages:
        rows = [_columns(indexed.passage) for indexed in passages]
        await connection.execute(_PUT, n, base, *map(list, zip(*rows, strict=True)))


def _columns(one: Passage) -> tuple[Any, ...]:
    latin, chinese = indexed_words(f"{one.heading}\n{one.text}")
    return one.page, _clean(one.sheet), one.row, _clean(one.heading), _clean(one.text), latin, chinese


def _clean(text: str) -> str:
    """No zero character: the server has none in a text."""
    return clean(text).replace("\0", "")


def indexed_words(text: str) -> tuple[str, str]:
    """Words of letters and digits, and Chinese characters with their pairs, each separated by spaces."""
    latin: list[str] = []
    chinese: dict[str, None] = {}
    for token in TOKEN.findall(unicodedata.normalize("NFKC", text).lower()):
        if CJK.match(token):
            chinese |= dict.fromkeys(token) | dict.fromkeys(a + b for a, b in pairwise(token))
        else:
            latin.append(token)
    return " ".join(latin), " ".join(chinese)


async def _terms(connection: Connection, words: Sequence[str], bases: Sequence[int]) -> list[tuple[str, int]]:
    """What is looked for, as the index knows it, and how many passages have it; without what none has."""
    sql = (
        "SELECT query, (SELECT count(*) FROM (SELECT 1 FROM passage p WHERE p.words @@ query::tsquery"
        " AND p.base = ANY($3::int[]) LIMIT $4) AS counted) FROM (SELECT quote_literal(word) AS query FROM"
        " unnest($1::text[]) AS word UNION SELECT plainto_tsquery('english', word)::text FROM unnest($2::text[])"
        " AS word) AS given WHERE query <> ''"
    )
    chinese = [word for word in words if CJK.match(word)]
    latin = [word for word in words if not CJK.match(word)]
    rows = await connection.fetch(sql, chinese, latin, list(bases), COUNTED)
    return [(query, count) for query, count in rows_of(rows) if count]


def _rarest(terms: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The rarest, until there is enough to rank."""
    looked: list[tuple[str, int]] = []
    for term in sorted(terms, key=lambda term: term[1]):
        if looked and sum(count for _query, count in looked) + term[1] > COUNTED:
            break
        looked.append(term)
    return looked


def _weight(count: int) -> float:
    return math.log(1 + 5 * COUNTED / count)
