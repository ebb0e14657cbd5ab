"""Messages written while a run goes on: kept with their session, seen and changed in a bar above the composer."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.run.events import Steered
from app.ui.chat.queue_bar import QueueBar

if TYPE_CHECKING:
    from app.core.run.run_handle import RunHandle
    from app.services.data.sessions import SessionService
    from app.services.runs.chat import ChatService
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.open_session import OpenSession
    from app.ui.tasks import Tasks
    from app.ui.theme import Theme

_WORK = "queue"


class MessageQueue(QObject):
    """The queues as they are kept, and the bar that shows the one of the open session."""

    def __init__(
        self,
        theme: Theme,
        column: ComposerColumn,
        open_session: OpenSession,
        tasks: Tasks,
        *,
        sessions: SessionService,
        chat: ChatService,
    ) -> None:
        super().__init__(column)
        self._composer, self._open_session, self._tasks = column.composer, open_session, tasks
        self._sessions, self._chat = sessions, chat
        self._on_the_way: dict[str, set[str]] = {}
        """Said to a run and not yet read by it: if it ends before, they wait on in the queue."""
        self._queues: dict[str, list[str]] = {}
        """Of the sessions that were looked at; on the disk are all."""
        self.bar = QueueBar(theme)
        column.put_above_composer(self.bar)
        self.bar.remove_asked.connect(self._remove)
        self.bar.up_asked.connect(self._up)
        self.bar.down_asked.connect(self._swap)
        self.bar.steer_asked.connect(self._steer)
        self.bar.edit_asked.connect(self._edit)

    async def show(self, id: str) -> None:
        if id and id not in self._queues:
            self._queues[id] = await self._sessions.notes.queue(id)
        if id == self._open_session.id:
            self.tell()

    def tell(self) -> None:
        """Something runs or does not; another session is open."""
        id = self._open_session.id
        run = self._chat.running(id)
        self.bar.show_queue(
            self._queues.get(id, []),
            is_idle=run is None,
            can_steer=run is not None,
            on_the_way=self._on_the_way.get(id, ()),
        )

    def put(self, text: str) -> None:
        id = self._open_session.id
        self._keep(id, [*self._queues.get(id, []), text])

    def first(self, id: str) -> str:
        """ "" where nothing waits, or the session was not looked at yet."""
        return next(iter(self._queues.get(id, [])), "")

    def drop_first(self, id: str, text: str) -> None:
        """It was sent, unless another stands there by now."""
        if self.first(id) == text:
            self._keep(id, self._queues[id][1:])

    # ------------------------------------------------------------ what is asked for in the bar

    def _remove(self, place: int) -> None:
        queue = self._queues.get(self._open_session.id, [])
        self._keep(self._open_session.id, [*queue[:place], *queue[place + 1 :]])

    def _up(self, place: int) -> None:
        self._swap(place - 1)

    def _swap(self, place: int) -> None:
        """With the one below it."""
        queue = list(self._queues.get(self._open_session.id, []))
        queue[place], queue[place + 1] = queue[place + 1], queue[place]
        self._keep(self._open_session.id, queue)

    def _steer(self, place: int) -> None:
        """Said to the run at once; it leaves the queue when the run has read it, be it watched or not."""
        id = self._open_session.id
        text, run = self._queues.get(id, [])[place], self._chat.running(id)
        if run is not None and run.steer(text):
            self._on_the_way.setdefault(id, set()).add(text)
            self._tasks.spawn(self._until_read(id, run, text), f"{_WORK} {id} {text[:20]}")
        self.tell()

    async def _until_read(self, id: str, run: RunHandle, text: str) -> None:
        stream = run.events()
        try:
            async for stamped in stream:
                if isinstance(stamped.event, Steered) and stamped.event.text == text:
                    queue = list(self._queues.get(id, []))
                    if text in queue:
                        queue.remove(text)
                        self._keep(id, queue)
                    break
        finally:
            if isinstance(stream, AsyncGenerator):
                await stream.aclose()
        self._on_the_way.get(id, set()).discard(text)
        self.tell()

    def _edit(self, place: int) -> None:
        """Back into the composer; what stands there takes its place."""
        queue = list(self._queues.get(self._open_session.id, []))
        text, typed = queue.pop(place), self._composer.text().strip()
        if typed:
            queue.insert(place, typed)
        self._keep(self._open_session.id, queue)
        self._composer.fill(text)

    def _keep(self, id: str, queue: list[str]) -> None:
        self._queues[id] = queue
        self._tasks.spawn(self._sessions.notes.set_queue(id, queue), f"{_WORK} {id}")
        self.tell()
