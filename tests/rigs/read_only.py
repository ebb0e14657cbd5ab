"""A folder that really cannot be written: for root a small disk mounted read-only, else by its mode."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Disk:
    """Writable until it is locked, and again when it is unlocked."""

    def __init__(self, place: Path, *, mounted: bool) -> None:
        self.place, self.is_mounted = place, mounted

    def lock(self) -> None:
        self._set("ro", 0o500)

    def unlock(self) -> None:
        self._set("rw", 0o700)

    def _set(self, how: str, mode: int) -> None:
        if self.is_mounted:
            subprocess.run(["mount", "-o", f"remount,{how}", str(self.place)], check=True, capture_output=True)
            return
        for path in [self.place, *self.place.rglob("*")]:
            path.chmod(mode if path.is_dir() else mode & 0o600)


@contextmanager
def small_disk(place: Path, megabytes: int = 64) -> Iterator[Disk]:
    place.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        pytest.skip("a folder cannot be locked here")
    if os.getuid() != 0:
        yield Disk(place, mounted=False)
        Disk(place, mounted=False).unlock()
        return
    mount = shutil.which("mount")
    size = f"size={megabytes}m"
    if sys.platform != "linux" or mount is None:
        pytest.skip("root writes everywhere, and a small disk can only be mounted on Linux")
    command = [mount, "-t", "tmpfs", "-o", size, "tmpfs", str(place)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let us mount a small disk")
    try:
        yield Disk(place, mounted=True)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
