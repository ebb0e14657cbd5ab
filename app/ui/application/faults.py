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

from app.core.text.i18n import _

_log = logging.getLogger("app.ui")
_QUIET_SECONDS = 60.0


class Faults(QObject):
    reported = Signal(str)
    """Its kind; emitted in whatever thread found the fault."""
    warning = Signal(str)
    """The text of a notice, in the thread of the window."""

    def __init__(self) -> None:
        super().__init__()
        self.reported.connect(self._tell)
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

    def task_failed(self, error: BaseException) -> None:
        """Of what the person asked for. What went wrong outside is said each time; only bugs go to the last net."""
        from app.core.errors import TriptychError
        from app.ui.texts import error_text

        if isinstance(error, TriptychError):
            _log.warning("not done: %s", error, exc_info=error)
            text = error_text(error.code, error.message, error.params)
            self.warning.emit(f"{text.what} {text.do}".strip())
        else:
            self.report(error)

    def _tell(self, kind: str) -> None:
        text = _("Something unexpected happened ({kind}). The work goes on; the log has the details.")
        self.warning.emit(text.format(kind=kind))

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
