"""The one database of a process: one thread writes, another reads, coroutines wait.

    count = await db.read(lambda cursor: cursor.execute("SELECT count(*) FROM session").get)

A unit of work is a plain function that gets a cursor inside one transaction; it returns values,
never a cursor. It is done on the database's own thread, so no two coroutines can mix their
statements, and a waiting coroutine that is cancelled does not undo what it asked for. Works
under any asyncio loop. Several processes may share the file: writers take turns.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TypeVar

import apsw

from app.core.errors import DataDamaged, DataNewer
from app.core.ids import is_temporary

from ..folder.data_marker import Marker, write_marker
from ..folder.disk_reserve import fill_ballast, release_ballast
from ..folder.errors import DiskFull, FolderUnusable, StorageBusy
from ..folder.lenient_text import ForgivingCursor
from . import lease
from .backup import back_up, is_sound, overwrite
from .connection import FAULTS, READ_WRITE, connect, connect_for_reading, translated
from .migrations import MIGRATIONS, migrate, version_of
from .opening import begin_empty, has_damaged_schema, make_ready, marker_of, newer_copy, put_back
from .row_checksums import RowChecksums

log = logging.getLogger(__name__)
T = TypeVar("T")

TRIES = 3
"""How often a transaction waits for another process, `BUSY_MS` each."""
NOWHERE = Path(":memory:")
MARK_EVERY = 500
"""Transactions after which the marker file is brought up to date."""


class Database:
    """Nothing is touched before the first `open`, `read` or `write`."""

    def __init__(self, path: Path, *, marker: Path | None = None, backups: Path | None = None) -> None:
        self.path = path
        self._marker = marker or path.with_name("marker.json")
        self._backups = backups or path.with_name("backups")
        self._write_thread = ThreadPoolExecutor(1, "triptych-write")
        self._read_thread = ThreadPoolExecutor(1, "triptych-read")
        self._writer: apsw.Connection | None = None
        self._reader: apsw.Connection | None = None
        self._checksums: RowChecksums | None = None
        self._opening = Lock()
        self._reads_makeshift = False
        self._ready = False
        self._closed = False
        self._since_mark = 0
        self._changes = 0
        self._temporary: TemporaryDatabase | None = None
        self._retired = ""

    def of(self, id: str) -> Database:
        """Where what has this id lives: temporary sessions and all that is in them, in memory."""
        return self.temporary if is_temporary(id) else self

    @property
    def temporary(self) -> TemporaryDatabase:
        """Made when it is first asked for."""
        if self._temporary is None:
            self._temporary = TemporaryDatabase()
        return self._temporary

    @property
    def has_temporary(self) -> bool:
        return self._temporary is not None

    async def open(self) -> None:
        """Raises DataDamaged when what is there cannot be read or should not be empty."""
        await self._on(self._write_thread, self._get_writer)

    async def write(self, work: Callable[[apsw.Cursor], T]) -> T:
        """All of `work` is on the disk when this returns, or none of it."""
        return await self._on(self._write_thread, lambda: self._write(work))

    async def read(self, work: Callable[[apsw.Cursor], T]) -> T:
        """`work` sees one consistent state, and does not wait for a writer."""
        return await self._on(self._read_thread, lambda: self._read(work))

    async def survey(self, work: Callable[[apsw.Cursor], T]) -> T:
        """As `read`, on a thread and a connection of its own: for long looks, which nobody shall wait for."""

        def look() -> T:
            connection = self._reading()
            try:
                return transaction(connection, "BEGIN", work)
            finally:
                connection.close()

        return await asyncio.shield(asyncio.to_thread(lambda: self._guarded(look)))

    async def empty_wal(self) -> None:
        """Moves the write-ahead log into the file, so that erased text is not left in it."""
        await self._on(
            self._write_thread, lambda: self._get_writer().wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        )

    async def back_up(self, why: str, *, now: float | None = None) -> Path:
        """A checked copy into the backups. Made on a thread of its own; nobody waits for it."""

        def copy() -> Path:
            source = connect_for_reading(self.path)
            try:
                return back_up(source, self._backups, why, now=now)
            finally:
                source.close()

        await self.open()
        return await asyncio.shield(asyncio.to_thread(lambda: self._guarded(copy)))

    async def take_back(self, copy: Path, *, keep: bool) -> Path | None:
        """The content becomes that of the backup `copy`. Raises DataDamaged if that is not sound.

        Returns where the database was set aside: if it is damaged, or if `keep` says that there is no
        copy of it. Other processes see the new content with their next look.
        """
        await _done(self._read_thread, self._close_reader)
        return await self._on(self._write_thread, lambda: self._take_back(copy, keep))

    async def begin_empty(self) -> Path | None:
        """Without anything in it from now on; what there was is set aside, and where is returned."""
        await _done(self._read_thread, self._close_reader)
        return await self._on(self._write_thread, self._begin_empty)

    async def hold_still(self, work: Callable[[], T]) -> T:
        """`work` on a thread, while nobody writes, in this process or another; it reads by a connection of its own."""

        def held() -> T:
            return transaction(self._get_writer(), "BEGIN IMMEDIATE", lambda _cursor: work())

        return await self._on(self._write_thread, held)

    def retire(self, reason: str) -> None:
        """From now on nothing is written here any more: the data lives elsewhere."""
        self._retired = reason

    @property
    def changes(self) -> int:
        """How many transactions this process has made."""
        return self._changes

    async def close(self) -> None:
        """Whatever was asked for before is done first. The marker then says that all is well."""
        if self._closed:
            return
        self._closed = True
        if self._temporary is not None:
            await self._temporary.close()
        await _done(self._read_thread, self._close_reader)
        await _done(self._write_thread, self._close_writer)
        if self._ready:
            lease.leave(self.path.parent)
        self._read_thread.shutdown(wait=False)
        self._write_thread.shutdown(wait=False)

    # ------------------------------------------------------------ on the threads

    async def _on(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if self._closed:
            raise FolderUnusable("the database is closed", path=str(self.path))
        return await _done(thread, lambda: self._guarded(work))

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except apsw.SQLError as error:
            if self.path != NOWHERE and has_damaged_schema(self.path):
                raise DataDamaged(
                    f"{self.path} is damaged: {error}", hint="nothing was deleted", path=str(self.path)
                ) from error
            raise translated(error, self.path) from error
        except FAULTS as error:
            raise translated(error, self.path) from error

    def _make_ready(self) -> None:
        with self._opening:
            if self._ready:
                return
            try:
                make_ready(self.path, self._marker, self._backups)
            except DiskFull:
                if not release_ballast(self.path.parent):
                    raise
                make_ready(self.path, self._marker, self._backups)
            self._ready = True

    def _get_writer(self) -> apsw.Connection:
        if self._writer is None:
            self._make_ready()
            self._writer = connect(self.path)
            self._checksums = RowChecksums(self._writer)
        return self._writer

    def _get_reader(self) -> apsw.Connection:
        if self._reads_makeshift and self._ready:
            # The folder can be written since: that connection took the file for one that never changes.
            self._reads_makeshift = False
            self._close_reader()
        if self._reader is None:
            self._reader = self._reading()
            self._reads_makeshift = not self._ready
        return self._reader

    def _reading(self) -> apsw.Connection:
        try:
            self._make_ready()
        except (DiskFull, FolderUnusable, DataNewer):
            # What cannot be written may still be read: the person's history is shown.
            if not self.path.is_file():
                raise
        reader = connect_for_reading(self.path)
        return newer_copy(reader, self.path) if version_of(reader) < len(MIGRATIONS) else reader

    def _write(self, work: Callable[[apsw.Cursor], T]) -> T:
        if self._retired:
            raise FolderUnusable(self._retired, path=str(self.path))
        connection = self._get_writer()
        followed = work if self._checksums is None else self._checksums.following(work)
        try:
            result = transaction(connection, "BEGIN IMMEDIATE", followed)
        except apsw.FullError:
            if not release_ballast(self.path.parent):
                raise
            result = transaction(connection, "BEGIN IMMEDIATE", followed)
        self._since_mark += 1
        self._changes += 1
        if self._since_mark >= MARK_EVERY:
            self._mark(connection, clean=None)
        return result

    def _read(self, work: Callable[[apsw.Cursor], T]) -> T:
        return transaction(self._get_reader(), "BEGIN", work)

    def _mark(self, connection: apsw.Connection, clean: float | None) -> None:
        """The numbers of the marker, in the database and beside it. A full disk only delays it."""
        self._since_mark = 0

        def count(cursor: apsw.Cursor) -> Marker:
            messages, highest = cursor.execute(
                "SELECT (SELECT count(*) FROM message),"
                " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)"
            ).get
            cursor.execute("UPDATE meta SET messages = ?, highest = ?, clean = ?", (messages, highest, clean))
            return Marker(messages, highest, clean)

        followed = count if self._checksums is None else self._checksums.following(count)
        try:
            write_marker(self._marker, transaction(connection, "BEGIN IMMEDIATE", followed))
            fill_ballast(self.path.parent)
        except (apsw.FullError, apsw.BusyError, DiskFull, FolderUnusable):
            self._since_mark = MARK_EVERY // 2

    def _take_back(self, copy: Path, keep: bool) -> Path | None:
        if not is_sound(copy, len(MIGRATIONS)):
            raise DataDamaged(f"the copy {copy} cannot be used", hint="take an older one", path=str(copy))
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._ready = False
        aside = None
        if not keep and is_sound(self.path, len(MIGRATIONS)):
            overwrite(self.path, copy)
        else:
            aside = put_back(copy, self.path)
        write_marker(self._marker, marker_of(self.path))
        self._get_writer()
        return aside

    def _begin_empty(self) -> Path | None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._ready = False
        aside = begin_empty(self.path, self._marker)
        self._get_writer()
        return aside

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _close_writer(self) -> None:
        if self._writer is not None:
            try:
                self._mark(self._writer, clean=time.time())
            except apsw.Error as error:
                # Nothing is lost by it: everything was committed, only the marker is of before.
                log.warning("the marker could not be written: %s", error)
            finally:
                self._writer.close()
                self._writer = None


async def _done(thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    # Shielded: what is half-way on the thread is finished there, even if nobody waits any more.
    return await asyncio.shield(asyncio.wrap_future(thread.submit(work)))


def transaction(connection: apsw.Connection, begin: str, work: Callable[[apsw.Cursor], T]) -> T:
    """All of `work` or nothing, tried again while another process writes."""
    try:
        return _tried(connection, begin, work)
    except UnicodeDecodeError:
        # A text that a failing disk has changed. It must not hide those around it.
        connection.cursor_factory = ForgivingCursor
        try:
            return _tried(connection, begin, work)
        finally:
            connection.cursor_factory = apsw.Cursor


def _tried(connection: apsw.Connection, begin: str, work: Callable[[apsw.Cursor], T]) -> T:
    cursor = connection.cursor()
    _begin(cursor, begin)
    try:
        result = work(cursor)
        connection.execute("COMMIT")
    except BaseException:
        # Some errors (a full disk) have rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        cursor.close(force=True)
    return result


def _begin(cursor: apsw.Cursor, begin: str) -> None:
    for attempt in range(1, TRIES + 1):
        try:
            cursor.execute(begin)
        except apsw.BusyError as error:
            if attempt == TRIES:
                raise StorageBusy("another process holds the database") from error
        else:
            return


class TemporaryDatabase(Database):
    """The database of temporary sessions: the same tables in memory, gone with the process.

    It runs the same SQL, so a temporary session can do what a stored one can, and stores need not know the difference:
    `Database.of(id)` returns where an id is stored. It has one connection and no file, marker or backup. Nothing waits
    for a disk here, so once it is open its work is done where it is asked for: handing it to a thread and back would
    take longer.
    """

    def __init__(self) -> None:
        super().__init__(NOWHERE)
        self.files: dict[str, dict[str, bytes]] = {}
        """Attachments by session and hash."""
        self._turn = Lock()

    async def _on(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if self._writer is None or self._closed:
            return await super()._on(thread, work)
        return self._guarded(work)

    def _guarded(self, work: Callable[[], T]) -> T:
        with self._turn:
            return super()._guarded(work)

    async def read(self, work: Callable[[apsw.Cursor], T]) -> T:
        return await self.write(work)

    async def empty_wal(self) -> None:
        """There is none."""

    def _get_writer(self) -> apsw.Connection:
        if self._writer is None:
            writer = connect(NOWHERE, READ_WRITE | apsw.SQLITE_OPEN_CREATE)
            migrate(writer, NOWHERE, None)
            self._writer = writer
        return self._writer

    def _mark(self, connection: apsw.Connection, clean: float | None) -> None:
        """Nothing will ask whether it was whole."""
