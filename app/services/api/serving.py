"""The local API as the window and `triptych serve` start and stop it. The server itself is `app/server`, which is
loaded when the first one starts: it stands on a floor above this one, so it is handed in as a protocol."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from app.core.errors import BadInput, TriptychError

from ..changes import Changes
from ..data.sessions import SessionService
from ..exchange.attachments import AttachmentService
from ..knowledge.models import KnowledgeModels
from ..mcp.served_agents import ServedAgentService
from ..runs.chat import ChatService
from ..runs.runs import RunService
from ..settings.settings import SettingsService
from ..tools.service import ToolService
from .activity import ApiActivity
from .clients import ApiClientService

log = logging.getLogger(__name__)

DEFAULT_PORT: Final = 8642
DEFAULT_MCP_PORT: Final = 8643
"""Of `triptych mcp serve --http`, which may run beside the other."""
HIGHEST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class ServedParts:
    """What a server answers from."""

    clients: ApiClientService
    activity: ApiActivity
    settings: SettingsService
    sessions: SessionService
    chat: ChatService
    runs: RunService
    tools: ToolService
    attachments: AttachmentService
    embeddings: KnowledgeModels
    served_agents: ServedAgentService


class RunningServer(Protocol):
    @property
    def address(self) -> str: ...
    @property
    def port(self) -> int: ...
    def stop(self) -> None: ...
    async def run(self, ready: Callable[[], None]) -> None: ...


class ServerMaker(Protocol):
    def __call__(self, served: ServedParts, port: int, *, only_mcp: bool) -> RunningServer:
        """Listens already; called in a thread, because what it loads is heavy. Raises BadInput for a taken port."""


class LocalApiService:
    """At most one server. `changes` tells of a start, a stop and a failure."""

    def __init__(self, served: ServedParts, make: ServerMaker) -> None:
        self.activity, self.clients = served.activity, served.clients
        self.changes: Changes[None] = Changes()
        self.fault: TriptychError | None = None
        """Why it does not run although it should."""
        self._served, self._make = served, make
        self._server: RunningServer | None = None
        self._task: asyncio.Task[None] | None = None
        self._lock, self._switching = asyncio.Lock(), asyncio.Lock()

    @property
    def address(self) -> str:
        """ "" while nothing is served."""
        return self._server.address if self._server is not None else ""

    # ------------------------------------------------------------ as the preferences say

    @property
    def is_wanted(self) -> bool:
        return self._served.settings.preferences.serve_window

    @property
    def wanted_port(self) -> int:
        return self._served.settings.preferences.serve_port

    async def begin(self) -> None:
        """For the window: serves if the person wants it. What is in the way stays in `fault`."""
        if not self.is_wanted:
            return
        try:
            await self.start(self.wanted_port)
        except (TriptychError, OSError) as error:
            log.warning("the local API could not start: %s", error)

    async def switch(self, *, is_on: bool, port: str) -> None:
        """Kept for the next start. Raises BadInput for what is no port, and what `start` raises; then the wish is kept
        all the same."""
        if not (port.isascii() and port.isdecimal() and 1 <= int(port) <= HIGHEST_PORT):
            raise BadInput(f"{port!r} is no port", reason="NO_PORT", most=str(HIGHEST_PORT))
        settings = self._served.settings
        wish = {"serve_window": is_on, "serve_port": int(port)}
        async with self._switching:
            await settings.save_preferences(settings.preferences.model_copy(update=wish))
            await self.stop()
            if is_on:
                await self.start(int(port))

    # ------------------------------------------------------------ start and stop

    async def start(self, port: int, *, only_mcp: bool = False) -> None:
        """Returns once it can be reached; `only_mcp` answers at `/mcp` and nowhere else. Raises BadInput for a port
        that cannot be used, and what the disk raises."""
        async with self._lock:
            if self._server is not None:
                return
            try:
                await self.clients.open()
                self._server = await asyncio.to_thread(self._make, self._served, port, only_mcp=only_mcp)
                await self._started(self._server)
                self.fault = None
            except TriptychError as error:
                self.fault = error
                raise
            finally:
                self.changes.notify(None)

    async def _started(self, server: RunningServer) -> None:
        ready = asyncio.Event()
        self._task = asyncio.create_task(server.run(ready.set), name="local API")
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait((self._task, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        self._task.add_done_callback(self._ended)
        if self._task.done():
            self._task.result()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if self._task is not task:
            return
        self._task = self._server = None
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the local API ended", exc_info=error)
            self.fault = error if isinstance(error, TriptychError) else TriptychError(str(error))
        self.changes.notify(None)

    async def stop(self) -> None:
        """Open answers get a moment to end; their runs are stopped then."""
        async with self._lock:
            self.fault = None
            if self._server is not None and self._task is not None:
                self.ask_to_stop()
                await asyncio.wait((self._task,))
            self.changes.notify(None)

    def ask_to_stop(self) -> None:
        if self._server is not None:
            self._server.stop()

    async def ended(self) -> None:
        """Returns when nothing is served any more."""
        if self._task is not None:
            await asyncio.wait((self._task,))
