"""The runs that clients see: found by id, followed by several, waited for in turn.

A run that nobody listens to any more is stopped, if a client of this server began it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from app.core.errors import UnknownName
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopStart
from app.core.run.run_handle import RunHandle
from app.core.system.clock import CLOCK
from app.services.data.sessions import SessionService
from app.services.runs.active_runs import AlreadyRunning
from app.services.runs.chat import ChatService
from app.services.runs.runs import RunService

from .errors import ApiError
from .metrics import Metrics

MOST_ENDED = 32
"""Runs that have ended and can still be read to their end by those who come back."""
MOST_HELD = 4_000_000
"""Characters of the answers of those; the newest is held however long it is."""
MOST_WAITING = 16
"""Questions that wait for their turn in one session."""
MOST_BEHIND = 16
"""Runs that are held for a follower who does not read; behind them it is let go."""
MOST_REMEMBERED = 1_000
"""Questions by which one that is sent twice is known."""
DOUBLE_SECONDS = 15.0
"""So long a question that waits for its turn is a double of an equal one without an id: platforms that wait five
seconds for a reply send the same message up to three times."""


@dataclass(slots=True)
class SentQuestion:
    since: float
    """By the monotonic clock."""
    run: asyncio.Future[RunHandle] | None
    """None once its run is not known any more."""


class RunHub:
    def __init__(self, chat: ChatService, sessions: SessionService, runs: RunService, metrics: Metrics) -> None:
        self._chat, self._runs, self._metrics = chat, runs, metrics
        self._known: OrderedDict[str, RunHandle] = OrderedDict()
        self._lengths: dict[str, int] = {}
        """Characters, of those that have ended."""
        self._followers: dict[str, set[asyncio.Queue[RunHandle | None]]] = {}
        """None ends what follows."""
        self._listeners: dict[str, int] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: dict[str, int] = {}
        self._sent: OrderedDict[tuple[str, ...], SentQuestion] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop_listening = sessions.listen(self._session_changed)

    def let_followers_go(self) -> None:
        """Their streams have no end of their own."""
        for queues in self._followers.values():
            for queue in queues:
                _let_go(queue)

    async def close(self) -> None:
        self._stop_listening()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    # ------------------------------------------------------------ known runs

    def run(self, id: str) -> RunHandle:
        """Raises UnknownName; an ended one is known for a while."""
        if id not in self._known:
            raise UnknownName("run", id, self._known)
        return self._known[id]

    def active(self) -> int:
        return len(self._chat.running_sessions())

    def _session_changed(self, session: str) -> None:
        run = self._chat.running(session)
        if run is not None:
            self.take(run)

    def take(self, run: RunHandle) -> None:
        """Called for every run that begins, also for those that did not come from here."""
        if run.id in self._known:
            return
        self._known[run.id] = run
        for queue in self._followers.get(run.session, ()):
            _offer(queue, run)
        task = asyncio.create_task(self._watch(run), name=f"metrics of {run.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, run: RunHandle) -> None:
        async for stamped in run.events():
            if isinstance(stamped.event, LoopStart):
                end = await run.result()
                self._metrics.ended(stamped.event, end)
                said = end.answer + end.thinking if isinstance(end, LoopEnd) else end.partial
                self._lengths[run.id] = len(said)
            break
        ended = [id for id, one in self._known.items() if not one.is_running]
        held = sum(self._lengths.get(id, 0) for id in ended)
        while len(ended) > MOST_ENDED or (held > MOST_HELD and len(ended) > 1):
            id = ended.pop(0)
            held -= self._lengths.pop(id, 0)
            self._forget(self._known.pop(id))

    def _forget(self, run: RunHandle) -> None:
        """It holds all of its events; that it was sent is remembered without it."""
        for sent in self._sent.values():
            if sent.run is not None and sent.run.done() and not sent.run.exception() and sent.run.result() is run:
                sent.run = None

    # ------------------------------------------------------------ sending

    async def send(
        self,
        session: str,
        start: Callable[[], Coroutine[Any, Any, RunHandle]],
        *,
        waits: bool = False,
        message_id: str = "",
        content: tuple[str, ...] = (),
    ) -> RunHandle:
        """Begins a run by `start`. One session runs one at a time: `waits` for its turn, or raises AlreadyRunning.

        A question whose `message_id` this session has had before is the same question: its run is given again. One
        that has no id and waits for its turn is the same as another of equal `content` (who asks what) shortly before,
        unless that one has failed.
        """
        if not message_id and not (waits and content):
            return await self._begin(session, start, waits=waits)
        key = (session, "id", message_id) if message_id else (session, "content", *content)
        if key in self._sent and (message_id or await self._is_double(self._sent[key])):
            return await self._first(self._sent[key])
        future: asyncio.Future[RunHandle] = asyncio.get_running_loop().create_future()
        sent = self._sent[key] = SentQuestion(CLOCK.monotonic(), future)
        self._sent.move_to_end(key)
        while len(self._sent) > MOST_REMEMBERED:
            self._sent.popitem(last=False)
        try:
            run = await self._begin(session, start, waits=waits)
        except BaseException:
            # It never began, so it may be sent again; a double that waits for it is told to do so.
            if self._sent.get(key) is sent:
                del self._sent[key]
            future.set_exception(AlreadyRunning("the first of two equal messages was given up"))
            future.exception()
            raise
        future.set_result(run)
        return run

    async def _first(self, sent: SentQuestion) -> RunHandle:
        if sent.run is None:
            raise ApiError(409, "DOUBLE", "this message was answered before; the session has the answer")
        return await asyncio.shield(sent.run)

    async def _is_double(self, sent: SentQuestion) -> bool:
        if CLOCK.monotonic() - sent.since > DOUBLE_SECONDS or sent.run is None:
            return False
        if not sent.run.done() or (run := sent.run.result()).is_running:
            return True
        return isinstance(await run.result(), LoopEnd)

    async def _begin(
        self, session: str, start: Callable[[], Coroutine[Any, Any, RunHandle]], *, waits: bool
    ) -> RunHandle:
        if not waits:
            if self._waiting.get(session):
                raise AlreadyRunning("others wait for their turn in this session")
            run = await start()
            self.take(run)
            return run
        if self._waiting.get(session, 0) >= MOST_WAITING:
            raise ApiError(429, "QUEUE_FULL", f"{MOST_WAITING} questions wait in this session already")
        self._waiting[session] = self._waiting.get(session, 0) + 1
        lock = self._turns.setdefault(session, asyncio.Lock())
        try:
            async with lock:
                return await self._in_turn(session, start)
        finally:
            self._waiting[session] -= 1
            if not self._waiting[session]:
                del self._waiting[session], self._turns[session]

    async def _in_turn(self, session: str, start: Callable[[], Coroutine[Any, Any, RunHandle]]) -> RunHandle:
        while True:
            if (before := self._chat.running(session)) is not None:
                await before.result()
            try:
                run = await start()
            except AlreadyRunning:  # somebody else, such as the window, was quicker
                await asyncio.sleep(0.05)
                continue
            self.take(run)
            return run

    # ------------------------------------------------------------ listening

    def attach(self, run: RunHandle) -> Callable[[], None]:
        """A client that wants this run's answer; returns the call by which it goes. With the last one the run stops."""
        self._listeners[run.id] = self._listeners.get(run.id, 0) + 1
        self._metrics.streams += 1
        is_there = True

        def detach() -> None:
            nonlocal is_there
            if not is_there:
                return
            is_there = False
            self._metrics.streams -= 1
            self._listeners[run.id] -= 1
            if not self._listeners[run.id]:
                del self._listeners[run.id]
                run.cancel()  # nothing happens to one that has ended

        return detach

    async def follow(self, session: str, after: str = "") -> AsyncGenerator[Stamped, None]:
        """Every event of every run of a session, from the one that runs now, or behind the event with the id `after`
        (`event_id`). Ends by itself only for who is too many runs behind, and may come back with the last id that was
        read; whoever follows keeps no run alive and stops none."""
        queue: asyncio.Queue[RunHandle | None] = asyncio.Queue(MOST_BEHIND)
        self._followers.setdefault(session, set()).add(queue)
        self._metrics.streams += 1
        run_id, _dot, seq = after.rpartition(".")
        try:
            if run_id in self._known and self._known[run_id].session == session:
                async for stamped in self._known[run_id].events(gathered=True):
                    if stamped.seq > (int(seq) if seq.isdecimal() and len(seq) < 19 else -1):
                        yield stamped
            elif run_id:
                for stamped in await self._terminal(run_id, session):
                    yield stamped
            running = self._chat.running(session)
            if running is not None and running.id != run_id:
                _offer(queue, running)
            seen = {run_id}
            while True:
                run = await queue.get()
                if run is None:
                    return
                if run.id in seen:
                    continue
                seen = {run.id}
                async for stamped in run.events(gathered=True):
                    yield stamped
        finally:
            self._metrics.streams -= 1
            self._followers[session].discard(queue)
            if not self._followers[session]:
                del self._followers[session]

    async def _terminal(self, run_id: str, session: str) -> list[Stamped]:
        """Of a run that ended too long ago to be replayed: how it ended."""
        try:
            return [one for one in (await self._runs.events(run_id))[-1:] if one.session == session]
        except UnknownName:
            return []


def _offer(queue: asyncio.Queue[RunHandle | None], run: RunHandle) -> None:
    """To a follower. A run holds all of its events, so only a few wait for one who does not read."""
    if not queue.full():
        queue.put_nowait(run)
    else:
        _let_go(queue)


def _let_go(queue: asyncio.Queue[RunHandle | None]) -> None:
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(None)


def event_id(stamped: Stamped) -> str:
    """As `Last-Event-ID` brings it back."""
    return f"{stamped.run}.{stamped.seq}"
