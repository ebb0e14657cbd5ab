"""Which process has the window of a data folder: the one that holds a lock beside the system's sockets.

The system lets go of the lock when its holder dies, however it dies, so a dead one is never in the way, and nobody
has to guess from a process number. The lock does not guard the data, which several processes may share; where it
cannot be had, the program simply starts. It is on this machine even if the data does not: whoever works on the data
from another machine has a window of their own.

Not filelock: it would replace `_lock` alone, and is loaded before the first paint. Where a file system has no flock
it goes over to a file whose mere presence is the lock, which a killed holder leaves behind (R16).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import zlib
from pathlib import Path
from typing import Literal

from .private import PRIVATE_FILE, PRIVATE_FOLDER

Holder = Literal["us", "another", "unknown"]
_HELD = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)


class InstanceLock:
    def __init__(self, folder: Path) -> None:
        """`folder` is the data folder; it need not be there yet."""
        place = meeting_place()
        self._lock: Path | None = None
        self._file = -1
        self.address = ""
        """Where the holder is reached: the path of a socket, on Windows the name of a pipe. "" = nowhere."""
        if place is not None:
            # Not a secret, and a handful of folders to tell apart; hashlib would cost more than all the rest here.
            same = f"{place}\n{os.path.normcase(os.path.realpath(folder))}"
            name = f"{zlib.crc32(same.encode(errors='surrogateescape')):08x}"
            self._lock = place / f"{name}.lock"
            self.address = f"triptych-{name}" if sys.platform == "win32" else str(place / name)

    def take(self) -> Holder:
        """Who holds the folder now; "us" from then on, until `release` or the end of this process."""
        if self._file >= 0:
            return "us"
        if self._lock is None:
            return "unknown"
        try:
            file = os.open(self._lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), PRIVATE_FILE)
        except OSError:
            return "unknown"
        try:
            _lock(file)
        except OSError as error:
            os.close(file)
            return "another" if error.errno in _HELD else "unknown"
        self._file = file
        return "us"

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _lock(file: int) -> None:
    """Raises OSError at once if another process has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def meeting_place() -> Path | None:
    """A folder only this person can look into; None if there is none, for instance because somebody made it first."""
    if sys.platform == "win32":
        import tempfile

        place = Path(tempfile.gettempdir(), "triptych")  # of the person's own profile
        with contextlib.suppress(OSError):
            place.mkdir(exist_ok=True)
            return place
        return None
    me, own = os.getuid(), os.environ.get("XDG_RUNTIME_DIR", "")
    place = Path(os.environ.get("TMPDIR") or "/tmp", f"triptych-{me}")  # noqa: S108  looked at below before it is used
    with contextlib.suppress(OSError):
        # Who has become another user keeps the variable of the first.
        if own and Path(own).stat().st_uid == me:
            place = Path(own, "triptych")
    with contextlib.suppress(OSError):
        place.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        facts = place.lstat()
        if stat.S_ISDIR(facts.st_mode) and facts.st_uid == me and not facts.st_mode & 0o077:
            return place
    return None
