"""The next rows beyond those in sight are made while nothing else happens, a piece at a time.

Parsing, building and measuring an answer in one step of the wheel would take longer than a frame; so each is a piece of
its own, and the step that brings the row into sight finds it done. Where somebody scrolls faster than that, the list
makes the row at once, as ever.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, QTimer

_ROWS = 2
"""A question is so low that the answer beyond it comes with the next step."""


class ScrolledList(Protocol):
    def beyond(self, step: int, count: int) -> list[str]:
        """The rows next to those in sight: below them (1) or above (-1)."""
        ...

    def make_ahead(self, key: str) -> bool:
        """A piece of the work for a row out of sight; whether there was any to do."""
        ...


class RowsAhead(QObject):
    def __init__(self, rows: ScrolledList, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._step = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        # A zero shot would be served before input and paint; a timer takes its turn.
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._make_one)

    def scrolled(self, pixels: int) -> None:
        """The view has moved, and will go on the same way."""
        if pixels:
            self._step = 1 if pixels > 0 else -1
            self._timer.start()

    def stop(self) -> None:
        """The rows are others now."""
        self._timer.stop()

    def _make_one(self) -> None:
        if any(self._rows.make_ahead(key) for key in self._rows.beyond(self._step, _ROWS)):
            self._timer.start()
