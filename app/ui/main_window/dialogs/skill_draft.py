"""A skill made of the open conversation: drafted, then changed and confirmed in the editor of skills."""

from __future__ import annotations

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.data.sessions import SessionService
from app.ui.main_window.dialogs.settings import SettingsController
from app.ui.main_window.open_session import OpenSession
from app.ui.tasks import Tasks
from app.ui.texts import fault_text
from app.ui.widgets.notice_bar import NoticeBar


class SkillDraft:
    def __init__(
        self,
        settings: SettingsController,
        notice: NoticeBar,
        open_session: OpenSession,
        tasks: Tasks,
        *,
        sessions: SessionService,
    ) -> None:
        self._settings, self._notice, self._open_session, self._tasks = settings, notice, open_session, tasks
        self._sessions = sessions

    def open(self) -> None:
        row = self._open_session.row
        if row is None:
            self._notice.tell(_("There is no conversation yet."))
            return
        self._tasks.spawn(self._draft(row.id, row.title))

    async def _draft(self, session: str, title: str) -> None:
        from app.services.skills.draft import draft_of

        try:
            skill = draft_of(await self._sessions.messages(session), title)
        except TriptychError as error:
            self._notice.tell(fault_text(error))
            return
        self._settings.new_skill(skill)
