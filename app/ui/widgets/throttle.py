"""Gathers the deltas of a stream and hands them on about thirty times a second.

When handing on takes long (a big table), the pause grows with it, so that at most an eighth of
the time goes into painting text.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal

INTERVAL = 0.033
_SHARE = 8
_LONGEST = 1.0


class Throttle(QObject):
    gathered = Signal(object)
    """By key, the text since the last time. What is done about it counts as the cost of handing on."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[tuple[str, str], list[str]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.flush)
        self._pause = INTERVAL
        self._due = 0.0

    def add(self, key: tuple[str, str], text: str) -> None:
        self._waiting.setdefault(key, []).append(text)
        if not self._timer.isActive():
            self._timer.start(max(0, round((self._due - time.perf_counter()) * 1000)))

    def flush(self) -> None:
        """Hand on what is there now, e.g. before a part that must follow the text."""
        self._timer.stop()
        if not self._waiting:
            return
        texts = {key: "".join(pieces) for key, pieces in self._waiting.items()}
        self._waiting.clear()
        began = time.perf_counter()
        self.gathered.emit(texts)
        ended = time.perf_counter()
        self._pause = min(_LONGEST, max(INTERVAL, _SHARE * (ended - began)))
        self._due = ended + self._pause

    def drop(self, key: tuple[str, str]) -> None:
        self._waiting.pop(key, None)

    def pause(self) -> float:
        """Seconds to the next hand-on after the last one."""
        return self._pause
