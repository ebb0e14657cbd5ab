"""How far an import is, and whether it shall go on: written by its thread, read by the window."""

from __future__ import annotations

import threading
from typing import Protocol

from app.core.exchange.strict_json import ImportRefused


class ReadableFile(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class ImportWork:
    def __init__(self) -> None:
        self._stopped = threading.Event()
        self.bytes_read = 0
        self.bytes_total = 0
        self.found = 0
        """Conversations read so far."""
        self.stored = 0
        self.to_store = 0

    def cancel(self) -> None:
        """From any thread: the next step refuses to go on, and what was stored is taken back."""
        self._stopped.set()

    def check(self) -> None:
        """Raises ImportRefused."""
        if self._stopped.is_set():
            raise ImportRefused("the import was stopped", reason="IMPORT_STOPPED")

    def counting(self, file: ReadableFile) -> ReadableFile:
        return _Counted(file, self)


class _Counted:
    def __init__(self, file: ReadableFile, work: ImportWork) -> None:
        self._file, self._work = file, work

    def read(self, size: int = -1, /) -> bytes:
        self._work.check()
        data = self._file.read(size)
        self._work.bytes_read += len(data)
        return data
