"""What is said once when the window has its services: safe mode, answers that were cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.core.text.i18n import _, ngettext
from app.ui.sessions.model import session_title

if TYPE_CHECKING:
    from app.core.session.summary import SessionRow
    from app.ui.main_window.session.session_controller import SessionController
    from app.ui.main_window.window import MainWindow


def tell_safe_mode(window: MainWindow, why: str) -> None:
    words = _("Safe mode: plug-ins and MCP servers are not loaded, and no session was opened by itself.")
    if why == "failed":
        words = _("Triptych ended unexpectedly twice while it started.") + " " + words
    window.notice.tell(words, "warn", button=_("Start normally"), answer=window.restart_asked.emit)


def offer_to_go_on(
    window: MainWindow, conversation: SessionController, left: Sequence[SessionRow], open_session: Callable[[str], None]
) -> None:
    """Nothing goes on by itself: a tool that ran may have had its effect."""
    row = left[0]
    is_open = conversation.row is not None and conversation.row.id == row.id
    if is_open and len(left) == 1:
        return  # the answer itself says so, with the same button
    words = ngettext(
        "An answer in “{title}” was cut off when Triptych ended. What had arrived is kept.",
        "{n} answers were cut off when Triptych ended, the last one in “{title}”. What had arrived is kept.",
        len(left),
    ).format(n=len(left), title=session_title(row))

    def answer() -> None:
        if is_open:
            conversation.resume()
        else:
            open_session(row.id)

    window.notice.tell(words, "warn", button=_("Continue") if is_open else _("Show it"), answer=answer)
