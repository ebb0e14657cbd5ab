"""The server itself: one loopback address, until it is stopped."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn

from app.core.errors import BadInput
from app.services.api.serving import ServedParts

from .application import make_application
from .http_protocol import HttpProtocol
from .parts import parts_of

HOST = "127.0.0.1"
STOP_SECONDS = 2
"""For open connections, once the server is told to stop."""


def listen(port: int) -> socket.socket:
    """Port 0 takes a free one. Raises BadInput where it is taken."""
    # The protocol is named because asyncio sends small pieces at once only where it is; else an answer waits 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform == "win32":  # SO_REUSEADDR would let two programs have the same port, and either get the requests
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # only here does Linux refuse a port that is taken by one who began at the same moment
    except (OSError, OverflowError) as error:
        listener.close()
        why = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise BadInput(f"port {port} cannot be used: {why}", reason="PORT", port=str(port), why=why) from error
    return listener


class _Server(uvicorn.Server):
    """Without handlers of its own for signals: the command line has its own."""

    ready: Callable[[], None] = staticmethod(lambda: None)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()


class ApiServer:
    def __init__(self, served: ServedParts, port: int, *, only_mcp: bool = False) -> None:
        """Raises BadInput for a port that cannot be used."""
        self._listener = listen(port)
        self.port: int = self._listener.getsockname()[1]
        parts = parts_of(served)
        self._hub = parts.hub
        config = uvicorn.Config(
            make_application(parts, self.port, only_mcp=only_mcp), log_config=None, access_log=False,
            server_header=False, lifespan="on", timeout_graceful_shutdown=STOP_SECONDS,
            h11_max_incomplete_event_size=65_536, http=HttpProtocol, ws="none",
        )  # fmt: skip
        self._server = _Server(config)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"

    def stop(self) -> None:
        self._server.should_exit = True
        self._hub.let_followers_go()

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Until `stop` is called, or the task cancelled; `ready` is called once it can be reached."""
        self._server.ready = ready
        serving = asyncio.create_task(self._server.serve([self._listener]), name="server")
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            self.stop()
            await serving
            raise
        finally:
            self._listener.close()
