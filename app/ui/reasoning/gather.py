"""Streamed pieces, gathered into a few appends a second."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 33
_SHARE = 8
"""The interval grows to this many times the cost of the last append, so a slow text slows only itself."""


class Gather(QObject):
    def __init__(self, append: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._append = append
        self._pieces: list[str] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.flush)

    def add(self, text: str) -> None:
        self._pieces.append(text)
        if not self._timer.isActive():
            self._timer.start()

    def flush(self) -> None:
        self._timer.stop()
        if not self._pieces:
            return
        text = "".join(self._pieces)
        self._pieces.clear()
        started = time.perf_counter()
        self._append(text)
        cost = (time.perf_counter() - started) * 1_000
        self._timer.setInterval(max(_INTERVAL_MS, round(_SHARE * cost)))

    def drop(self) -> None:
        self._timer.stop()
        self._pieces.clear()
