"""The agents over streamable HTTP: a client that goes ends its call, and every refusal is JSON.

Clients of the protocol of 2025 may come back for an answer, so the SDK lets a call go on when the connection ends.
Nothing here is stored for them, so nobody would ever read it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, TypeVar

from mcp.shared.exceptions import MCPError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_T = TypeVar("_T")
_GONE: Final = "client_gone"
"""In the state of a request: set when its client has gone."""
_CANCELLED: Final = -32800


class WatchedClients:
    """ASGI middleware around the SDK's application; the body is limited by whoever is outside of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, _RefusalsAsJson(send) if scope["type"] == "http" else send)
            return
        body = await Request(scope, receive).body()
        gone = scope.setdefault("state", {})[_GONE] = asyncio.Event()
        watching = asyncio.create_task(_watch(receive, gone), name="client of the agents over MCP")
        unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replayed() -> Message:
            if unread:
                return unread.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        try:
            await self._app(scope, replayed, _RefusalsAsJson(send))
        finally:
            watching.cancel()


async def while_there(request: Any, work: Coroutine[Any, Any, _T]) -> _T:
    """The result of `work`, which is cancelled when the client of an HTTP `request` has gone. Raises MCPError then."""
    gone = getattr(getattr(request, "state", None), _GONE, None)
    if gone is None:
        return await work
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone.wait())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise MCPError(_CANCELLED, "the client has gone")
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait((working, leaving))


async def _watch(receive: Receive, gone: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


class _RefusalsAsJson:
    """The SDK refuses some requests without words or as plain text."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_replaced = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= 400 and not _is_json(message):
            self._is_replaced = True
            await self._refuse(message["status"])
        elif not self._is_replaced:
            await self._send(message)

    async def _refuse(self, status: int) -> None:
        error = {"code": -32600, "message": HTTPStatus(status).phrase}
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def _is_json(start: Message) -> bool:
    return any(name.lower() == b"content-type" and b"json" in value for name, value in start.get("headers", ()))
