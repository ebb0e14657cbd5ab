"""Further starts of the program for the same data: they ask the window that is open, and end.

What they may ask for stands here too, as something that is done with the window once questions can be sent.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

if TYPE_CHECKING:
    from app.ui.application.single import Doorbell
    from app.ui.main_window.window_controller import WindowController

_log = logging.getLogger(__name__)

Then = Callable[["WindowController"], Coroutine[Any, Any, None]]


def visiting(session: str, agent: str) -> Then:
    async def visit(desk: WindowController) -> None:
        await desk.navigator.visit(session, agent)

    return visit


async def asking(desk: WindowController) -> None:
    """The small window for one question."""
    desk.actions["ask"].trigger()


def importing(files: Sequence[str]) -> Then:
    """Exported sessions a person opened in the system: they are imported, which runs nothing."""

    async def read(desk: WindowController) -> None:
        await desk.transfer.read([Path(file) for file in files])

    return read


class FurtherStarts(QObject):
    window_wanted = Signal(str, str)
    """With a session or an agent to show, "" for neither."""
    ask_wanted = Signal()
    files_wanted = Signal(list)
    """Paths of exported sessions."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._doorbell: Doorbell | None = None
        application = QCoreApplication.instance()
        if sys.platform == "darwin" and application is not None:  # there files come as events, not as arguments
            application.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.FileOpen:
            return False
        from PySide6.QtGui import QFileOpenEvent

        if isinstance(event, QFileOpenEvent) and event.file():
            self.files_wanted.emit([event.file()])
        return True

    def hear(self, address: str, deaf: Callable[[], None]) -> None:
        """`deaf` is called if none can be heard there."""
        from app.ui.application.single import Doorbell

        self._doorbell = Doorbell(self)
        self._doorbell.rung.connect(self.window_wanted)
        self._doorbell.ask_wanted.connect(self.ask_wanted)
        self._doorbell.files_wanted.connect(self.files_wanted)
        if not self._doorbell.listen(address):
            _log.warning("a further start of the program will not be heard")
            deaf()

    def stop(self) -> None:
        if self._doorbell is not None:
            self._doorbell.close()
