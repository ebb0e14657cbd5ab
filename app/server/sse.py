"""Server-sent events: frames, signs of life, and what happens when the reader has gone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

ALIVE_SECONDS = 15.0
"""Between two comments that show an idle connection is there: proxies cut silent ones."""
AT_ONCE = 65_536
"""Bytes that are sent before everybody else has a turn."""
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def frame(value: Any, *, id: str = "", event: str = "") -> bytes:
    """One event. JSON holds no line break of its own, so one line of data is enough."""
    head = (f"id: {id}\n" if id else "") + (f"event: {event}\n" if event else "")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return f"{head}data: {text}\n\n".encode("utf-8", "replace")


class EventStream(Response):
    """A reader that is slow is waited for. `closed` is called once, at the end or when the reader has gone, even
    before the first event."""

    def __init__(self, frames: AsyncGenerator[bytes, None], closed: Callable[[], None] = lambda: None) -> None:
        super().__init__(None, 200, _HEADERS, "text/event-stream")
        if "content-length" in self.headers:
            del self.headers["content-length"]
        self._frames, self._closed = frames, closed

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        tasks = [
            asyncio.create_task(self._send(send), name="events to a client"),
            asyncio.create_task(_until_gone(receive), name="client of events"),
            asyncio.create_task(_show_life(send), name="life of events"),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            self._closed()
        if not tasks[0].cancelled() and (error := tasks[0].exception()) is not None:
            raise error

    async def _send(self, send: Send) -> None:
        sent = 0
        async with aclosing(self._frames) as frames:
            async for data in frames:
                await send({"type": "http.response.body", "body": data, "more_body": True})
                sent += len(data)
                if sent > AT_ONCE:
                    # Neither what is stored already nor a connection that is gone lets others have their turn.
                    sent = 0
                    await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _show_life(send: Send) -> None:
    while True:
        await asyncio.sleep(ALIVE_SECONDS)
        await send({"type": "http.response.body", "body": b": alive\n\n", "more_body": True})
