"""The search over all sessions, and the way from a hit to its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from app.ui.dialogs.data.search_all import SearchDialog
from app.ui.texts import mode_title

if TYPE_CHECKING:
    from app.services.data.search import SessionSearchService
    from app.services.settings.settings import SettingsService
    from app.ui.chat.find import FindBar
    from app.ui.chat.view import ChatView
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.fields.mode_selector import ModeSelector


class SearchController(QObject):
    def __init__(
        self,
        parent: DialogParent,
        modes: ModeSelector,
        chat: ChatView,
        find: FindBar,
        tasks: Tasks,
        *,
        view: SessionController,
        open_session: OpenSession,
        search: SessionSearchService,
        settings: SettingsService,
    ) -> None:
        super().__init__(parent)
        self._parent, self._modes, self._chat, self._find, self._tasks = parent, modes, chat, find, tasks
        self._view, self._open_session, self._search, self._settings = view, open_session, search, settings

    def open(self, words: str = "") -> None:
        dialog = SearchDialog(
            self._search,
            self._parent.theme,
            agents={profile.id: profile.title for profile in self._settings.profiles()},
            modes={id: mode_title(id) for id in self._modes.modes()},
            spawn=self._tasks.spawn,
            parent=self._parent,
        )
        self._tasks.spawn_on(dialog.chosen, self._go_to)
        dialog.open()
        dialog.field.setFocus(Qt.FocusReason.PopupFocusReason)
        dialog.field.setText(words)

    async def _go_to(self, session: str, message: str, words: str) -> None:
        if session != self._open_session.id:
            await self._view.open(session)
        if message and message in self._chat.keys():  # noqa: SIM118  a method of the view
            self._find.open_at(words.strip('"'), message)
