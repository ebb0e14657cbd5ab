"""Keeps the left pane true, and does what is asked for there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.errors import UnknownName
from app.core.i18n import _
from app.ui.main_window.window import MainWindow
from app.ui.sessions.model import session_title
from app.ui.tasks import Tasks

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from app.services.all import Services

_GATHER_SECONDS = 0.08
"""Changes that come this close together are read from the disk once."""


class SessionList:
    """`on_gone` is told the id of a session that left the list, before anybody can click on it."""

    def __init__(self, window: MainWindow, services: Services, tasks: Tasks, *, on_gone: Callable[[str], None]) -> None:
        self._window, self._services, self._tasks, self._on_gone = window, services, tasks, on_gone
        self._panel = window.sessions
        self._query = ""
        self._changed: set[str] = set()
        self._soon: asyncio.TimerHandle | None = None
        self._stop_listening = services.sessions.listen(self._heard)
        self._panel.search_changed.connect(self._search)
        self._panel.rename_asked.connect(lambda one, title: tasks.spawn(services.sessions.rename(one, title)))
        self._panel.pin_asked.connect(lambda one, pinned: tasks.spawn(services.sessions.update(one, pinned=pinned)))
        self._panel.delete_asked.connect(lambda one: tasks.spawn(self.trash(one)))
        self.tell_agents()
        self._tell_running()

    async def refresh(self) -> None:
        """All rows, as the search field wants them."""
        query = self._query
        rows = await self._services.sessions.rows(query)
        if query == self._query:
            self._panel.set_rows(rows)
            self._tell_running()

    async def trash(self, id: str) -> None:
        row = await self._services.sessions.row(id)
        if (run := self._services.chat.running(id)) is not None:
            run.cancel()
        await self._services.sessions.trash(id)
        self._on_gone(id)
        self._panel.model.take(id)
        self._window.notice.tell(
            _("“{title}” was moved to the bin.").format(title=session_title(row)),
            button=_("Undo"),
            answer=lambda: self._tasks.spawn(self._services.sessions.restore(id)),
        )

    def tell_agents(self) -> None:
        self._panel.set_agent_names({profile.id: profile.title for profile in self._services.settings.profiles()})

    def close(self) -> None:
        self._stop_listening()
        if self._soon is not None:
            self._soon.cancel()

    # ------------------------------------------------------------ inner work

    def _search(self, query: str) -> None:
        self._query = query
        self._tasks.spawn(self.refresh(), "search sessions")

    def _heard(self, id: str) -> None:
        if not self._changed:
            self._soon = self._tasks.loop.call_later(_GATHER_SECONDS, self._reread)
        self._changed.add(id)
        self._tell_running()

    def _reread(self) -> None:
        changed, self._changed = self._changed, set()
        self._tasks.spawn(self._reread_now(changed), "read changed sessions")

    async def _reread_now(self, changed: set[str]) -> None:
        if self._query:
            await self.refresh()
            return
        for id in changed:
            try:
                row = await self._services.sessions.row(id)
            except UnknownName:
                self._panel.model.take(id)
                continue
            self._panel.put(row)
            if id == self._panel.current():
                self._window.set_open(id, row.title)
        self._tell_running()

    def _tell_running(self) -> None:
        self._panel.set_running(self._services.chat.running_sessions())
