"""Reserves a few megabytes: when the disk is full they are released, so that the answer
in progress can still be saved and something can be deleted (deleting needs space too).
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .private import PRIVATE_FILE

SIZE = 4 * 1024 * 1024
KEPT_FREE = 16 * SIZE
"""The reserve is only taken from a disk that has more than this left."""


def _path(folder: Path) -> Path:
    return folder / "ballast"


def release_ballast(folder: Path) -> bool:
    """Whether there was a reserve to give back."""
    try:
        _path(folder).unlink()
    except OSError:
        return False
    return True


def fill_ballast(folder: Path) -> None:
    """Take the reserve if it is not there and the disk has room; never an error."""
    path = _path(folder)
    with contextlib.suppress(OSError):
        if path.exists() or not _has_room(folder):
            return
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(handle, "wb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, SIZE)
            else:
                # Written, not only seeked over: a sparse file would hold no space.
                file.write(b"\1" * SIZE)


def _has_room(folder: Path) -> bool:
    import shutil

    return shutil.disk_usage(folder).free > KEPT_FREE
