"""The threads of `asyncio.to_thread`: few, named, and never in the way of the shutdown.

The standard pool joins its threads when the interpreter ends, so one hung call (a network
drive, a keyring that waits for a prompt) would keep the process alive. These are daemons.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_JOIN_SECONDS = 0.2


class Workers(Executor):
    def __init__(self, limit: int = 8) -> None:
        self._limit = limit
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = threading.Semaphore(0)
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001  whatever it is, it belongs to who awaits the future
                future.set_exception(error)

        with self._lock:
            if self._closed:
                raise RuntimeError("the workers have gone home")
            self._jobs.put(job)
            if not self._idle.acquire(blocking=False) and len(self._threads) < self._limit:
                self._hire()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002  nothing waits here
        """Lets running jobs end, but waits only briefly: what hangs is left behind."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for _thread in self._threads:
                self._jobs.put(None)
        if wait:
            end = time.monotonic() + _JOIN_SECONDS
            for thread in self._threads:
                thread.join(max(0.0, end - time.monotonic()))

    def _hire(self) -> None:
        name = f"triptych-worker-{len(self._threads) + 1}"
        thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job
            self._idle.release()
