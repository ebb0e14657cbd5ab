"""Oracles for what must not be touched: a file that notices who opens it, and a host that notices who asks it.

The file is watched by the operating system itself (inotify), so it does not matter which library
reaches for it, in which language that is written, or whether it tells anybody.
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_IN_ACCESS, _IN_OPEN = 0x1, 0x20
_EVENT = 16
"""Bytes of an event of a watched file: nothing but its head."""


@dataclass
class Canary:
    path: Path
    _watch: int

    def touches(self) -> int:
        """How often it has been opened or read since the last call."""
        try:
            return len(os.read(self._watch, 65_536)) // _EVENT
        except BlockingIOError:
            return 0


@contextmanager
def canary_file(path: Path) -> Iterator[Canary]:
    """`path` exists already. Skips where nothing can watch."""
    if not sys.platform.startswith("linux"):
        pytest.skip("files are watched by inotify, which only Linux has")
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if watch < 0 or libc.inotify_add_watch(watch, os.fsencode(path), _IN_ACCESS | _IN_OPEN) < 0:
            pytest.skip("this machine watches no more files")
        canary = Canary(path, watch)
        path.read_bytes()
        assert canary.touches() > 0, "the watch works"
        yield canary
    finally:
        os.close(watch)


@contextmanager
def canary_host() -> Iterator[tuple[int, socket.socket]]:
    """A port of this machine, and what listens there: `was_asked` says whether somebody came."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.setblocking(False)
        yield listener.getsockname()[1], listener


def was_asked(listener: socket.socket) -> bool:
    try:
        guest, _address = listener.accept()
    except BlockingIOError:
        return False
    guest.close()
    return True
