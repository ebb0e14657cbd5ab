"""From session to session: new ones, the next one, the one that was asked for from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.ui.texts import error_text

if TYPE_CHECKING:
    from app.services.data.sessions import SessionService
    from app.ui.chat.find import FindBar
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.session_list.controller import SessionList
    from app.ui.sessions.panel import SessionsPanel
    from app.ui.tasks import Tasks


class Navigator(QObject):
    def __init__(
        self,
        panel: SessionsPanel,
        column: ComposerColumn,
        find: FindBar,
        tasks: Tasks,
        *,
        view: SessionController,
        open_session: OpenSession,
        listed: SessionList,
        sessions: SessionService,
    ) -> None:
        super().__init__(panel)
        self._panel, self._composer, self._notice = panel, column.composer, column.notice
        self._find, self._tasks, self._view, self._open_session = find, tasks, view, open_session
        self._listed, self._sessions = listed, sessions
        panel.session_chosen.connect(self.open)
        panel.new_asked.connect(self.new_session)
        listed.open_asked.connect(self.open)
        listed.gone.connect(self.leave)

    def open(self, id: str) -> None:
        if id and id != self._open_session.id:
            self._find.forget()
            self._tasks.spawn(self._view.open(id), f"open {id}")

    async def open_first(self, session: str, agent: str) -> None:
        """What the window begins with: the session, or else a new one with `agent`."""
        if not session or not await self._is_opened(session):
            self._view.new(agent)

    async def visit(self, session: str, agent: str) -> None:
        """A further start of the program asks for a session, or else for a new one with `agent`."""
        if session and session != self._open_session.id:
            self._find.forget()
            await self._is_opened(session)
        elif agent:
            self.new_session(agent)

    async def _is_opened(self, id: str) -> bool:
        try:
            await self._view.open(id)
        except TriptychError as error:
            text = error_text(error.code, error.message, error.params)
            self._notice.tell(f"{text.what} {text.do}".strip(), "warn")
            return False
        return True

    def leave(self, id: str) -> None:
        """A session went to the bin: if it was open, the one beside it opens."""
        if id != self._open_session.id:
            return
        neighbour = self._panel.neighbour(1)
        if neighbour and neighbour != id:
            self.open(neighbour)
        else:
            self._view.new()

    # ------------------------------------------------------------ commands

    def new_session(self, agent: str = "") -> None:
        self._find.forget()
        self._view.new(agent)

    def temporary(self) -> None:
        self._find.forget()
        self._tasks.spawn(self._begin_temporary())

    async def _begin_temporary(self) -> None:
        """Made at once, because what is typed for a session that is not there yet would be kept on the disk."""
        unused = (row for row in self._panel.model.rows.values() if row.is_temporary and not row.preview)
        row = next(unused, None)
        if row is None:
            row = await self._sessions.create(self._view.choices.agent, temporary=True)
        await self._view.open(row.id)
        self._composer.focus()

    def next_session(self) -> None:
        self.open(self._panel.neighbour(1))

    def previous_session(self) -> None:
        self.open(self._panel.neighbour(-1))

    def go_to_session(self, number: int) -> None:
        self.open(self._panel.nth(number - 1))

    def archive_session(self) -> None:
        if (row := self._open_session.row) is not None and not row.is_temporary:
            self._tasks.spawn(self._listed.archive([row.id], not row.archived))

    def delete_session(self) -> None:
        if (row := self._open_session.row) is not None:
            self._tasks.spawn(self._listed.trash([row.id]))
