"""Calls into a system service that may hang, throw, or ask the person something first: the keyring."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from typing import Any, TypeVar

from ..folder.errors import KeyStorageMissing

T = TypeVar("T")


class Patience:
    """Each call runs on a daemon thread, which blocks neither the loop nor the end of the program.

    While one call hangs, further calls fail at once, so that threads do not pile up.
    """

    def __init__(self) -> None:
        self._hanging: Thread | None = None

    @property
    def is_waiting(self) -> bool:
        """A call hangs still."""
        return self._hanging is not None and self._hanging.is_alive()

    async def call(self, work: Callable[[], T], seconds: float, *, late: Callable[[T], None] | None = None) -> T:
        """Raises KeyStorageMissing when it takes longer or fails in any way. `late` is given what comes after that."""
        if self.is_waiting:
            raise KeyStorageMissing("the keyring still does not answer", reason="KEYRING_SILENT")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        thread = Thread(target=_run, args=(work, loop, answer), name="keyring", daemon=True)
        thread.start()
        done, _waiting = await asyncio.wait({answer}, timeout=max(seconds, 0))
        if done:
            return answer.result()
        self._hanging = thread
        answer.add_done_callback(lambda came: _take_late(came, late))
        raise KeyStorageMissing("the keyring does not answer", reason="KEYRING_SILENT")


def _take_late(came: asyncio.Future[T], late: Callable[[T], None] | None) -> None:
    if not came.cancelled() and came.exception() is None and late is not None:
        late(came.result())


def _run(work: Callable[[], T], loop: asyncio.AbstractEventLoop, answer: asyncio.Future[T]) -> None:
    error: Exception | None = None
    value: Any = None
    try:
        value = work()
    except Exception as failure:  # noqa: BLE001 - a plug-in seam: backends raise what their system raises
        # Its text may quote what was to be stored, so only the kind of the failure continues.
        error = KeyStorageMissing(f"the keyring failed: {type(failure).__name__}", reason="KEYRING_REFUSED")
    try:
        loop.call_soon_threadsafe(_settle, answer, error, value)
    except RuntimeError:
        return  # the loop ended meanwhile: nobody waits


def _settle(answer: asyncio.Future[Any], error: Exception | None, value: Any) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(value)
    else:
        answer.set_exception(error)
