"""The data folder to another place: everything is copied and compared before anybody looks there.

The old folder is only read. What was copied half is under another name, so a copy that was cut off
is never taken for the data.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw

from app.core.errors import BadInput, DataDamaged

from ..db.backup import is_sound
from ..db.connection import connect, connect_for_reading
from ..db.migrations import MIGRATIONS
from ..folder.errors import DiskFull, FolderUnusable
from ..folder.files import sync_folder
from ..folder.location_file import NAME as POINTER
from ..folder.private import PRIVATE_FILE, PRIVATE_FOLDER

SPARED = 50_000_000
"""Bytes that stay free at the new place."""
_CHUNK = 1 << 20
_DATABASE = "sessions.db"
OURS = (
    "sessions.db", "sessions.db-*", "sessions.damaged-*", "sessions.newer-*",
    "marker*.json", "preferences.*toml", "providers.*toml",
    "keys*.json", "grants.*", "mcp-consents*.json", "starts.json", "in-use.json", "window.ini",
    "ballast", "profiles", "mcp", "backups", "attachments", "cache", "logs", "exports", "tiles",
)  # fmt: skip
"""Of an old folder, what is deleted when the person says so; whatever else is there is left. Patterns of names."""


class TargetRefused(BadInput):
    """The folder cannot be the new data folder; `params["why"]`: same, inside, full, not_empty, unusable."""

    code = "TARGET_REFUSED"


def check_target(source: Path, target: Path) -> Path:
    """The folder to be made, whole. Raises TargetRefused."""
    target = Path(os.path.normpath(target.expanduser().absolute()))
    here, there = source.resolve(), target.resolve()
    if here == there:
        raise TargetRefused(f"the data is in {target} already", path=str(target), why="same", reason="TARGET_SAME")
    if there.is_relative_to(here) or here.is_relative_to(there):
        raise TargetRefused(
            f"{target} and {source} lie in one another", path=str(target), why="inside", reason="TARGET_INSIDE"
        )
    if not target.is_absolute() or (target.exists() and not target.is_dir()):
        raise TargetRefused(f"{target} is not a folder", path=str(target), why="unusable", reason="TARGET_UNUSABLE")
    try:
        if target.is_dir() and any(path.name != POINTER for path in target.iterdir()):
            raise TargetRefused(f"{target} is not empty", path=str(target), why="not_empty", reason="TARGET_NOT_EMPTY")
        base = next(place for place in (target, *target.parents) if place.is_dir())
        free = shutil.disk_usage(base).free
    except OSError as error:
        message = f"{target} cannot be used: {error.strerror}"
        raise TargetRefused(message, path=str(target), why="unusable", reason="TARGET_UNUSABLE") from error
    if free < sum(path.stat().st_size for path in _files(source)) + SPARED:
        raise TargetRefused(
            f"there is too little space for {target}", path=str(target), why="full", reason="TARGET_FULL"
        )
    return target


def copy_all(source: Path, target: Path) -> None:
    """Nobody may write to the database meanwhile.

    Raises DiskFull, FolderUnusable, and DataDamaged if what arrived is not what was sent.
    """
    half = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.moving")
    try:
        half.mkdir(mode=PRIVATE_FOLDER, parents=True)
        for path in _files(source):
            _copy(path, half / path.relative_to(source))
        if (source / _DATABASE).is_file():
            _copy_database(source / _DATABASE, half / _DATABASE)
        _sync_folders(half)
        _publish(half, target)
    except OSError as error:
        import errno

        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            raise DiskFull(f"no space left for {target}", path=str(target)) from error
        raise FolderUnusable(f"{target} cannot be made: {error.strerror or error}", path=str(target)) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _publish(half: Path, target: Path) -> None:
    if (target / POINTER).exists():
        # Back to the usual place, which says until the end where the data is.
        for path in half.iterdir():
            path.rename(target / path.name)
        sync_folder(target)
        return
    if target.is_dir():
        target.rmdir()  # empty: `check_target` has looked, and this fails if it is not
    half.rename(target)
    sync_folder(target.parent)


def delete_old(folder: Path) -> None:
    """What is ours in a folder the data was moved from, and the folder itself if nothing else is in it."""
    for path in [path for name in OURS for path in folder.glob(name)]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    with contextlib.suppress(OSError):
        folder.rmdir()  # the usual place still holds the pointer, then it stays


def _files(source: Path) -> Iterator[Path]:
    """All but the database and its journals, which are copied as one, and what belongs to the place itself."""
    apart = {_DATABASE, f"{_DATABASE}-wal", f"{_DATABASE}-shm", POINTER}
    for place, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            path = Path(place) / name
            is_apart = Path(place) == source and name in apart
            if not is_apart and path.is_file() and not path.is_symlink() and not name.endswith(".tmp"):
                yield path


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    sent = hashlib.sha256()
    with path.open("rb") as source, os.fdopen(handle, "wb") as file:
        while data := source.read(_CHUNK):
            sent.update(data)
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
    shutil.copystat(path, target)
    with target.open("rb") as file:
        if hashlib.file_digest(file, "sha256").digest() != sent.digest():
            raise DataDamaged(
                f"{target} is not what was written",
                hint="try another disk",
                reason="NOT_WRITTEN",
                file=target.name,
                path=str(target),
            )


def _copy_database(database: Path, path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    source, copy = connect_for_reading(database), connect(path)
    try:
        with copy.backup("main", source, "main") as work:
            work.step(-1)
        copy.pragma("journal_mode", "delete")
        same = _counts(copy) == _counts(source)
    finally:
        copy.close()
        source.close()
    if not same or not is_sound(path, len(MIGRATIONS)):
        raise DataDamaged(
            "the copy of the database is not sound", hint="try another disk", reason="COPY_UNSOUND", path=str(path)
        )


def _counts(connection: apsw.Connection) -> list[int]:
    names = ("session", "message", "body", "run", "event", "result", "document", "attachment")
    return [connection.execute(f"SELECT count(*) FROM {name}").get for name in names]  # noqa: S608 - names of ours


def _sync_folders(root: Path) -> None:
    for place, _folders, _names in os.walk(root):
        sync_folder(Path(place))
