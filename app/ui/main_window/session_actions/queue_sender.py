"""Waiting messages sent on, one after the other.

A queue moves on by itself only after a whole answer: what was stopped or failed waits for the person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.errors import TriptychError

if TYPE_CHECKING:
    from app.services.data.sessions import SessionService
    from app.services.runs.chat import ChatService
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.message_queue import MessageQueue
    from app.ui.main_window.session_actions.questions import QuestionController
    from app.ui.tasks import Tasks


class QueueSender(QObject):
    """Sends what waits, one after the other: `questions` in the open session, the chat service in others."""

    def __init__(
        self,
        queue: MessageQueue,
        questions: QuestionController,
        open_session: OpenSession,
        tasks: Tasks,
        *,
        sessions: SessionService,
        chat: ChatService,
    ) -> None:
        super().__init__(queue)
        self._queue, self._questions, self._open_session, self._tasks = queue, questions, open_session, tasks
        self._sessions, self._chat = sessions, chat
        self._sending: set[str] = set()
        queue.bar.send_asked.connect(self._send_asked)
        self._stop_listening = sessions.listen(self._changed)

    def close(self) -> None:
        self._stop_listening()

    def _send_asked(self) -> None:
        self._tasks.spawn(self._send_next(self._open_session.id, asked=True))

    def _changed(self, id: str) -> None:
        if id == self._open_session.id:
            self._queue.tell()
        if self._queue.first(id) and id not in self._sending and self._chat.running(id) is None:
            self._tasks.spawn(self._send_next(id))

    async def _send_next(self, id: str, *, asked: bool = False) -> None:
        text = self._queue.first(id)
        if id in self._sending or not text:
            return
        self._sending.add(id)
        try:
            if asked or await self._is_complete(id):
                text = self._queue.first(id)
                if text and await self._ask(id, text):
                    self._queue.drop_first(id, text)
        finally:
            self._sending.discard(id)
            self._queue.tell()

    async def _is_complete(self, id: str) -> bool:
        try:
            messages = await self._sessions.messages(id)
        except TriptychError:
            return False  # the window closes
        return bool(messages) and messages[-1].role == "assistant" and messages[-1].state == "complete"

    async def _ask(self, id: str, text: str) -> bool:
        if id == self._open_session.id:
            return await self._questions.send(text, typed=False)
        try:
            await self._chat.send(id, text)
        except TriptychError:
            return False  # it stays in the queue, to be seen when the session is opened
        return True
