"""Code that may hang, run where it can be left behind: on daemon threads, which never keep the process alive.

The threads of `asyncio.to_thread` are few and are joined when the interpreter ends, so one hung call would take a
place forever and stop the program from ending. Whoever gives up waiting here leaves the thread to itself. Whatever
the code raises – `sys.exit()` too – comes back as an exception of the one call.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any, Final, ParamSpec, TypeVar

from .system.awake import awake_timeout

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
LEAVING_SECONDS: Final = 2.0
"""How long a cancelled coroutine may take to give up before its loop counts as hung."""


@contextmanager
def contained() -> Generator[None, None, None]:
    """What would end the program or the loop becomes an ordinary error. Cancelling stays what it is."""
    try:
        yield
    except (Exception, asyncio.CancelledError, GeneratorExit):
        raise
    except SystemExit as leaving:
        raise RuntimeError(f"it tried to end the program (exit code {leaving.code})") from leaving
    except BaseException as error:
        raise RuntimeError(f"{type(error).__name__}: {error}") from error


def start(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Begins at once, on a daemon thread of its own, with the caller's context variables."""
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def call() -> T:
        with contained():
            return function(*args, **kwargs)

    def work() -> None:
        try:
            result = context.run(call)
        except BaseException as error:  # noqa: BLE001 – it belongs to whoever waits
            future.set_exception(RuntimeError("StopIteration") if isinstance(error, StopIteration) else error)
        else:
            future.set_result(result)

    future.set_running_or_notify_cancel()
    threading.Thread(target=work, name=f"detached {getattr(function, '__name__', '')}", daemon=True).start()
    return future


async def in_thread(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """As `asyncio.to_thread`; who is cancelled leaves the thread behind at once."""
    return await asyncio.wrap_future(start(function, *args, **kwargs))


def bounded(function: Callable[P, T], seconds: float) -> Callable[P, T]:
    """The same function, which raises TimeoutError where it takes longer. The caller's thread waits meanwhile."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return start(function, *args, **kwargs).result(timeout=seconds)

    return call


class DetachedLoop:
    """An event loop on its own daemon thread, started by the first call; one that hangs is replaced."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: dict[Future[Any], float] = {}
        """Calls that were cancelled and have not ended, and since when."""
        self._lock = threading.Lock()

    async def run(self, work: Awaitable[T]) -> T:
        """What it returns. Who is cancelled cancels it, and does not wait for it to give up."""
        loop, told, ended = self._running(), Future[T](), Future[None]()
        tasks: list[asyncio.Task[T]] = []

        async def call() -> T:
            with contained():
                return await work

        def begin() -> None:
            tasks.append(task := loop.create_task(call()))
            task.add_done_callback(end)

        def end(task: asyncio.Task[T]) -> None:
            ended.set_result(None)
            if isinstance(work, Coroutine):
                work.close()  # it may have been cancelled before it began
            if task.cancelled():
                told.cancel()
            elif not told.set_running_or_notify_cancel():
                _heard(task)
            elif (error := task.exception()) is not None:
                told.set_exception(error)
            else:
                told.set_result(task.result())

        loop.call_soon_threadsafe(begin)
        try:
            return await asyncio.wrap_future(told)
        except asyncio.CancelledError:
            self._leaving[ended] = time.monotonic()
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in tasks])
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            now = time.monotonic()
            self._leaving = {ended: since for ended, since in self._leaving.items() if not ended.done()}
            if any(now - since > LEAVING_SECONDS for since in self._leaving.values()):
                log.warning("%s hangs; its next calls run beside it", self._name)
                self._leaving, self._loop = {}, None
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run_for_ever, args=(self._loop,), name=self._name, daemon=True).start()
            return self._loop


def _run_for_ever(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    while True:
        try:
            loop.run_forever()
        except BaseException:
            log.warning("a task of others tried to end its loop", exc_info=True)


async def within(work: Coroutine[Any, Any, T], seconds: float, *, grace: float) -> T:
    """What `work` returns. Raises TimeoutError when the time is over, also where it does not heed being cancelled.
    Time that the computer sleeps does not count.

    It then has `grace` seconds to put things in order, as it has when the caller is cancelled; what still runs
    after that is left behind.
    """
    task = asyncio.ensure_future(work)
    task.add_done_callback(_heard)
    try:
        with suppress(TimeoutError):
            async with awake_timeout(seconds):
                await asyncio.wait({task})
        if task.done():
            return task.result()
        raise TimeoutError
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.wait({task}, timeout=grace)


def _heard(task: asyncio.Task[Any]) -> None:
    """Who waits for it may have gone meanwhile: then what it raised is no news."""
    if not task.cancelled():
        task.exception()
