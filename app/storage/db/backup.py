"""A copy of the database while it is in use, checked after it was written.

Copies are numbered, so that a clock set wrong cannot make the newest look like the oldest:
`sessions-000042-20261121T101112Z-regular.db`.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import apsw

from app.core.errors import DataDamaged
from app.core.text.moments import utc_time

from ..folder.files import sync_folder
from ..folder.private import PRIVATE_FILE, PRIVATE_FOLDER
from .connection import APPLICATION_ID, FAULTS, connect, connect_for_reading

_UNFINISHED_FOR = 3_600.0
"""Seconds after which nobody is writing it any more."""
_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backup:
    """One copy. `made` is seconds since 1970 by the clock of that time, 0 if its name does not tell."""

    path: Path
    number: int
    made: float
    why: str
    size: int

    @property
    def name(self) -> str:
        return self.path.stem


def back_up(source: apsw.Connection, folder: Path, why: str, *, now: float | None = None) -> Path:
    """Copies `source` into `folder`. Raises DataDamaged if the copy is not sound: then nothing may be changed."""
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    _remove_unfinished(folder)
    stamp = (datetime.now(UTC) if now is None else utc_time(now)).strftime(_STAMP)
    number = max((backup.number for backup in backups_in(folder)), default=0) + 1
    path = folder / f"sessions-{number:06}-{stamp}-{why}.db"
    while path.exists():
        # Another process made one in the same second.
        path = path.with_stem(f"{path.stem}+")
    temp = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    os.close(os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    copy = apsw.Connection(str(temp), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        with copy.backup("main", source, "main") as work:
            # In one go, on one state of a database others may be writing to; they do not wait for it.
            work.step(-1)
        copy.pragma("journal_mode", "delete")
        verdict = copy.pragma("integrity_check")
    except (apsw.SQLError, UnicodeDecodeError) as error:
        # What is asked here is right: it is the description of the tables that cannot be read any more.
        verdict = str(error)
    except BaseException:
        copy.close()
        temp.unlink()
        raise
    copy.close()
    if verdict != "ok":
        temp.unlink()
        raise DataDamaged(f"the copy of the database is not sound: {verdict}", reason="COPY_UNSOUND", path=str(path))
    temp.rename(path)
    sync_folder(folder)
    return path


def _remove_unfinished(folder: Path) -> None:
    """What a process left that was killed while it copied."""
    for temp in folder.glob(".sessions-*.tmp*"):
        with contextlib.suppress(OSError):
            if time.time() - temp.stat().st_mtime > _UNFINISHED_FOR:
                temp.unlink()


def backups_in(folder: Path) -> list[Backup]:
    """Newest first, by their numbers."""
    backups = [_backup(path) for path in folder.glob("sessions-*.db")] if folder.is_dir() else []
    return sorted(backups, key=lambda backup: (backup.number, backup.made, backup.path.name), reverse=True)


def _backup(path: Path) -> Backup:
    number, _, rest = path.stem.removeprefix("sessions-").partition("-")
    stamp, _, why = rest.partition("-")
    try:
        created = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        created = 0.0
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    return Backup(path, int(number) if number.isdecimal() else 0, created, why, size)


def is_sound(path: Path, newest: int) -> bool:
    """Whether it is a database of ours of at most version `newest`, without foreign code, and whole in every page."""
    try:
        connection = connect_for_reading(path)
    except FAULTS:
        return False
    try:
        ours = connection.pragma("application_id") == APPLICATION_ID
        is_known_version = int(connection.pragma("user_version")) <= newest
        foreign = connection.execute("SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')").get
        return bool(ours and is_known_version and not foreign and connection.pragma("integrity_check") == "ok")
    except FAULTS:
        return False
    finally:
        connection.close()


def overwrite(path: Path, copy: Path) -> None:
    """The content of the database at `path` becomes that of `copy`, in one transaction."""
    source, target = connect_for_reading(copy), connect(path)
    try:
        with target.backup("main", source, "main") as work:
            work.step(-1)
    finally:
        source.close()
        target.close()
