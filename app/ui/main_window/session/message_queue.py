"""Messages written while a run goes on: kept with their session, sent one after the other when it is free.

A queue moves on by itself only after a whole answer: what was stopped or failed waits for the person.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING

from app.core.errors import TriptychError
from app.core.run.events import Steered
from app.ui.chat.queue_bar import QueueBar

if TYPE_CHECKING:
    from app.core.run.events import RunHandle
    from app.services.container import Services
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks

_WORK = "queue"


class Waiting:
    def __init__(
        self,
        window: MainWindow,
        services: Services,
        tasks: Tasks,
        *,
        shown: Callable[[], str],
        send: Callable[[str], Awaitable[bool]],
    ) -> None:
        """`shown` is the session that is open; `send` asks in it and says whether the question was taken."""
        self._window, self._services, self._tasks = window, services, tasks
        self._shown, self._send = shown, send
        self._on_the_way: dict[str, set[str]] = {}
        """Said to a run and not yet read by it: if it ends before, they wait on in the queue."""
        self._queues: dict[str, list[str]] = {}
        """Of the sessions that were looked at; on the disk are all."""
        self._sending: set[str] = set()
        self.bar = QueueBar(window.theme)
        window.put_above_composer(self.bar)
        self.bar.remove_asked.connect(self._remove)
        self.bar.up_asked.connect(lambda place: self._swap(place - 1))
        self.bar.down_asked.connect(self._swap)
        self.bar.steer_asked.connect(self._steer)
        self.bar.edit_asked.connect(self._edit)
        self.bar.send_asked.connect(lambda: self._tasks.spawn(self._send_next(self._shown(), asked=True)))
        self._stop_listening = services.sessions.listen(self._changed)

    async def show(self, id: str) -> None:
        if id and id not in self._queues:
            self._queues[id] = await self._services.sessions.queue(id)
        if id == self._shown():
            self.tell()

    def tell(self) -> None:
        """Something runs or does not; another session is open."""
        id = self._shown()
        run = self._services.chat.running(id)
        self.bar.show_queue(
            self._queues.get(id, []),
            is_idle=run is None,
            can_steer=run is not None,
            on_the_way=self._on_the_way.get(id, ()),
        )

    def put(self, text: str) -> None:
        id = self._shown()
        self._keep(id, [*self._queues.get(id, []), text])

    def close(self) -> None:
        self._stop_listening()

    # ------------------------------------------------------------ what is asked for in the bar

    def _remove(self, place: int) -> None:
        queue = self._queues.get(self._shown(), [])
        self._keep(self._shown(), [*queue[:place], *queue[place + 1 :]])

    def _swap(self, place: int) -> None:
        """With the one below it."""
        queue = list(self._queues.get(self._shown(), []))
        queue[place], queue[place + 1] = queue[place + 1], queue[place]
        self._keep(self._shown(), queue)

    def _steer(self, place: int) -> None:
        """Said to the run at once; it leaves the queue when the run has read it, be it watched or not."""
        id = self._shown()
        text, run = self._queues.get(id, [])[place], self._services.chat.running(id)
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
        queue = list(self._queues.get(self._shown(), []))
        text, typed = queue.pop(place), self._window.composer.text().strip()
        if typed:
            queue.insert(place, typed)
        self._keep(self._shown(), queue)
        self._window.composer.fill(text)

    # ------------------------------------------------------------ moving on

    def _keep(self, id: str, queue: list[str]) -> None:
        self._queues[id] = queue
        self._tasks.spawn(self._services.sessions.set_queue(id, queue), f"{_WORK} {id}")
        self.tell()

    def _changed(self, id: str) -> None:
        if id == self._shown():
            self.tell()
        if self._queues.get(id) and id not in self._sending and self._services.chat.running(id) is None:
            self._tasks.spawn(self._send_next(id))

    async def _send_next(self, id: str, *, asked: bool = False) -> None:
        if id in self._sending or not self._queues.get(id):
            return
        self._sending.add(id)
        try:
            if asked or await self._is_complete(id):
                text = self._queues[id][0]
                if await self._ask(id, text) and self._queues[id][:1] == [text]:
                    self._keep(id, self._queues[id][1:])
        finally:
            self._sending.discard(id)
            self.tell()

    async def _is_complete(self, id: str) -> bool:
        try:
            messages = await self._services.sessions.messages(id)
        except TriptychError:
            return False  # the window closes
        return bool(messages) and messages[-1].role == "assistant" and messages[-1].state == "complete"

    async def _ask(self, id: str, text: str) -> bool:
        if id == self._shown():
            return await self._send(text)
        try:
            await self._services.chat.send(id, text)
        except TriptychError:
            return False  # it stays in the queue, to be seen when the session is opened
        return True
