"""Python's collection of garbage, in the GUI thread only.

Automatic collection runs in whichever thread happens to make an object. Where that is a thread of the database or of
a worker, widgets in a reference cycle are destroyed outside the GUI thread: a lock of Qt was seen to stay shut after
that, and the window hung.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 500
_YOUNG = 50_000
"""Objects made and not freed since the last collection. With Python's own 700 a session of 10,000 messages costs a
tenth of a second of collecting."""
_OLDER = 20
"""Collections of a generation before the next older one is looked through as well."""


class GarbageCollection(QObject):
    """Switches automatic collection off for the process and collects from a timer of the thread that made it."""

    def __init__(self, parent: QObject, *, is_waiting: bool = False) -> None:
        """`is_waiting`: nothing is collected until `begin`. What a start makes stays, so there is nothing to find."""
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._collect_if_due)
        if not is_waiting:
            self._timer.start()

    def begin(self) -> None:
        self.exempt_loaded()
        self._timer.start()

    @staticmethod
    def exempt_loaded() -> None:
        """What is loaded by now stays until the end and is not searched again."""
        gc.freeze()

    def _collect_if_due(self) -> None:
        young, middle, old = gc.get_count()
        if young >= _YOUNG:
            gc.collect(0 if middle < _OLDER else 1 if old < _OLDER else 2)
