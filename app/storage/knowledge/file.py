"""The file of the knowledge bases: one thread writes, one searches words, one compares vectors, each with a connection.

Losing it costs time, not data: everything in it comes from the person's documents. So it has no backups and no
checksums; a damaged file is renamed and a new one begun.
"""

from __future__ import annotations

import asyncio
import math
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, TypeVar

import apsw

from app.core.errors import DataNewer

from ..db.connection import FAULTS, connect, translated
from ..db.database import transaction

T = TypeVar("T")
Lane = Literal["words", "vectors"]
VERSION = 2
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
_VECTORS = """
CREATE TABLE vector_model (
    id INTEGER PRIMARY KEY,
    ref TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    UNIQUE (ref, dimension)
);
CREATE TABLE vector (
    passage INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES file (n) ON DELETE CASCADE,
    model INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE INDEX vector_file ON vector (file);
CREATE TABLE fact_vector (
    fact TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    model INTEGER NOT NULL,
    data BLOB NOT NULL
) WITHOUT ROWID;
ALTER TABLE base ADD COLUMN watched INTEGER NOT NULL DEFAULT 0;
"""
_STEPS = (_SCHEMA, _VECTORS)
"""What each version adds to the one before."""


class KnowledgeFile:
    """Nothing is touched before the first call."""

    def __init__(self, path: Path, tell: Callable[[Path], None] = lambda _aside: None) -> None:
        """`tell` hears under what name a damaged file was set aside."""
        self._path, self._tell = path, tell
        self._aside: Path | None = None
        self._writing = ThreadPoolExecutor(1, "knowledge-write")
        self._lanes = {lane: ThreadPoolExecutor(1, f"knowledge-{lane}") for lane in ("words", "vectors")}
        self._writer: apsw.Connection | None = None
        self._readers: dict[str, apsw.Connection] = {}
        self._closed = False

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for lane, thread in self._lanes.items():
            await self._on(thread, lambda lane=lane: self._close_reader(lane))  # type: ignore[misc]
            thread.shutdown(wait=False)
        await self._on(self._writing, self._close_writer)
        self._writing.shutdown(wait=False)

    async def write(self, work: Callable[[apsw.Cursor], T]) -> T:
        return await self._on(self._writing, lambda: transaction(self._get_writer(), "BEGIN IMMEDIATE", work))

    async def read(self, work: Callable[[apsw.Cursor], T], nothing: T, lane: Lane = "words") -> T:
        """`nothing` where there is no file yet."""
        if not await self._on(self._lanes[lane], lambda: self._is_ready(lane)):
            if not self._path.is_file():
                return nothing
            # Of an earlier version of the program, or damaged: both are the writer's work.
            await self._on(self._writing, self._get_writer)
        return await self._on(self._lanes[lane], lambda: transaction(self._get_reader(lane), "BEGIN", work))

    async def _on(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        def guarded() -> T:
            try:
                return work()
            except FAULTS as error:
                raise translated(error, self._path) from error

        result = await asyncio.shield(asyncio.get_running_loop().run_in_executor(thread, guarded))
        aside, self._aside = self._aside, None
        if aside is not None:
            self._tell(aside)
        return result

    def _get_writer(self) -> apsw.Connection:
        if self._writer is None:
            try:
                self._writer = self._open_writer()
            except (apsw.NotADBError, apsw.CorruptError):
                self._aside = _put_aside(self._path)
                self._writer = self._open_writer()
        return self._writer

    def _open_writer(self) -> apsw.Connection:
        connection = connect(self._path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            # The documents are there to be read again, so a power cut may cost the last of them.
            connection.execute("PRAGMA synchronous = NORMAL")
            transaction(connection, "BEGIN IMMEDIATE", _make)
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_ready(self, lane: str) -> bool:
        """Whether there is a file of this version to read."""
        if lane in self._readers:
            return True
        try:
            if self._path.is_file() and _version(self._get_reader(lane)) == VERSION:
                return True
        except (apsw.NotADBError, apsw.CorruptError):
            pass
        self._close_reader(lane)
        return False

    def _get_reader(self, lane: str) -> apsw.Connection:
        if lane not in self._readers:
            reader = connect(self._path, apsw.SQLITE_OPEN_READWRITE)
            if lane == "vectors":
                load_distance(reader)
            reader.execute("PRAGMA query_only = ON")
            self._readers[lane] = reader
        return self._readers[lane]

    def _close_reader(self, lane: str) -> None:
        if (reader := self._readers.pop(lane, None)) is not None:
            reader.close()

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def load_distance(connection: apsw.Connection) -> None:
    """The function `vec1_cos_distance(a, b)`: of an extension that comes with apsw, else a slow one of ours."""
    try:
        import apsw.sqlite_extra

        apsw.sqlite_extra.load(connection, "vec1")
    except Exception:  # noqa: BLE001 - a platform without it, a bundle that lost it: the answer is the same, only later
        connection.create_scalar_function("vec1_cos_distance", _distance, 2, deterministic=True)


def _distance(*vectors: Any) -> float:
    first, second = (array("f", vector) for vector in vectors)
    lengths = math.sqrt(math.fsum(a * a for a in first) * math.fsum(b * b for b in second))
    return 1 - math.fsum(a * b for a, b in zip(first, second, strict=True)) / lengths


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version") or 0)


def _make(cursor: apsw.Cursor) -> None:
    version = _version(cursor.connection)
    if version > VERSION:
        raise DataNewer(f"the knowledge bases are of version {version}", hint="use the newer program", version=version)
    for step in _STEPS[version:]:
        cursor.execute(step).fetchall()
    if version < VERSION:
        cursor.execute(f"PRAGMA user_version = {VERSION}")


def _put_aside(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.damaged{n or ''}") for n in range(1_000))
    aside = next(name for name in names if not name.exists())
    path.rename(aside)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    return aside
