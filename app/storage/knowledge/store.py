"""Knowledge bases, their files and passages, with an index of the words: rows of `file.py`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from app.core.knowledge import IndexedPassage, KnowledgeBase, Passage, SourceFile
from app.core.passages import Found
from app.core.text.question_words import match_of

from ..db.columns import number, row_of, text
from ..db.encoding import clean
from .file import KnowledgeFile

_FILE = "n, base, path, hash, size, changed, read, error, passages"

_SPARE = 4
"""How many times the matches that are wanted are ranked before it is asked of which base each is."""

_PASSAGE = "p.n, f.base, f.path, p.place, p.text, p.page, p.sheet, p.row, p.heading"


class KnowledgeStore:
    def __init__(self, file: KnowledgeFile) -> None:
        self._file = file

    # ------------------------------------------------------------ bases and files

    async def bases(self) -> list[KnowledgeBase]:
        sql = "SELECT id, name, sources, created, watched FROM base ORDER BY name, id"
        rows = await self._file.read(lambda cursor: cursor.execute(sql).fetchall(), list[Any]())
        return [
            KnowledgeBase(text(id), text(name), _paths(sources), created, bool(watched))
            for id, name, sources, created, watched in rows
        ]

    async def put_base(self, base: KnowledgeBase) -> None:
        sql = (
            "INSERT INTO base VALUES (?, ?, ?, ?, ?) ON CONFLICT (id)"
            " DO UPDATE SET name = excluded.name, sources = excluded.sources, watched = excluded.watched"
        )
        values = (base.id, clean(base.name), json.dumps(base.sources), base.created or time.time(), base.watched)
        await self._file.write(lambda cursor: cursor.execute(sql, values).fetchall())

    async def remove_base(self, id: str) -> None:
        """With all its files and passages."""
        numbers = [file.n for file in await self.files(id)]
        for start in range(0, len(numbers), 100):  # others have their turn in between
            await self.remove_files(numbers[start : start + 100])
        await self._file.write(lambda cursor: cursor.execute("DELETE FROM base WHERE id = ?", (id,)).fetchall())

    async def files(self, base: str) -> list[SourceFile]:
        sql = f"SELECT {_FILE} FROM file WHERE base = ? ORDER BY path"  # noqa: S608 - names of ours
        return await self._file.read(
            lambda cursor: [row_of(SourceFile, row) for row in cursor.execute(sql, (base,))], list[SourceFile]()
        )

    async def put_files(self, files: Sequence[tuple[SourceFile, Sequence[IndexedPassage]]]) -> None:
        """Each with its passages in place of what was read of it before, all in one transaction."""

        def work(cursor: apsw.Cursor) -> None:
            first = number(cursor.execute("SELECT coalesce(max(n), 0) FROM passage").get) + 1
            last = number(cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passage'").get or 0)
            first = max(first, last + 1)
            for file, passages in files:
                first = _put(cursor, file, passages, first)

        await self._file.write(work)

    async def remove_files(self, numbers: Sequence[int]) -> None:
        def work(cursor: apsw.Cursor) -> None:
            for n in numbers:
                _remove(cursor, "n = ?", (n,))

        await self._file.write(work)

    async def note_unchanged(self, n: int, changed: float, size: int) -> None:
        sql = "UPDATE file SET changed = ?, size = ? WHERE n = ?"
        await self._file.write(lambda cursor: cursor.execute(sql, (changed, size, n)).fetchall())

    # ------------------------------------------------------------ passages

    async def search(self, bases: Sequence[str], words: Sequence[str], limit: int, folder: str = "") -> Found:
        match = match_of(words)
        if not match or not bases:
            return {}
        marks = ", ".join("?" for _ in bases)
        ours = f"f.base IN ({marks}) AND (? = '' OR substr(f.path, 1, length(?)) = ?)"
        tables = "passage p ON p.n = s.n CROSS JOIN file f ON f.n = p.file"
        some = "SELECT rowid AS n {rank} FROM passage_search WHERE passage_search MATCH ? {order}"
        # In the order of the inner query, so that the outer one ends with the last row that is wanted. Asked for the
        # rank beside the order, the index would count every word of the question a second time.
        best = (
            f"SELECT {_PASSAGE} FROM ({some.format(rank='', order='ORDER BY rank LIMIT ?')}) s"  # noqa: S608
            f" CROSS JOIN {tables} WHERE {ours} LIMIT ?"
        )
        every = (
            f"SELECT {_PASSAGE} FROM ({some.format(rank=', rank AS at', order='')}) s"  # noqa: S608
            f" CROSS JOIN {tables} WHERE {ours} ORDER BY s.at LIMIT ?"
        )
        count = f"SELECT count(*) FROM ({some.format(rank='', order='LIMIT ?')})"  # noqa: S608
        place = (*bases, folder, folder, folder)

        def work(cursor: apsw.Cursor) -> Found:
            spare = limit * _SPARE
            rows = cursor.execute(best, (match, spare, *place, limit)).fetchall()
            if len(rows) < limit and cursor.execute(count, (match, spare)).get == spare:
                # The best of all bases are not of these: every match has to be looked at.
                rows = cursor.execute(every, (match, *place, limit)).fetchall()
            return dict(map(_found, rows))

        return await self._file.read(work, {})

    async def passages(self, numbers: Iterable[int]) -> Found:
        sql = f"SELECT {_PASSAGE} FROM passage p JOIN file f ON f.n = p.file WHERE p.n = ?"  # noqa: S608

        def work(cursor: apsw.Cursor) -> Found:
            return dict(_found(row) for wanted in numbers for row in cursor.execute(sql, (wanted,)))

        return await self._file.read(work, {})

    async def document(self, bases: Sequence[str], path: str) -> list[Passage]:
        """All passages of a file, in their order; of several bases that have it, the first."""
        marks = ", ".join("?" for _ in bases)
        sql = (
            "SELECT text, page, sheet, row, heading FROM passage WHERE file ="  # noqa: S608 - only marks are put in
            f" (SELECT n FROM file WHERE path = ? AND base IN ({marks}) ORDER BY n LIMIT 1) ORDER BY place"
        )
        return await self._file.read(
            lambda cursor: [row_of(Passage, row) for row in cursor.execute(sql, (path, *bases))], list[Passage]()
        )


def _found(row: Sequence[Any]) -> tuple[int, tuple[str, str, int, Passage]]:
    n, base, path, place, *rest = row
    return number(n), (text(base), text(path), number(place), row_of(Passage, rest))


def _put(cursor: apsw.Cursor, file: SourceFile, passages: Sequence[IndexedPassage], first: int) -> int:
    """The number of the next passage."""
    _remove(cursor, "base = ? AND path = ?", (file.base, file.path))
    cursor.execute(
        "INSERT INTO file (base, path, hash, size, changed, read, error, passages) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (file.base, clean(file.path), file.hash, file.size, file.changed, time.time(), file.error, len(passages)),
    )
    n = cursor.connection.last_insert_rowid()
    rows, words = [], []
    for place, indexed in enumerate(passages):
        one = indexed.passage
        text = clean(one.text)
        rows.append((first + place, n, place, one.page, clean(one.sheet), one.row, clean(one.heading), text))
        words.append((first + place, text if indexed.words is None else clean(indexed.words)))
    cursor.executemany("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    cursor.executemany("INSERT INTO passage_search (rowid, text) VALUES (?, ?)", words)
    return first + len(rows)


def _remove(cursor: apsw.Cursor, where: str, values: tuple[Any, ...]) -> None:
    files = f"SELECT n FROM file WHERE {where}"  # noqa: S608 - SQL of ours
    inner = f"SELECT n FROM passage WHERE file IN ({files})"  # noqa: S608
    cursor.execute(f"DELETE FROM passage_search WHERE rowid IN ({inner})", values).fetchall()  # noqa: S608
    cursor.execute(f"DELETE FROM passage WHERE file IN ({files})", values).fetchall()  # noqa: S608
    cursor.execute(f"DELETE FROM file WHERE {where}", values).fetchall()  # noqa: S608


def _paths(sources: object) -> tuple[str, ...]:
    try:
        value = json.loads(text(sources))
    except ValueError:
        return ()
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
