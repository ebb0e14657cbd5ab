"""What is said once when the window has its services: safe mode, answers that were cut off."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.core.text.i18n import _, ngettext
from app.ui.sessions.model import session_title

if TYPE_CHECKING:
    from app.core.session.summary import SessionRow
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.main_window.session_list.navigator import Navigator
    from app.ui.tasks import Tasks
    from app.ui.widgets.notice_bar import NoticeBar


class StartupNotices(QObject):
    restart_asked = Signal()

    def __init__(
        self,
        notice: NoticeBar,
        open_session: OpenSession,
        tasks: Tasks,
        *,
        rerun: RerunController,
        navigator: Navigator,
    ) -> None:
        super().__init__(notice)
        self._notice, self._open_session, self._tasks = notice, open_session, tasks
        self._rerun, self._navigator = rerun, navigator

    def tell_safe_mode(self, why: str) -> None:
        words = _("Safe mode: plug-ins and MCP servers are not loaded, and no session was opened by itself.")
        if why == "failed":
            words = _("Triptych ended unexpectedly twice while it started.") + " " + words
        self._notice.tell(words, "warn", button=_("Start normally"), answer=self.restart_asked.emit)

    def offer_to_go_on(self, left: Sequence[SessionRow]) -> None:
        """Nothing goes on by itself: a tool that ran may have had its effect."""
        row = left[0]
        is_open = self._open_session.id == row.id
        if is_open and len(left) == 1:
            return  # the answer itself says so, with the same button
        words = ngettext(
            "An answer in “{title}” was cut off when Triptych ended. What had arrived is kept.",
            "{n} answers were cut off when Triptych ended, the last one in “{title}”. What had arrived is kept.",
            len(left),
        ).format(n=len(left), title=session_title(row))
        button, answer = (
            (_("Continue"), self._resume) if is_open else (_("Show it"), partial(self._navigator.open, row.id))
        )
        self._notice.tell(words, "warn", button=button, answer=answer)

    def _resume(self) -> None:
        """The last answer goes on where it was cut off."""
        self._tasks.spawn(self._rerun.resume(""))
