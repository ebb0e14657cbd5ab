"""Coroutines started from a click: kept alive, named, and never lost in silence."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import SignalInstance

TURN_SECONDS = 0.001
"""To sleep so long between two pieces of work lets the window paint and take what was typed meanwhile. With 0 the next
piece may come before that.
"""
_SETTLE_SECONDS = 0.3
"""A task that swallows its cancelling is left behind after this."""
_log = logging.getLogger(__name__)


class Tasks:
    """The tasks one widget or presenter has started; they end with it.

    `on_error` is notified of every exception nobody handled, after it was logged by whoever it calls.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, on_error: Callable[[BaseException], None] | None = None
    ) -> None:
        self.loop = loop
        self._running: set[asyncio.Task[Any]] = set()
        self._on_error = on_error

    def spawn(self, coro: Coroutine[Any, Any, Any], name: str = "") -> None:
        _task = self.start(coro, name)

    def start(self, coro: Coroutine[Any, Any, Any], name: str = "") -> asyncio.Task[Any]:
        """As `spawn`, for who wants to end it."""
        task = self.loop.create_task(coro, name=name or getattr(coro, "__qualname__", "task"))
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def spawn_on(self, signal: SignalInstance, work: Callable[..., Coroutine[Any, Any, Any]], name: str = "") -> None:
        """Each time the signal comes, `work` is started with what it carries, as far as it takes it."""
        parameters = inspect.signature(work).parameters.values()
        takes = None if any(one.kind is one.VAR_POSITIONAL for one in parameters) else len(parameters)

        def start(*given: Any) -> None:
            self.spawn(work(*given[:takes]), name)

        signal.connect(start)

    async def finish(self, name: str) -> None:
        """Wait for the tasks of that name: they write something that must not be lost."""
        if wanted := [task for task in self._running if task.get_name() == name]:
            await asyncio.wait(wanted)

    async def settle(self) -> None:
        """Cancel all but the one that asks for it, and wait until they have ended."""
        me = asyncio.current_task()
        others = [task for task in self._running if task is not me]
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=_SETTLE_SECONDS)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        if error := task.exception():
            if self._on_error is not None:
                self._on_error(error)
            else:
                _log.error("%s failed", task.get_name(), exc_info=error)
