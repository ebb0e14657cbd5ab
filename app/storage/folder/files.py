"""Small files that survive a crash, a full disk and a concurrent edit.

A file is replaced whole or not at all: temporary file beside it, fsync, atomic replace, fsync of the folder.
Settings, keys and the marker are written this way.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from pathlib import Path

from .errors import FREE_SOME, DiskFull, FolderUnusable
from .private import PRIVATE_FILE

_STALE_AFTER = 60.0
"""Seconds after which a temp file is nobody's any more."""


def write_atomically(path: Path, data: bytes) -> None:
    """Raises DiskFull or FolderUnusable; the old file is then as it was."""
    temp = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _replace(temp, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise unwritable(path, error) from error
    sync_folder(path.parent)


def _replace(temp: Path, path: Path) -> None:
    for attempt in range(5):
        try:
            temp.replace(path)
        except PermissionError:
            # On Windows a virus scanner or an editor may hold the old file open for a moment.
            if sys.platform != "win32" or attempt == 4:
                raise
            time.sleep(0.05 * (attempt + 1))
        else:
            return


def unwritable(path: Path, error: OSError) -> DiskFull | FolderUnusable:
    """Our error for one of the system's."""
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return DiskFull(f"no space left to write {path}", hint=FREE_SOME, path=str(path))
    return FolderUnusable(f"{path} cannot be written: {error.strerror or error}", path=str(path))


def sync_folder(folder: Path) -> None:
    """Makes a rename in `folder` durable; systems without such a call do it by themselves."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def put_aside(path: Path, word: str = "damaged") -> Path | None:
    """Rename `path` to `name.damaged-20261120T101112Z.ext`; never overwrites. None if it cannot be moved."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    for n in range(100):
        number = f"-{n}" if n else ""
        target = path.with_name(f"{path.stem}.{word}-{stamp}{number}{path.suffix}")
        if target.exists() or target.is_symlink():
            continue
        try:
            path.rename(target)
        except OSError:
            return None
        return target
    return None


def remove_leftovers(path: Path) -> None:
    """Temp files of an earlier, killed write of `path`, and their journals."""
    with contextlib.suppress(OSError):
        for temp in path.parent.glob(f".{path.name}.*.tmp*"):
            if time.time() - temp.stat().st_mtime > _STALE_AFTER:
                temp.unlink()
