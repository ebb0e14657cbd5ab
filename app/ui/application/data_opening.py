"""The stored data is opened, corrected by the person where it cannot be."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.core.errors import ForThePerson, TriptychError

if TYPE_CHECKING:
    from app.services.data.backups import BackupService
    from app.services.data.sessions import SessionService
    from app.services.lifecycle import Lifecycle
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


class DataOpening(QObject):
    folder_chosen = Signal(object)
    """Another data folder, by its Path."""

    def __init__(
        self,
        parent: DialogParent,
        tasks: Tasks,
        *,
        lifecycle: Lifecycle,
        sessions: SessionService,
        backups: BackupService,
    ) -> None:
        super().__init__(parent)
        self._parent, self._tasks = parent, tasks
        self._lifecycle, self._sessions, self._backups = lifecycle, sessions, backups
        self.cut_off: list[str] = []
        """Sessions whose last answer ended with the process before this one."""
        self.trouble: TriptychError | None = None
        """Why the data can be read only."""

    async def open(self) -> bool:
        """False if the person would rather leave."""
        while True:
            try:
                self.cut_off = await self._lifecycle.open()
                # An empty list in place of one that cannot be read would look as if everything were lost.
                await self._sessions.rows()
            except ForThePerson as error:
                if await self._lifecycle.is_readable(error):
                    self.trouble = error
                    return True
                if await self._ask_what_to_do(error) == "quit":
                    return False
            else:
                return True

    async def _ask_what_to_do(self, error: TriptychError) -> str:
        from app.ui.dialogs.data.recovery import RecoveryDialog

        answered: asyncio.Future[str] = self._tasks.loop.create_future()

        def answer(word: str) -> None:
            if not answered.done():
                answered.set_result(word)

        dialog = RecoveryDialog(
            self._backups,
            error,
            self._parent.theme,
            spawn=self._tasks.spawn,
            parent=self._parent,
        )
        dialog.answered.connect(answer)
        dialog.folder_chosen.connect(self.folder_chosen)
        dialog.open()
        return await answered
