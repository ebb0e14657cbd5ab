"""Signals that end the process: the first one asks it to stop, after the second it ends in any case.

Python handles a signal only when the main thread runs again. Foreign code can prevent that (a blocking call on the
loop, a regular expression that never ends), so each stage works without the one before it.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio  # the window is painted before it is loaded

PATIENCE: Final = 3.0
"""Seconds from the second signal to the end by force."""
LOCKED_PATIENCE: Final = 4.0
"""The same where the interpreter's lock is held: a watchdog written in C needs none."""


class StopSignals:
    """`stop` is called in the loop, for each signal."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, numbers: Iterable[int], stop: Callable[[], None], *, exit_code: int
    ) -> None:
        self._loop, self._numbers, self._stop, self._exit_code = loop, tuple(numbers), stop, exit_code
        self._loop_hears = True
        self._before: dict[int, Any] = {}
        self._count = 0
        self._force: threading.Timer | None = None
        self._nowhere: IO[str] | None = None

    def install(self) -> None:
        """Only the main thread can; elsewhere nothing happens."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number in self._numbers:
            self._before[number] = signal.getsignal(number)
            try:
                self._loop.add_signal_handler(number, self._stop)  # a signal wakes the loop
            except NotImplementedError:
                self._loop_hears = False
            signal.signal(number, self._hear)
            _let_the_next_one_through(number)

    def uninstall(self) -> None:
        """What was before, once the loop is closed; a process that was to be ended by force is not any more."""
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        self._before.clear()
        if self._force is not None:
            self._force.cancel()
            faulthandler.cancel_dump_traceback_later()
        if self._nowhere is not None:
            self._nowhere.close()

    def _hear(self, _number: int, _frame: Any) -> None:
        self._count += 1
        if self._count == 1:
            for number in self._before:
                signal.signal(number, self._hear)  # from now on none of them ends the process by itself
        elif self._force is None:
            self._end_by_force()
        if not self._loop_hears:
            self._loop.call_soon_threadsafe(self._stop)

    def _end_by_force(self) -> None:
        self._force = threading.Timer(PATIENCE, os._exit, (self._exit_code,))
        self._force.daemon = True
        self._force.start()
        self._nowhere = open(os.devnull, "w", encoding="ascii")  # noqa: SIM115, PTH123 – open as long as the watchdog
        faulthandler.dump_traceback_later(LOCKED_PATIENCE, exit=True, file=self._nowhere)


def _let_the_next_one_through(number: int) -> None:
    """If Python cannot hear the first signal, the second has its default effect: the system ends the process.

    `sysv_signal` of the GNU library keeps Python's own handler for one time. Elsewhere the first one is waited for.
    """
    if sys.platform != "linux":
        return
    import ctypes

    library = ctypes.CDLL(None)
    keep_once = getattr(library, "sysv_signal", None)
    if keep_once is None:
        return
    keep_once.argtypes, keep_once.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_void_p
    handler = keep_once(number, None)
    keep_once(number, handler)
