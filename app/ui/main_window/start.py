"""The first moments of a window that has its services: what is opened, told and sent."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.ui.tasks import TURN_SECONDS
from app.ui.texts import notice_text

if TYPE_CHECKING:
    from app.core.errors import TriptychError
    from app.services.data.first_look import FirstLook
    from app.services.data.sessions import SessionService
    from app.services.settings.settings import SettingsService
    from app.ui.main_window.notices.startup import StartupNotices
    from app.ui.main_window.session.save_status import SaveStatus
    from app.ui.main_window.session_actions.questions import QuestionController
    from app.ui.main_window.session_list.navigator import Navigator
    from app.ui.main_window.welcome import Welcome
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


class StartController(QObject):
    def __init__(
        self,
        window: MainWindow,
        tasks: Tasks,
        *,
        navigator: Navigator,
        questions: QuestionController,
        welcome: Welcome,
        notices: StartupNotices,
        saving: SaveStatus,
        sessions: SessionService,
        settings: SettingsService,
    ) -> None:
        super().__init__(window)
        self._window, self._tasks, self._navigator, self._questions = window, tasks, navigator, questions
        self._welcome, self._notices, self._saving = welcome, notices, saving
        self._sessions, self._settings = sessions, settings

    async def begin(
        self, first: FirstLook, cut_off: Collection[str] = (), trouble: TriptychError | None = None
    ) -> None:
        """Open what was asked for, tell what must be told, send what was typed before.

        `cut_off` are sessions whose last answer ended with the process before: going on is offered.
        `trouble` is why the data can be read only.
        """
        # The window gets its turn between the pieces: somebody may be typing.
        await asyncio.sleep(TURN_SECONDS)
        window = self._window
        rows = await self._sessions.rows(archived=True)
        window.sessions.set_rows(rows)
        rows = [row for row in rows if not row.archived]
        await asyncio.sleep(TURN_SECONDS)
        typed = window.composer.text()
        is_fresh = bool(first.agent or typed or first.safe_mode)
        latest = rows[0].id if rows and not is_fresh else ""
        await self._navigator.open_first(first.session or latest, first.agent)
        if typed:
            window.composer.set_text(typed)
        early = window.take_early_message()
        self._questions.take_questions()
        if trouble is None:
            await self._welcome.show_if_new()
        if self._welcome.page is None:
            self._questions.can_answer()
        for notice in self._settings.take_notices():
            window.notice.tell(notice_text(notice.code, notice.text, notice.params), "warn")
        if left := [row for row in rows if row.id in cut_off]:
            self._notices.offer_to_go_on(left)
        if first.safe_mode:
            self._notices.tell_safe_mode(first.safe_mode)
        if trouble is not None:
            self._saving.tell(trouble)
        else:
            self._tasks.spawn(self._saving.warn_of_place())
        if early:
            await self._questions.send(early)
