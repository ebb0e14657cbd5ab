"""asyncio on Qt's event loop: qasync, with its timers and its queue replaced.

Stock qasync keeps one live QTimer per cancelled timeout until that timeout would have expired
(about 1,000 after 1,000 streamed chunks; Windows ends at 10,000), and starts a timer per
`call_soon`. Here `call_soon` is a deque behind one zero timer, and all later calls share a heap
behind one precise single-shot timer.

Callbacks also run when somebody else drives Qt (a script with its own `QEventLoop`, a test
helper): then the loop names itself as the running one for that moment.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import Context
from typing import TYPE_CHECKING, TypeVarTuple

os.environ.setdefault("QT_API", "pyside6")
from PySide6.QtCore import QCoreApplication, Qt, QTimer

if TYPE_CHECKING:

    class _QtLoop(asyncio.SelectorEventLoop):
        """What we use of qasync's loop; qasync itself carries no type information."""

        def __init__(self, app: QCoreApplication | None = None) -> None: ...
        def set_default_executor(self, executor: Executor) -> None: ...

else:
    from qasync import QEventLoop as _QtLoop

_Args = TypeVarTuple("_Args")
_PURGE_FROM = 100
"""Fewer dead handles than this are not worth a rebuild."""
_MAX_WAIT_MS = 24 * 3600 * 1000
_EARLY = 1e-4
"""A timer that fires this little too soon counts as due, else it would be armed for 0 ms again."""


class TriptychLoop(_QtLoop):
    def __init__(self, app: QCoreApplication | None = None) -> None:
        self._waiting: deque[asyncio.Handle] = deque()
        self._later: list[asyncio.TimerHandle] = []
        self._dead = 0
        self._soon_timer = QTimer()
        self._soon_timer.setSingleShot(True)
        self._soon_timer.setInterval(0)
        self._soon_timer.timeout.connect(self._run_waiting)
        self._later_timer = QTimer()
        self._later_timer.setSingleShot(True)
        self._later_timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._later_timer.timeout.connect(self._fire)
        super().__init__(app)
        # What a thread said just before the end is delivered after it; asyncio drops such calls, and so do we.
        from_a_thread = getattr(self, "_QEventLoop__call_soon_signal")  # noqa: B009  private to qasync's class
        from_a_thread.disconnect()
        from_a_thread.connect(lambda callback, args: None if self.is_closed() else self.call_soon(callback, *args))

    # ------------------------------------------------------------ asyncio's side

    def call_soon(
        self, callback: Callable[[*_Args], object], *args: *_Args, context: Context | None = None
    ) -> asyncio.Handle:
        self._refuse_if_closed()
        handle = asyncio.Handle(callback, args, self, context)
        self._waiting.append(handle)
        self._wake()
        return handle

    def call_later(
        self, delay: float, callback: Callable[[*_Args], object], *args: *_Args, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*_Args], object], *args: *_Args, context: Context | None = None
    ) -> asyncio.TimerHandle:
        self._refuse_if_closed()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        handle._scheduled = True  # type: ignore[attr-defined]  # noqa: SLF001  asyncio then reports its cancelling
        heapq.heappush(self._later, handle)
        if self._later[0] is handle:
            self._arm()
        return handle

    def _timer_handle_cancelled(self, _handle: asyncio.TimerHandle) -> None:
        """asyncio's own hook: a handle in the heap has died."""
        self._dead += 1
        if self._dead > _PURGE_FROM and self._dead * 2 > len(self._later):
            self._later = [handle for handle in self._later if not handle.cancelled()]
            heapq.heapify(self._later)
            self._dead = 0
            self._arm()

    def close(self) -> None:
        if self.is_closed():
            return
        self._soon_timer.stop()
        self._later_timer.stop()
        super().close()
        self._waiting.clear()
        self._later.clear()

    # ------------------------------------------------------------ Qt's side

    def _wake(self) -> None:
        if not self._soon_timer.isActive():
            self._soon_timer.start()

    def _run_waiting(self) -> None:
        """One round: what is waiting now. What these callbacks add waits for the next round, so input gets its turn."""
        outer = asyncio._get_running_loop()  # noqa: SLF001  the only way to ask without an exception
        if outer is None:
            asyncio._set_running_loop(self)  # noqa: SLF001
        try:
            for _turn in range(len(self._waiting)):
                if not self._waiting:
                    break
                handle = self._waiting.popleft()
                if not handle.cancelled():
                    handle._run()  # noqa: SLF001
        finally:
            if outer is None:
                asyncio._set_running_loop(None)  # noqa: SLF001
            if self._waiting:
                self._wake()

    def _fire(self) -> None:
        due = self.time() + _EARLY
        while self._later and (self._later[0].cancelled() or self._later[0].when() <= due):
            handle = heapq.heappop(self._later)
            handle._scheduled = False  # type: ignore[attr-defined]  # noqa: SLF001
            if handle.cancelled():
                self._dead = max(0, self._dead - 1)
            else:
                self._waiting.append(handle)
        if self._waiting:
            self._wake()
        self._arm()

    def _arm(self) -> None:
        if not self._later:
            self._later_timer.stop()
            return
        wait = math.ceil((self._later[0].when() - self.time()) * 1000)
        self._later_timer.start(min(max(0, wait), _MAX_WAIT_MS))

    def _refuse_if_closed(self) -> None:
        if self.is_closed():
            raise RuntimeError("Event loop is closed")


def new_loop(app: QCoreApplication) -> TriptychLoop:
    """With threads of its own for what would block it."""
    from app.ui.application.workers import Workers

    loop = TriptychLoop(app)
    loop.set_default_executor(Workers())
    return loop
