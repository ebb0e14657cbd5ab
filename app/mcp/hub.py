"""All servers, on their own thread and event loop: the window's loop only waits for answers.

Methods can be called from any loop and thread. The next call restarts a server that ended, at most MOST_STARTS times
in TOO_SOON seconds; then a person has to.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeVar

from app.core.system.network import ONLINE, NetworkPolicy
from app.core.text.i18n import _

from .connection import CallFailed, Connection, StartFailed, StartPlan
from .listing import ToolListing
from .log import ServerLog
from .prompts import ListedPrompt
from .resources import ListedResource
from .transport.processes import sweep_orphans

T = TypeVar("T")
Phase = Literal["stopped", "starting", "running", "failed"]

MOST_STARTS: Final = 3
TOO_SOON: Final = 300.0
CLOSE_SECONDS: Final = 5.0
LIST_LASTS: Final = 60.0
"""Seconds a list of tools is taken for what the server still offers."""


@dataclass(frozen=True, slots=True)
class ServerState:
    """A snapshot. `code` and `why` say what went wrong last; "" if nothing did."""

    phase: Phase = "stopped"
    code: str = ""
    why: str = ""
    version: str = ""
    pid: int | None = None
    listing: ToolListing | None = None
    """What the server offers now; None as long as it was not asked."""
    is_lost: bool = False
    """It ran and has ended by itself: the next call starts it again."""


class Hub:
    """`on_change` is called on the hub's thread with the id of a server."""

    def __init__(self, *, on_change: Callable[[str], None], network: NetworkPolicy = ONLINE) -> None:
        self._on_change, self._network = on_change, network
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._states: dict[str, ServerState] = {}
        self._logs: dict[str, ServerLog] = {}
        self._connections: dict[str, Connection] = {}
        self._starting: dict[str, asyncio.Task[ToolListing]] = {}
        self._deaths: dict[str, deque[float]] = {}
        self._beginning = threading.Lock()

    # ------------------------------------------------------------ from any thread

    def state(self, id: str) -> ServerState:
        return self._states.get(id, ServerState())

    def log(self, id: str) -> list[str]:
        log = self._logs.get(id)
        return log.lines() if log is not None else []

    def set_failure(self, id: str, failed: StartFailed) -> None:
        """A start that could not even be tried."""
        self._set(id, replace(self.state(id), phase="failed", code=failed.code, why=failed.message))

    async def start(self, plan: StartPlan, *, by_hand: bool = False) -> ToolListing:
        """Its tools; at once if it runs already. Raises StartFailed."""
        return await self._on_thread(self._start(plan, by_hand))

    async def call(self, plan: StartPlan, name: str, args: Mapping[str, Any], fingerprint: str) -> dict[str, Any]:
        """The raw result, from a server that is started for it if need be. Raises StartFailed, CallFailed.

        `fingerprint` is the tool as the person reviewed it: another one under its name is not called (CHANGED).
        """
        return await self._on_thread(self._call(plan, name, args, fingerprint))

    async def resources(self, id: str, seconds: float) -> tuple[ListedResource, ...]:
        """Of a server that runs; none is started for it. Raises CallFailed."""
        return await self._on_thread(self._running(id).resources(seconds))

    async def read(self, id: str, uri: str, seconds: float) -> dict[str, Any]:
        """The raw result of reading a resource of a server that runs. Raises CallFailed."""
        return await self._on_thread(self._running(id).read(uri, seconds))

    async def prompts(self, id: str, seconds: float) -> tuple[ListedPrompt, ...]:
        """Of a server that runs; none is started for it. Raises CallFailed."""
        return await self._on_thread(self._running(id).prompts(seconds))

    async def prompt(self, id: str, name: str, values: Mapping[str, str], seconds: float) -> dict[str, Any]:
        """The raw result of asking a server that runs for one. Raises CallFailed."""
        return await self._on_thread(self._running(id).prompt(name, values, seconds))

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Something of the protocol that is no call of a server, such as a sign-in."""
        return await self._on_thread(work)

    async def relist(self, id: str) -> ToolListing:
        return await self._on_thread(self._relist(id))

    async def stop(self, id: str) -> None:
        if self._thread is not None:
            await self._on_thread(self._stop(id))

    async def forget(self, id: str) -> None:
        """Stopped, and its log gone with it."""
        await self.stop(id)
        self._states.pop(id, None)
        self._logs.pop(id, None)

    async def close(self) -> None:
        """Every server gone, the thread ended; gives up after CLOSE_SECONDS."""
        thread, loop = self._thread, self._loop
        if thread is None or loop is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._on_thread(self._stop_all())
        loop.call_soon_threadsafe(loop.stop)
        await asyncio.to_thread(thread.join, 1.0)
        self._thread = self._loop = None

    # ------------------------------------------------------------ the thread

    async def _on_thread(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            await asyncio.to_thread(self._begin)
        assert self._loop is not None
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return await asyncio.wrap_future(future)

    def _begin(self) -> None:
        with self._beginning:
            if self._loop is not None:
                return
            sweep_orphans()
            begun = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(begun,), name="mcp", daemon=True)
            self._thread.start()
            begun.wait()

    def _run(self, begun: threading.Event) -> None:
        # The window's loop may have left its mark on the policy; here the system's own loop is wanted.
        if sys.platform == "win32":
            loop: asyncio.AbstractEventLoop = asyncio.ProactorEventLoop()
        else:
            loop = asyncio.SelectorEventLoop()
        asyncio.set_event_loop(loop)
        self._loop = loop
        begun.set()
        try:
            loop.run_forever()
        finally:
            pending = asyncio.all_tasks(loop)
            for task in pending:
                task.cancel()
            if pending:
                loop.run_until_complete(asyncio.wait(pending, timeout=0.5))
            loop.run_until_complete(loop.shutdown_asyncgens())
            with contextlib.suppress(TimeoutError):
                loop.run_until_complete(asyncio.wait_for(loop.shutdown_default_executor(), 1))
            asyncio.set_event_loop(None)
            loop.close()

    # ------------------------------------------------------------ on the thread

    async def _start(self, plan: StartPlan, by_hand: bool) -> ToolListing:
        id = plan.config.id
        running = self._connections.get(id)
        if running is not None and running.is_open:
            if running.plan == plan:
                return running.listing
            await self._stop(id)
        if by_hand:
            self._deaths.pop(id, None)
        task = self._starting.get(id)
        if task is None:
            task = self._starting[id] = asyncio.create_task(self._open(plan), name=f"start {id}")
            task.add_done_callback(lambda _task: self._starting.pop(id, None))
        return await asyncio.shield(task)

    async def _open(self, plan: StartPlan) -> ToolListing:
        id = plan.config.id
        if self._died_too_often(id):
            failed = StartFailed("often", _often())
            self._set(id, replace(self.state(id), phase="failed", code=failed.code, why=self.state(id).why))
            raise failed
        log = self._logs.setdefault(id, ServerLog())
        log.mask([*plan.env.values(), *plan.headers.values()])
        self._set(id, ServerState("starting", listing=self.state(id).listing))
        connection = self._connections[id] = Connection(plan, log, self._network, lambda: self._changed(id))
        try:
            listing = await connection.start()
        except StartFailed as failed:
            words = _("not started: {why}").format(why=failed.message)
            log.say(f"[{words}]")
            self._died(id)
            self._set(id, ServerState("failed", failed.code, failed.message, listing=self.state(id).listing))
            raise
        except asyncio.CancelledError:
            self._set(id, ServerState("stopped", listing=self.state(id).listing))
            raise
        self._set(id, ServerState("running", version=connection.version, pid=connection.pid, listing=listing))
        return listing

    async def _call(self, plan: StartPlan, name: str, args: Mapping[str, Any], fingerprint: str) -> dict[str, Any]:
        await self._start(plan, by_hand=False)
        connection = self._connections[plan.config.id]
        if connection.list_is_old or time.monotonic() - connection.listed_at > LIST_LASTS:
            await self._relist(plan.config.id)
        tool = next((tool for tool in connection.listing.tools if tool.name == name), None)
        if tool is None or tool.fingerprint != fingerprint:
            gone = _("the server's tool {name} is no longer there")
            words = gone if tool is None else _("the server's tool {name} is not what was reviewed")
            raise CallFailed("CHANGED", words.format(name=name))
        return await connection.call(name, args, plan.config.timeout)

    async def _relist(self, id: str) -> ToolListing:
        listing = await self._running(id).relist()
        self._set(id, replace(self.state(id), listing=listing))
        return listing

    def _running(self, id: str) -> Connection:
        connection = self._connections.get(id)
        if connection is None or not connection.is_open:
            raise CallFailed("MCP_ERROR", _("the server does not run"))
        return connection

    async def _stop(self, id: str) -> None:
        if (task := self._starting.get(id)) is not None:
            task.cancel()
            await asyncio.wait([task])
        if (connection := self._connections.pop(id, None)) is not None:
            await connection.stop()
        if id in self._states:
            self._set(id, ServerState("stopped", listing=self.state(id).listing))

    async def _stop_all(self) -> None:
        await asyncio.gather(*(self._stop(id) for id in {*self._connections, *self._starting}))

    def _changed(self, id: str) -> None:
        """A connection has ended, or its list of tools is said to be another."""
        connection = self._connections.get(id)
        if connection is None or self.state(id).phase != "running":
            return
        if connection.is_open:
            self._on_change(id)
        elif connection.why:
            self._died(id)
            listing, again = self.state(id).listing, not self._died_too_often(id)
            self._set(id, ServerState("failed", "ended", connection.why, listing=listing, is_lost=again))
        else:
            self._set(id, ServerState("stopped", listing=self.state(id).listing))

    def _set(self, id: str, state: ServerState) -> None:
        self._states[id] = state
        self._on_change(id)

    def _died(self, id: str) -> None:
        self._deaths.setdefault(id, deque(maxlen=MOST_STARTS)).append(time.monotonic())

    def _died_too_often(self, id: str) -> bool:
        deaths = self._deaths.get(id)
        return deaths is not None and len(deaths) == MOST_STARTS and time.monotonic() - deaths[0] < TOO_SOON


def _often() -> str:
    return _("it ended {n} times within {minutes:g} minutes").format(n=MOST_STARTS, minutes=TOO_SOON / 60)
