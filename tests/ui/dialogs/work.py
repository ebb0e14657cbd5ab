"""The `spawn` a window hands to its dialogs, with a way to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Work:
    """What a dialog has started: `await settled()` waits for it."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def __call__(self, coro: Coroutine[Any, Any, None]) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # the test has ended, or has no loop: a timer of a widget that is still there
            coro.close()
            return
        self._tasks.append(loop.create_task(coro))

    async def settled(self) -> None:
        while self._tasks:
            await self._tasks.pop()
