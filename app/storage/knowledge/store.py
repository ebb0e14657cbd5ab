"""Knowledge bases, their files and passages, with an index of the words: one SQLite file, one thread.

Losing it costs time, not data: everything in it is read from the person's documents. So there are no backups and no
checksums; a file that is damaged is put aside and begun again.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import apsw

from app.core.knowledge import KnowledgeBase, Passage, SourceFile
from app.core.session.search import spaced

from ..db.columns import number, row_of, text
from ..db.connection import FAULTS, connect, translated
from ..db.database import transaction
from ..db.encoding import clean

T = TypeVar("T")
VERSION = 1
_SCHEMA = """
CREATE TABLE base (id TEXT PRIMARY KEY, name TEXT NOT NULL, sources TEXT NOT NULL, created REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    base TEXT NOT NULL REFERENCES base (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    hash TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0,
    changed REAL NOT NULL DEFAULT 0,
    read REAL NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    passages INTEGER NOT NULL DEFAULT 0,
    UNIQUE (base, path)
);
CREATE TABLE passage (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL REFERENCES file (n) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    page INTEGER NOT NULL,
    sheet TEXT NOT NULL,
    row INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX passage_file ON passage (file, place);
CREATE VIRTUAL TABLE passage_search USING fts5(
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
"""
_FILE = "n, base, path, hash, size, changed, read, error, passages"


class KnowledgeStore:
    """Nothing is touched before the first call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing, self._reading = ThreadPoolExecutor(1, "knowledge-write"), ThreadPoolExecutor(1, "knowledge-read")
        self._writer: apsw.Connection | None = None
        self._reader: apsw.Connection | None = None
        self._closed = False

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._on(self._reading, self._close_reader)
        await self._on(self._writing, self._close_writer)
        self._reading.shutdown(wait=False)
        self._writing.shutdown(wait=False)

    # ------------------------------------------------------------ bases and files

    async def bases(self) -> list[KnowledgeBase]:
        sql = "SELECT id, name, sources, created FROM base ORDER BY name, id"
        rows = await self._read(lambda cursor: cursor.execute(sql).fetchall(), list[Any]())
        return [KnowledgeBase(text(id), text(name), _paths(sources), created) for id, name, sources, created in rows]

    async def put_base(self, base: KnowledgeBase) -> None:
        sql = (
            "INSERT INTO base VALUES (?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name, sources = excluded.sources"
        )
        values = (base.id, clean(base.name), json.dumps(base.sources), base.created or time.time())
        await self._write(lambda cursor: cursor.execute(sql, values).fetchall())

    async def remove_base(self, id: str) -> None:
        """With all its files and passages."""
        files = await self.files(id)
        for file in files:
            await self.remove_file(file.n)
        await self._write(lambda cursor: cursor.execute("DELETE FROM base WHERE id = ?", (id,)).fetchall())

    async def files(self, base: str) -> list[SourceFile]:
        sql = f"SELECT {_FILE} FROM file WHERE base = ? ORDER BY path"  # noqa: S608 - names of ours
        return await self._read(
            lambda cursor: [row_of(SourceFile, row) for row in cursor.execute(sql, (base,))], list[SourceFile]()
        )

    async def put_file(self, file: SourceFile, passages: Sequence[Passage]) -> None:
        """The file with its passages in place of what was read of it before, in one transaction."""
        rows = [(p.page, clean(p.sheet), p.row, clean(p.heading), clean(p.text)) for p in passages]
        words = [spaced(f"{heading}\n{body}" if heading else body) for *_, heading, body in rows]
        values = (file.base, file.path, file.hash, file.size, file.changed, time.time(), file.error, len(rows))

        def work(cursor: apsw.Cursor) -> None:
            _remove(cursor, "base = ? AND path = ?", (file.base, file.path))
            cursor.execute(
                "INSERT INTO file (base, path, hash, size, changed, read, error, passages)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            n = cursor.connection.last_insert_rowid()
            first = number(cursor.execute("SELECT coalesce(max(n), 0) FROM passage").get) + 1
            first = max(first, number(cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passage'").get) + 1)
            cursor.executemany(
                "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(first + place, n, place, *row) for place, row in enumerate(rows)],
            )
            cursor.executemany(
                "INSERT INTO passage_search (rowid, text) VALUES (?, ?)",
                [(first + place, one) for place, one in enumerate(words)],
            )

        await self._write(work)

    async def note_unchanged(self, n: int, changed: float, size: int) -> None:
        sql = "UPDATE file SET changed = ?, size = ? WHERE n = ?"
        await self._write(lambda cursor: cursor.execute(sql, (changed, size, n)).fetchall())

    async def remove_file(self, n: int) -> None:
        await self._write(lambda cursor: _remove(cursor, "n = ?", (n,)))

    # ------------------------------------------------------------ passages

    async def search(self, bases: Sequence[str], match: str, limit: int, folder: str = "") -> list[int]:
        """Numbers of the passages that hold any of the words of an FTS5 expression, best first."""
        if not match or not bases:
            return []
        marks = ", ".join("?" for _ in bases)
        sql = (
            "SELECT p.n FROM passage_search s CROSS JOIN passage p ON p.n = s.rowid CROSS JOIN file f ON f.n = p.file"  # noqa: S608
            f" WHERE passage_search MATCH ? AND f.base IN ({marks}) AND (? = '' OR substr(f.path, 1, length(?)) = ?)"
            " ORDER BY s.rank LIMIT ?"
        )
        values = (match, *bases, folder, folder, folder, limit)
        return await self._read(lambda cursor: [number(row[0]) for row in cursor.execute(sql, values)], list[int]())

    async def passages(self, numbers: Iterable[int]) -> dict[int, tuple[str, str, int, Passage]]:
        """Base, path, place and passage, by number."""
        sql = (
            "SELECT p.n, f.base, f.path, p.place, p.text, p.page, p.sheet, p.row, p.heading"
            " FROM passage p JOIN file f ON f.n = p.file WHERE p.n = ?"
        )

        def work(cursor: apsw.Cursor) -> dict[int, tuple[str, str, int, Passage]]:
            found = {}
            for wanted in numbers:
                for n, base, path, place, *rest in cursor.execute(sql, (wanted,)):
                    found[number(n)] = (text(base), text(path), number(place), row_of(Passage, rest))
            return found

        return await self._read(work, dict[int, tuple[str, str, int, Passage]]())

    async def document(self, bases: Sequence[str], path: str) -> list[Passage]:
        """All passages of a file, in their order; of several bases that have it, the first."""
        marks = ", ".join("?" for _ in bases)
        sql = (
            "SELECT text, page, sheet, row, heading FROM passage WHERE file ="  # noqa: S608 - only marks are put in
            f" (SELECT n FROM file WHERE path = ? AND base IN ({marks}) ORDER BY n LIMIT 1) ORDER BY place"
        )
        return await self._read(
            lambda cursor: [row_of(Passage, row) for row in cursor.execute(sql, (path, *bases))], list[Passage]()
        )

    # ------------------------------------------------------------ on the threads

    async def _write(self, work: Callable[[apsw.Cursor], T]) -> T:
        return await self._on(self._writing, lambda: transaction(self._get_writer(), "BEGIN IMMEDIATE", work))

    async def _read(self, work: Callable[[apsw.Cursor], T], nothing: T) -> T:
        def done() -> T:
            if self._reader is None:
                if not self._path.is_file():
                    return nothing
                self._reader = connect(self._path, apsw.SQLITE_OPEN_READWRITE)
                self._reader.execute("PRAGMA query_only = ON")
            return transaction(self._reader, "BEGIN", work)

        return await self._on(self._reading, done)

    async def _on(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        def guarded() -> T:
            try:
                return work()
            except FAULTS as error:
                raise translated(error, self._path) from error

        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(thread, guarded))

    def _get_writer(self) -> apsw.Connection:
        if self._writer is None:
            self._writer = connect(self._path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            self._writer.execute("PRAGMA journal_mode = WAL").fetchall()
            # The documents are there to be read again, so a power cut may cost the last of them.
            self._writer.execute("PRAGMA synchronous = NORMAL")
            transaction(self._writer, "BEGIN IMMEDIATE", _make)
        return self._writer

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _make(cursor: apsw.Cursor) -> None:
    if cursor.connection.pragma("user_version") == 0:
        cursor.execute(_SCHEMA).fetchall()
        cursor.execute(f"PRAGMA user_version = {VERSION}")


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
