"""The server itself: one loopback address, until it is stopped."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn

from app.core.errors import BadInput
from app.core.text.i18n import _

from .application import make_application
from .parts import ServerParts

HOST = "127.0.0.1"
DEFAULT_PORT = 8642
STOP_SECONDS = 2
"""For open connections, once the server is told to stop."""


def listen(port: int) -> socket.socket:
    """Port 0 takes a free one. Raises BadInput where it is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        words = _("port {port} of this computer cannot be used: {why}")
        raise BadInput(words.format(port=port, why=error.strerror or error), reason="PORT") from error
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
    def __init__(self, parts: ServerParts, listener: socket.socket) -> None:
        self._listener = listener
        self.port: int = listener.getsockname()[1]
        config = uvicorn.Config(
            make_application(parts, self.port), log_config=None, access_log=False, server_header=False, lifespan="on",
            timeout_graceful_shutdown=STOP_SECONDS, h11_max_incomplete_event_size=65_536, ws="none",
        )  # fmt: skip
        self._server = _Server(config)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"

    def stop(self) -> None:
        self._server.should_exit = True

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
