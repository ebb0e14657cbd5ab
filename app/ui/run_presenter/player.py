"""The events of a stored run once more, in their own time, faster, or one by one. No network, no model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.run.event_line import Stamped

LONGEST_WAIT = 5.0
"""Seconds at single speed; nobody watches somebody think about an approval for an hour."""


class Player(QObject):
    played = Signal(object)
    """One `Stamped`."""
    changed = Signal()
    """Place, or whether it plays."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[Stamped] = ()
        self.place = 0
        """How many events were played."""
        self.speed = 1.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    @property
    def count(self) -> int:
        return len(self._lines)

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    @property
    def is_over(self) -> bool:
        return self.place >= len(self._lines)

    def load(self, lines: Sequence[Stamped]) -> None:
        """From the beginning, standing still."""
        self._timer.stop()
        self._lines, self.place = tuple(lines), 0
        self.changed.emit()

    def play(self) -> None:
        if not self.is_over:
            self._timer.start(self.wait_ms())
            self.changed.emit()

    def pause(self) -> None:
        self._timer.stop()
        self.changed.emit()

    def step(self) -> None:
        """The next event, at once; then it stands still."""
        self._timer.stop()
        self._play_one()

    def to_end(self) -> None:
        self._timer.stop()
        while not self.is_over:
            self._emit()
        self.changed.emit()

    def set_speed(self, speed: float) -> None:
        self.speed = speed
        if self.is_playing:
            self._timer.start(self.wait_ms())

    def wait_ms(self) -> int:
        """How long the next event lets one wait."""
        before = self._lines[self.place - 1].t if self.place else 0.0
        return round(min(max(0.0, self._lines[self.place].t - before), LONGEST_WAIT) * 1_000 / self.speed)

    def _next(self) -> None:
        self._play_one()
        self.play()

    def _play_one(self) -> None:
        if not self.is_over:
            self._emit()
            self.changed.emit()

    def _emit(self) -> None:
        line = self._lines[self.place]
        self.place += 1
        self.played.emit(line)
