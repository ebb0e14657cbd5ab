"""Runs that need the person, or have ended after a long time, while they look elsewhere (product.md D2).

In front of another session it is a line in the window; behind other windows, or hidden, it is a message of the
desktop. Both lead to the card that waits. A run of the open session in front of the person is seen anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.core.errors import TriptychError
from app.core.run.run_handle import RunHandle
from app.core.run.view import EndItem, ItemChange, RunView, WaitItem
from app.core.run.view.items import WaitKind
from app.core.text.i18n import N_, _
from app.ui.main_window.notices.desktop_message import DesktopMessage
from app.ui.sessions.model import session_title

if TYPE_CHECKING:
    from app.services.data.sessions import SessionService
    from app.services.runs.chat import ChatService
    from app.services.settings.settings import SettingsService
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks

LONG_RUN = 20.0
"""Seconds: who waits longer has gone on with something else."""


class Notifier(QObject):
    def __init__(
        self,
        window: MainWindow,
        tasks: Tasks,
        *,
        view: SessionController,
        open_session: OpenSession,
        sessions: SessionService,
        chat: ChatService,
        settings: SettingsService,
    ) -> None:
        super().__init__(window)
        self._window, self._tasks, self._view, self._open_session = window, tasks, view, open_session
        self._sessions, self._chat, self._settings = sessions, chat, settings
        self._desktop = DesktopMessage(window)
        self._desktop.clicked.connect(self._clicked)
        self._followed: set[str] = set()
        self._asking: dict[str, str] = {}
        """What waits for an answer and has an id → its session; the oldest first."""
        self._last = ""
        self._stop_listening = sessions.listen(self._changed)

    def close(self) -> None:
        self._stop_listening()
        self._desktop.take_back()

    def waiting(self) -> str:
        """The session in which something has waited longest for an answer, "" if nothing does."""
        return next(iter(self._asking.values()), "")

    # ------------------------------------------------------------ listening

    def _changed(self, session: str) -> None:
        handle = self._chat.running(session)
        if handle is not None and handle.id not in self._followed:
            self._followed.add(handle.id)
            self._tasks.spawn(self._follow(handle), f"notice {handle.id}")

    async def _follow(self, handle: RunHandle) -> None:
        view = RunView()
        try:
            async for line in handle.events():
                for change in view.apply(line.event, line.t):
                    self._note(handle.session, change)
                    if words := words_for(change, view.now):
                        await self._tell(handle.session, words, asks=not view.is_over)
        finally:
            self._followed.discard(handle.id)

    def _note(self, session: str, change: ItemChange) -> None:
        match change.item:
            case WaitItem(kind="approval" | "question") as wait:
                if wait.ended is None:
                    self._asking[wait.id] = session
                else:
                    self._asking.pop(wait.id, None)
            case EndItem():
                self._asking = {id: where for id, where in self._asking.items() if where != session}
            case _:
                pass

    async def _tell(self, session: str, words: str, *, asks: bool) -> None:
        in_front = self._window.isActiveWindow() and not self._window.isMinimized()
        if not self._settings.preferences.notifications or (in_front and session == self._open_session.id):
            return
        title = await self._title(session)
        if in_front:
            answer = partial(self._open, session)
            self._window.notice.tell(f"{title}: {words}", "warn" if asks else "info", button=_("Open"), answer=answer)
            return
        self._last = session
        self._desktop.show(title, words)
        if asks:
            QApplication.alert(self._window)

    async def _title(self, session: str) -> str:
        try:
            return session_title(await self._sessions.row(session))
        except TriptychError:
            return "Triptych"

    # ------------------------------------------------------------ going there

    def go_to_card(self) -> None:
        """To what waits for an answer: here, or where something has waited longest."""
        run = self._view.run
        if not run.focus_waiting() and run.cards.first() is None and (session := self.waiting()):
            self._open(session)

    async def _go_to(self, session: str) -> None:
        """The session, and what waits in it: its card comes with its events."""
        if self._open_session.id != session:
            await self._view.open(session)
        for _attempt in range(12):
            if self._view.run.focus_waiting():
                return
            await asyncio.sleep(0.1)

    def _clicked(self) -> None:
        self._window.come_forward()
        self._open(self._last)

    def _open(self, session: str) -> None:
        if session:
            self._tasks.spawn(self._go_to(session), f"go to {session}")


def words_for(change: ItemChange, seconds: float) -> str:
    """What is said of a change; "" = it is no news to who looks elsewhere."""
    match change.item:
        case WaitItem(kind=kind) if change.what == "added":
            return _(_ASKS[kind])
        case EndItem() as end if seconds >= LONG_RUN:
            if end.failure is not None and end.failure.reason == "cancelled":
                return ""
            is_answered = end.failure is None and end.stop_reason != "damaged"
            return _("is answered") if is_answered else _("could not be answered")
        case _:
            return ""


_ASKS: Mapping[WaitKind, str] = {
    "approval": N_("asks before a tool runs"),
    "question": N_("has a question"),
    "budget": N_("has used up its budget and waits"),
    "plan": N_("has a plan for you to look at"),
}
