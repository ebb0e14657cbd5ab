"""The meter in the header: how much the next request carries, and what of it the person leaves out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.core.run.analysis.context_use import context_use
from app.ui.main_window.context_popup import ContextPopup
from app.ui.texts import fault_text

if TYPE_CHECKING:
    from app.core.run.messages import Message
    from app.services.data.sessions import SessionService
    from app.services.runs.chat import ChatService
    from app.ui.main_window.header import WindowHeader
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.choices import Choices
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.fields.mode_selector import ModeSelector
    from app.ui.widgets.notice_bar import NoticeBar

_WORK = "leave out"


class ContextController(QObject):
    """Of the open session and the agent chosen for it."""

    def __init__(
        self,
        parent: DialogParent,
        header: WindowHeader,
        modes: ModeSelector,
        notice: NoticeBar,
        tasks: Tasks,
        *,
        open_session: OpenSession,
        choices: Choices,
        chat: ChatService,
        sessions: SessionService,
    ) -> None:
        super().__init__(header)
        self._parent, self._meter, self._modes, self._notice, self._tasks = parent, header.meter, modes, notice, tasks
        self._open_session, self._choices, self._chat, self._sessions = open_session, choices, chat, sessions
        self._messages: Sequence[Message] = ()
        self._left_out: dict[str, frozenset[str]] = {}
        self._characters = 0
        choices.agent_shown.connect(self.tell)
        choices.model_shown.connect(self.tell)
        self._meter.clicked.connect(self._ask_popup)

    async def read(self, session: str) -> frozenset[str]:
        """What is left out in that session, from now on known here."""
        self._left_out[session] = left_out = await self._sessions.notes.left_out(session)
        return left_out

    def show(self, messages: Sequence[Message]) -> None:
        """The line of messages as it is now."""
        self._messages = messages
        row = self._open_session.row
        self._characters = context_use("", messages, self._left_out.get(row.id, ()) if row else ()).chars
        self.tell()

    def add(self, characters: int) -> None:
        """A question was sent; the rest is counted when its answer is complete."""
        self._characters += characters
        self.tell()

    def tell(self, _changed: object = None) -> None:
        """The limit is one of the conversation alone; a program without a limit has no meter."""
        self._meter.set_figures(self._characters, self._choices.shortened_above())

    def _ask_popup(self) -> None:
        self._tasks.spawn(self._show_popup())

    async def _show_popup(self) -> None:
        if (row := self._open_session.row) is None:
            return
        try:
            messages = await self._sessions.messages(row.id)
            left_out = await self.read(row.id)
        except TriptychError as error:
            self._notice.tell(fault_text(error), "warn", session=row.id)
            return
        system, tools = await self._chat.frame(self._choices.profile(), self._modes.mode())
        use = context_use(system, messages, left_out, tools)
        popup = ContextPopup(self._parent.theme, use, self._choices.shortened_above(), self._parent)
        popup.left_out_changed.connect(partial(self._left_out_chosen, row.id))
        popup.show_below(self._meter)

    def _left_out_chosen(self, session: str, ids: Collection[str]) -> None:
        self._tasks.spawn(self._leave_out(session, ids), f"{_WORK} {session}")

    async def _leave_out(self, session: str, ids: Collection[str]) -> None:
        """From the next request on, until it is taken back."""
        await self._sessions.notes.set_left_out(session, ids)
        self._left_out[session] = frozenset(ids)
        if (row := self._open_session.row) is not None and row.id == session:
            self.show(self._messages)
