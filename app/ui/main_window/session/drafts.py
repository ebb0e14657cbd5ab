"""What was typed and not sent: kept with its session, or by the window where there is no session yet (R13)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from app.core.errors import TriptychError

if TYPE_CHECKING:
    from app.core.session.summary import SessionRow
    from app.services.data.sessions import SessionService
    from app.ui.chat.composer import Composer
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.tasks import Tasks

_log = logging.getLogger(__name__)
_OF_NO_SESSION = "draft/new"
_ORIGIN = "draft/by/"
_TASK = "keep draft"
_TRY_AGAIN = 2.0
"""Seconds."""


class Drafts(QObject):
    def __init__(
        self,
        composer: Composer,
        kept: QSettings,
        open_session: OpenSession,
        errors: ErrorNotices,
        sessions: SessionService,
        tasks: Tasks,
    ) -> None:
        """`kept` has what was typed where there is no session yet."""
        super().__init__(composer)
        self._kept, self._open_session, self._errors = kept, open_session, errors
        self._sessions, self._tasks = sessions, tasks
        self._is_told = False
        self._unwritten: dict[str, str] = {}
        """By session: those the disk did not take. They are tried again until it does."""
        composer.draft_changed.connect(self.changed)

    @property
    def place(self) -> str:
        """Whose draft stands in the composer: a session, or "" where there is none yet."""
        return self._open_session.id

    def note_origin(self, origin: str) -> None:
        """Somebody else wrote what stands in the composer now; until it is sent or removed, over a restart too."""
        self._kept.setValue(_ORIGIN + self.place, origin)

    def origin(self) -> str:
        """ "" where the person alone wrote it."""
        return str(self._kept.value(_ORIGIN + self.place, "") or "")

    def changed(self, text: str) -> None:
        if not text:
            self._forget_origin(self.place)
        if id := self._open_session.id:
            self.keep(id, text)
        else:
            self._kept.setValue(_OF_NO_SESSION, text)
            self._kept.sync()

    def _forget_origin(self, id: str) -> None:
        if self._kept.contains(_ORIGIN + id):
            self._kept.remove(_ORIGIN + id)

    def keep(self, id: str, text: str) -> None:
        if not text:
            self._forget_origin(id)
        self._tasks.spawn(self._write(id, text), _TASK)

    def first_sent(self) -> None:
        """What stood there before there was a session belongs to one now."""
        self._kept.setValue(_OF_NO_SESSION, "")
        self._forget_origin("")

    async def written(self) -> None:
        await self._tasks.finish(_TASK)

    def of(self, row: SessionRow) -> str:
        return self._unwritten.get(row.id, row.draft)

    def of_no_session(self) -> str:
        return str(self._kept.value(_OF_NO_SESSION, "") or "")

    async def _write(self, id: str, text: str) -> None:
        if (error := await self._refused(id, text)) is None or self._is_told:
            return
        self._is_told = True
        self._errors.tell(error)
        self._tasks.spawn(self._try_again())

    async def _refused(self, id: str, text: str) -> TriptychError | None:
        try:
            await self._sessions.update(id, draft=text)
        except TriptychError as error:
            _log.warning("the draft of %s could not be written: %s", id, error)
            self._unwritten[id] = text
            return error
        self._unwritten.pop(id, None)
        return None

    async def _try_again(self) -> None:
        while self._unwritten:
            await asyncio.sleep(_TRY_AGAIN)
            for id, text in list(self._unwritten.items()):
                await self._refused(id, text)
        self._is_told = False
