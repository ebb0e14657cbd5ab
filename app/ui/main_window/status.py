"""What the run of the open session is doing in words, and for how long: told to whoever shows it.

The chip of the agent does; there is no line at the bottom (design.md 2).
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from app.ui.texts import clock_text


class RunStatus(QObject):
    changed = Signal(str)
    """The words, once a second while something goes on; "" = nothing does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = ""
        self._before = 0.0
        self._clock = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(1_000)
        self._tick.timeout.connect(self._tell)

    def set_state(self, text: str, *, seconds: float | None = None) -> None:
        """What goes on; with `seconds` a clock counts on from there."""
        self._state = text
        if seconds is None:
            self._tick.stop()
        else:
            self._before = seconds
            self._clock.start()
            self._tick.start()
        self._tell()

    def set_words(self, text: str) -> None:
        """The same goes on under other words; the clock counts on."""
        self._state = text
        self._tell()

    def _tell(self) -> None:
        passed = self._before + self._clock.elapsed() / 1_000 if self._tick.isActive() else 0.0
        self.changed.emit(f"{self._state} · {clock_text(passed)}" if passed >= 1 else self._state)
