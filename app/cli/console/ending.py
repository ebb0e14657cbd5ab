"""How a command ends: by itself or by a signal, and soon, whatever hangs.

A tool that does not return, a task that ignores cancelling and a thread that cannot be stopped are abandoned after
their time. The handler set last gets the signals (`stopped_by_signals`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from app.core import detached
from app.core.system.stop_signals import StopSignals

from .typed import endings

T = TypeVar("T")
LEFT_SECONDS: Final = 1.0
"""For what is still at work when everything is closed."""
STOPPED: Final = 4
"""The exit code of what was stopped (interfaces.md 2)."""

_hearers: list[Callable[[], object]] = []


@contextmanager
def stopped_by_signals(stop: Callable[[], object]) -> Generator[None, None, None]:
    """Inside, a signal calls `stop` in the loop."""
    _hearers.append(stop)
    try:
        yield
    finally:
        _hearers.remove(stop)


def run_to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`, with signals heard as above, and without waiting for what hangs."""
    loop, workers = asyncio.new_event_loop(), ThreadPoolExecutor(thread_name_prefix="worker")
    loop.set_default_executor(workers)
    signals = StopSignals(loop, endings(), _tell_the_last, exit_code=STOPPED)
    try:
        asyncio.set_event_loop(loop)
        signals.install()
        return loop.run_until_complete(work)
    finally:
        try:
            _close(loop, workers)
        finally:
            signals.uninstall()
            asyncio.set_event_loop(None)


def _tell_the_last() -> None:
    if _hearers:
        _hearers[-1]()


def _close(loop: asyncio.AbstractEventLoop, workers: ThreadPoolExecutor) -> None:
    try:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            _done, deaf = loop.run_until_complete(asyncio.wait(tasks, timeout=LEFT_SECONDS))
            for task in deaf:
                task._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001 – left behind on purpose
        with suppress(TimeoutError):
            loop.run_until_complete(asyncio.wait_for(loop.shutdown_asyncgens(), LEFT_SECONDS))
        with suppress(TimeoutError):
            detached.start(workers.shutdown, cancel_futures=True).result(LEFT_SECONDS)
    finally:
        loop.close()
