"""Reads ahead of the parser, so that everything one network read brought is parsed together.

The HTTP library returns every chunk of the transfer encoding separately: with most servers one per token. Its reader
does not pause between chunks of one read, so a task that only collects gets all of them before the parser runs. It
stops collecting when it is far ahead.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

_FAR_AHEAD: Final = 512 * 1024
SETTLE_SECONDS: Final = 0.05
"""A server that ends its answer later loses the connection: the next request makes a new one."""
_CLOSE_SECONDS: Final = 0.4


class ReadAhead:
    """Owned by the reader of one answer, who calls `take` until it gives None and `close` in any case."""

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        self._pieces = pieces
        self._held: list[bytes] = []
        self._size = 0
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._ended = False
        self._task = asyncio.create_task(self._collect(), name="read a model's answer")

    async def take(self) -> bytes | None:
        """What has come since the last call; waits if that is nothing. Raises what the reading raised."""
        if not self._held and not self._ended:
            await self._news.wait()
        self._news.clear()
        if self._held:
            data = b"".join(self._held)
            self._held.clear()
            self._size = 0
            self._room.set()
            return data
        await self._task
        return None

    async def settle(self) -> None:
        """The answer is complete: a moment for the end of the body, so that the connection can be used again."""
        if not self._ended:
            self._room.set()
            await asyncio.wait([self._task], timeout=SETTLE_SECONDS)

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task], timeout=_CLOSE_SECONDS)
        if self._task.done() and not self._task.cancelled():
            # Asked for, so that the loop does not report it as forgotten.
            self._task.exception()

    async def _collect(self) -> None:
        try:
            async for piece in self._pieces:
                self._held.append(piece)
                self._size += len(piece)
                if not self._news.is_set():
                    self._news.set()
                if self._size > _FAR_AHEAD:
                    self._room.clear()
                    await self._room.wait()
        finally:
            self._ended = True
            self._news.set()
