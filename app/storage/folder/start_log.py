"""Counts starts that failed: after two, the next start leaves out what may be the cause.

A start is noted before the window is made, and removed when it has lasted for a while or ended in order; what is left
are starts that crashed. A file that cannot be read or written is ignored.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path

from .json_file import UnreadableJson, read_object

NAME = "starts.json"
WITHIN = 60.0
"""Seconds in which failed starts count together."""
FAILED = 2


class StartLog:
    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def begin(self, *, now: float | None = None) -> bool:
        """One more start; whether the ones before it failed so often that this one should be careful."""
        now = time.time() if now is None else now
        recent = [one for one in self._read() if abs(now - one) <= WITHIN]
        self._write([*recent, now])
        return len(recent) >= FAILED

    def went_well(self) -> None:
        self._write([])

    def _read(self) -> list[float]:
        try:
            return [float(one) for one in read_object(self._path)["starts"]]
        except (OSError, UnreadableJson, ValueError, KeyError, TypeError):
            return []

    def _write(self, starts: list[float]) -> None:
        # Not synced: a power cut is no crash of ours, and this is before the first paint.
        temp = self._path.with_name(f".{NAME}.{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            if starts or self._path.exists():
                temp.write_text(json.dumps({"format": 1, "starts": starts[-FAILED - 1 :]}), encoding="utf-8")
                temp.replace(self._path)
