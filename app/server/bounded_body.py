"""The body of a request as it arrives, counted; and answers that are given before all of it is there.

A connection that is closed while bytes lie unread takes its answer with it: the client sees a reset. So such an answer
is sent whole, then what still comes is read for a while and thrown away, then the connection is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from starlette.types import Message, Receive, Send

from .errors import ApiError

MOST_DRAINED: Final = 64_000_000
"""Bytes that are read behind an early answer."""
DRAIN_SECONDS: Final = 10.0


class BoundedBody:
    def __init__(self, headers: Mapping[str, str], receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._is_open = "transfer-encoding" in headers or headers.get("content-length", "0").strip("0") != ""
        """More of it is to come."""
        self._is_early = False
        """The answer has begun before the body was there."""
        self._arrived, self._limit = 0, 0

    def limit(self, headers: Mapping[str, str], limit: int) -> None:
        """Raises ApiError 413 for a length that is announced; `receive` does for one that is not."""
        self._limit = limit
        if int(headers.get("content-length", "0")) > limit:
            raise self._too_long()

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] != "http.request":
            return message
        self._arrived += len(message.get("body", b""))
        self._is_open = message.get("more_body", False)
        if self._arrived > self._limit:
            raise self._too_long()
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and self._is_open:
            self._is_early = True
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        elif self._is_early and not message.get("more_body"):
            await self._send({**message, "more_body": True})
            await self._drain()
            message = {"type": "http.response.body", "body": b""}
        await self._send(message)

    async def _drain(self) -> None:
        drained = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while drained < MOST_DRAINED:
                    message = await self._receive()
                    drained += len(message.get("body", b""))
                    if not message.get("more_body"):
                        return

    def _too_long(self) -> ApiError:
        return ApiError(413, "TOO_LARGE", f"the body is longer than {self._limit:,} bytes")
