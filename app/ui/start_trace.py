"""`--trace-start`: the window opens, what took time is named on the standard output, the window closes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from app.core.system.start_trace import StartTrace
from app.core.text.i18n import _

if TYPE_CHECKING:
    from app.ui.application import Application

_SHOWN = 15
_PATIENCE_MS = 120_000


def traced(trace: StartTrace, make: Callable[[], Application]) -> int:
    """0 if the window came as far as taking questions."""
    application = make()
    trace.mark(_("window made"))
    application.window.painted.connect(partial(trace.mark, _("first paint")))
    is_ready: list[bool] = []

    async def tell(_desk: object) -> None:
        trace.mark(_("ready to send"))
        is_ready.append(True)
        application.window.close()

    application.when_ready(tell)
    QTimer.singleShot(_PATIENCE_MS, application.window.close)
    try:
        application.run()
    finally:
        trace.end()
    sys.stdout.write(report(trace))
    return 0 if is_ready else 1


def report(trace: StartTrace) -> str:
    lines = [f"{seconds * 1000:8.0f} ms  {name}" for name, seconds in trace.moments]
    lines.append(f"{trace.seconds * 1000:8.0f} ms  " + _("the whole start"))
    titles = (_("Modules loaded in the thread of the window"), _("Modules loaded beside it"))
    for title, thread in zip(titles, ("MainThread", "triptych-start"), strict=True):
        lines += ["", title]
        rooms = trace.by_room(thread)[:_SHOWN]
        lines += [f"{seconds * 1000:8.1f} ms  {room} ({count})" for room, seconds, count in rooms]
    return "\n".join(lines) + "\n"
