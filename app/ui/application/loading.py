"""The second phase of the start, in a thread: heavy imports, and the services."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.ui.application.compose import Composition

_SWITCH_SECONDS = 0.001
"""Seconds after which a thread at work hands the interpreter back. Each call of the window into Qt lets go of it,
so with the usual 5 ms a thread that loads modules, reads a session or colours code would stall the window.
"""


class Loading(QObject):
    loaded = Signal(object)
    """The Composition."""
    failed = Signal(object)
    """The exception."""

    def __init__(self, compose: Callable[[], Composition], parent: QObject) -> None:
        """`compose` runs in the thread, without an event loop; imports belong in there."""
        super().__init__(parent)
        self._compose = compose
        self._is_running = False

    def start(self) -> None:
        """Once; to ask again is harmless."""
        if not self._is_running:
            self._is_running = True
            threading.Thread(target=self._load, name="triptych-start", daemon=True).start()

    def _load(self) -> None:
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            from app.ui.application import loop

            del loop
            parts = self._compose()
        except BaseException as error:  # noqa: BLE001  told in the window; a silent empty shell would be worse
            self.failed.emit(error)
        else:
            self.loaded.emit(parts)
