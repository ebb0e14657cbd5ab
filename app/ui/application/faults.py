"""The last net: what no slot, task or thread has caught is logged once and told quietly.

At most one notice per kind per minute; the log counts what was left out in between.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal

_log = logging.getLogger("app.ui")
_QUIET_SECONDS = 60.0


class Faults(QObject):
    reported = Signal(str)
    """For a notice; emitted in whatever thread found the fault."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[str, tuple[float, int]] = {}
        self._before: tuple[Any, Any] | None = None

    def report(self, error: BaseException) -> None:
        """Log with traceback and tell; the same kind again within a minute is only counted."""
        kind = _kind(error)
        now = time.monotonic()
        last, left_out = self._seen.get(kind, (-_QUIET_SECONDS, 0))
        if now - last < _QUIET_SECONDS:
            self._seen[kind] = (last, left_out + 1)
            return
        self._seen[kind] = (now, 0)
        also = f" ({left_out} more like it since the last entry)" if left_out else ""
        _log.error("unhandled %s%s", kind, also, exc_info=error)
        self.reported.emit(type(error).__name__)

    # ------------------------------------------------------------ where they come in

    def install(self) -> None:
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._from_slot
        threading.excepthook = self._from_thread

    def uninstall(self) -> None:
        if self._before is not None:
            sys.excepthook, threading.excepthook = self._before
            self._before = None

    def from_loop(self, _loop: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.report(error)
        else:
            _log.warning("event loop: %s", context.get("message"))

    def _from_slot(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.report(error)

    def _from_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self.report(args.exc_value)


def _kind(error: BaseException) -> str:
    """The class and the place: two bugs of one class are two kinds."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_code.co_qualname}" if trace else ""
    return f"{type(error).__name__}{place}"
