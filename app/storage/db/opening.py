"""Before the first connection: is this our database, is it whole, or is this a first start?

A first start is assumed only if nothing indicates earlier data. Any problem is reported as DataDamaged with the
file's name; nothing is deleted or created again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw

from app.core.errors import DataDamaged

from ..folder.data_marker import Marker, read_marker, write_marker
from ..folder.errors import FolderUnusable
from ..folder.files import put_aside, remove_leftovers, sync_folder, unwritable
from ..folder.private import PRIVATE_FILE, PRIVATE_FOLDER, make_private
from ..folder.sync_detection import danger_of
from . import lease
from .backup import backups_in
from .connection import APPLICATION_ID, FAULTS, READ_WRITE, connect, connect_for_reading, translated
from .migrations import MIGRATIONS, migrate, refuse_newer, version_of

log = logging.getLogger(__name__)

MAGIC = b"SQLite format 3\0"
_FORMATS = {1, 2}
"""Bytes 18 and 19 of the file: with a rollback journal, with a write-ahead log."""
LARGEST_IN_MEMORY = 512 * 1024 * 1024


def make_ready(path: Path, marker: Path, backups: Path) -> None:
    """Afterwards `path` is a sound database of the newest schema."""
    try:
        if path.parent.is_dir() and danger_of(path.parent):
            lease.take(path.parent)
        if _is_first_start(path, marker, backups):
            _make(path, lambda temp: _fill(temp, path))
            if read_marker(marker) is None:
                write_marker(marker, Marker())
        else:
            _refuse_foreign(path)
            make_private(path, PRIVATE_FILE)
            _bring_up_to_date(path, marker, backups)
    except FAULTS as error:
        raise translated(error, path) from error
    except OSError as error:
        raise unwritable(path, error) from error


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True


def _is_first_start(path: Path, marker: Path, backups: Path) -> bool:
    """False if there is a database. Raises DataDamaged if there is none, but traces of one."""
    if not _is_empty(path):
        return False
    copies = backups_in(backups)
    wal = path.with_name(path.name + "-wal")
    if read_marker(marker) is None and not copies and _is_empty(wal):
        return True
    # Another process may have made its first start meanwhile: the traces are of the file that it has shown before.
    if not _is_empty(path):
        return False
    what = "is empty" if path.exists() else "is missing"
    raise DataDamaged(
        f"{path} {what}, but there were conversations in it",
        hint="put the file back or restore a copy; nothing was made anew",
        path=str(path),
        copy=str(copies[0].path) if copies else None,
    )


def quarantine(path: Path) -> Path | None:
    """Puts a database aside, with its journal; nothing of it is changed. None if there was none."""
    aside = put_aside(path, "newer" if _is_newer(path) else "damaged")
    if aside is None and path.exists():
        raise FolderUnusable(f"{path} cannot be put aside", path=str(path))
    for ending in ("-wal", "-shm"):
        journal = path.with_name(path.name + ending)
        if aside is not None and journal.exists():
            journal.rename(aside.with_name(aside.name + ending))
        else:
            # A journal without its file would be played into the next one.
            put_aside(journal)
    sync_folder(path.parent)
    return aside


def _is_newer(path: Path) -> bool:
    try:
        connection = connect_for_reading(path)
    except FAULTS:
        return False
    try:
        return version_of(connection) > len(MIGRATIONS)
    except FAULTS:
        return False
    finally:
        connection.close()


def begin_empty(path: Path, marker: Path) -> Path | None:
    """An empty database because a person asked for one; what was there is set aside, and where is returned."""
    aside = _make(path, lambda temp: _fill(temp, path), instead=True)
    write_marker(marker, Marker())
    return aside


def put_back(copy: Path, path: Path) -> Path | None:
    """The backup `copy` becomes the database; what was there is set aside, and where is returned."""

    def fill(temp: Path) -> None:
        shutil.copyfile(copy, temp)
        with temp.open("rb+") as file:
            os.fsync(file.fileno())

    return _make(path, fill, instead=True)


def _refuse_foreign(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(len(MAGIC) + 4)
    # With another format of the file SQLite would only read it, and say no word about why.
    if not head.startswith(MAGIC) or not set(head[18:20]) <= _FORMATS:
        raise DataDamaged(f"{path} is not a database", hint="nothing was changed or deleted", path=str(path))


def _make(path: Path, fill: Callable[[Path], None], *, instead: bool = False) -> Path | None:
    """Filled under another name and shown when it is whole: a kill or a full disk half-way changes nothing.

    `instead` of what is there, which is set aside; where is returned.
    """
    temp = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        remove_leftovers(path)
        os.close(os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
        fill(temp)
        aside = quarantine(path) if instead else None
        _publish(temp, path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        temp.unlink(missing_ok=True)
    sync_folder(path.parent)
    return aside


def _fill(temp: Path, path: Path) -> None:
    """An empty database that will be the one at `path`."""
    connection = connect(temp)
    try:
        migrate(connection, temp, None)
        connection.pragma("journal_mode", _journal_for(path))
    finally:
        connection.close()


def _publish(temp: Path, path: Path) -> None:
    """Another process may have made its own meanwhile: then that one counts."""
    _remove_if_empty(path)
    try:
        os.link(temp, path)
    except FileExistsError:
        return
    except OSError:
        # A file system without hard links.
        if not path.exists():
            temp.rename(path)


def _remove_if_empty(path: Path) -> None:
    """Never what another process shows there between the question and the deed: moved first, then looked at."""
    if not path.exists() or path.stat().st_size > 0:
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.empty.tmp")
    with contextlib.suppress(FileNotFoundError):
        path.rename(aside)
        if aside.stat().st_size > 0:
            aside.rename(path)
        else:
            aside.unlink()


def _bring_up_to_date(path: Path, marker: Path, backups: Path) -> None:
    connection = connect(path)
    try:
        if connection.pragma("application_id") != APPLICATION_ID:
            raise DataDamaged(f"{path} is not a database of Triptych", hint="nothing was changed", path=str(path))
        refuse_newer(connection, path)
        _refuse_code_in_the_schema(connection, path)
        migrate(connection, path, backups)
        if connection.pragma("journal_mode") != (journal := _journal_for(path)):
            with contextlib.suppress(apsw.BusyError):  # another process has it open: the next start then
                connection.pragma("journal_mode", journal)
        _compare(connection, path, read_marker(marker))
    finally:
        connection.close()


def newer_copy(old: apsw.Connection, path: Path) -> apsw.Connection:
    """An older database in a folder that cannot be written, brought up to date in memory, to be read. Closes `old`."""
    try:
        if old.pragma("page_count") * old.pragma("page_size") > LARGEST_IN_MEMORY:
            raise FolderUnusable(
                f"{path} is of an older version, and cannot be brought up to date where it is",
                hint="make its folder writable, or copy it to one that is",
                path=str(path),
            )
        _refuse_code_in_the_schema(old, path)
        copy = connect(Path(":memory:"), READ_WRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            with copy.backup("main", old, "main") as work:
                work.step(-1)
            migrate(copy, path, None)
            copy.pragma("query_only", True)
        except BaseException:
            copy.close()
            raise
    finally:
        old.close()
    return copy


def _journal_for(path: Path) -> str:
    """A write-ahead log needs memory that only one machine has; elsewhere the plain journal is the safe one."""
    return "delete" if danger_of(path.parent) else "wal"


def _refuse_code_in_the_schema(connection: apsw.Connection, path: Path) -> None:
    """We have no triggers and no views; one that is there was put there to run with our rights."""
    strange = connection.execute("SELECT group_concat(name) FROM sqlite_schema WHERE type IN ('trigger', 'view')").get
    if strange:
        raise DataDamaged(f"{path} holds foreign code: {strange}", hint="nothing was changed", path=str(path))


def _compare(connection: apsw.Connection, path: Path, marker: Marker | None) -> None:
    if marker is None:
        return
    highest = connection.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'message'").get
    if highest == 0 and marker.highest > 0:
        raise DataDamaged(
            f"{path} holds no message, but there were {marker.messages}",
            hint="put the file back or restore a copy; nothing was changed",
            path=str(path),
        )
    if highest < marker.highest:
        log.warning("the database is older than its marker: %d of %d messages", highest, marker.highest)


def has_damaged_schema(path: Path) -> bool:
    """Whether the description of the tables is not the one we write. Asked when SQLite finds fault with a statement.

    Raises DataNewer: what a newer version has made of the tables is no damage.
    """
    fresh = connect(Path(":memory:"), READ_WRITE | apsw.SQLITE_OPEN_CREATE)
    try:
        migrate(fresh, path, None)
        connection = connect_for_reading(path)
        try:
            refuse_newer(connection, path)
            return _schema(connection) != _schema(fresh)
        finally:
            connection.close()
    except FAULTS:
        return True
    finally:
        fresh.close()


def _schema(connection: apsw.Connection) -> list[tuple[object, ...]]:
    # The tables inside the index are SQLite's own, and their description that of its version.
    sql = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB '*search_*' ORDER BY name"
    return connection.execute(sql).fetchall()


def marker_of(path: Path) -> Marker:
    """What the marker of the database at `path` should say."""
    connection = connect_for_reading(path)
    try:
        messages = connection.execute("SELECT count(*) FROM message").get
        highest = connection.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'message'").get
    finally:
        connection.close()
    return Marker(messages, highest)
