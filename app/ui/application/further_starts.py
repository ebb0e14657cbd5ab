"""Further starts of the program for the same data: they ask the window that is open, and end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.ui.application.single import Doorbell

_log = logging.getLogger(__name__)


class FurtherStarts(QObject):
    window_wanted = Signal(str, str)
    """With a session or an agent to show, "" for neither."""
    ask_wanted = Signal()
    """The small window for one question."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._doorbell: Doorbell | None = None

    def hear(self, address: str, deaf: Callable[[], None]) -> None:
        """`deaf` is called if none can be heard there."""
        from app.ui.application.single import Doorbell

        self._doorbell = Doorbell(self)
        self._doorbell.rung.connect(self.window_wanted)
        self._doorbell.ask_wanted.connect(self.ask_wanted)
        if not self._doorbell.listen(address):
            _log.warning("a further start of the program will not be heard")
            deaf()

    def stop(self) -> None:
        if self._doorbell is not None:
            self._doorbell.close()
