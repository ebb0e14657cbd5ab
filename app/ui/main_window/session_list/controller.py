"""Keeps the left pane true, and does what is asked for there: whatever is done to sessions can be undone once."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Signal, SignalInstance

from app.core.errors import TriptychError, UnknownName
from app.core.text.i18n import _, ngettext
from app.ui.main_window.window import AGENT_NAMES, CLOSED_FOLDERS
from app.ui.sessions.model import session_title
from app.ui.texts import error_text

if TYPE_CHECKING:
    import asyncio

    from app.services.data.backups import BackupService
    from app.services.data.sessions import Before, SessionService
    from app.services.exchange.transfer import TransferService
    from app.services.runs.chat import ChatService
    from app.services.settings.settings import SettingsService
    from app.ui.main_window.open_session import OpenSession
    from app.ui.sessions.panel import SessionsPanel
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar

_GATHER_SECONDS = 0.08
"""Changes that come this close together are read from the disk once."""


class SessionList(QObject):
    gone = Signal(str)
    """A session leaves the list, before anybody can click on it."""
    open_asked = Signal(str)
    export_asked = Signal(list)
    """The rows of the sessions."""

    def __init__(
        self,
        parent: DialogParent,
        panel: SessionsPanel,
        notice: NoticeBar,
        kept: QSettings,
        open_session: OpenSession,
        tasks: Tasks,
        *,
        sessions: SessionService,
        chat: ChatService,
        settings: SettingsService,
        transfer: TransferService,
        backups: BackupService,
    ) -> None:
        """`kept` has what the list is drawn with at the next start."""
        super().__init__(panel)
        self._parent, self._panel, self._notice, self._kept, self._tasks = parent, panel, notice, kept, tasks
        self._open_session, self._sessions, self._chat, self._settings = open_session, sessions, chat, settings
        self._transfer, self._backups = transfer, backups
        self._query = ""
        self._changed: set[str] = set()
        self._soon: asyncio.TimerHandle | None = None
        self._stop_listening = sessions.listen(self._heard)
        self._panel.search_changed.connect(self._search)
        self._connect()
        self.tell_agents()
        self._tell_running()

    async def refresh(self) -> None:
        """All rows, as the search field wants them."""
        query = self._query
        rows = await self._sessions.rows(query, archived=True)
        if query == self._query:
            self._panel.set_rows(rows)
            self._tell_running()

    async def trash(self, ids: Sequence[str]) -> None:
        title = await self._title(ids)
        was_open = self._panel.current()
        for id in ids:
            if (run := self._chat.running(id)) is not None:
                run.cancel()
        before = await self._sessions.change(ids, trashed=time.time())
        for id in ids:
            self.gone.emit(id)
            self._panel.model.take(id)
        one = _("“{title}” was moved to the bin.").format(title=title)
        many = ngettext("{n} session was moved to the bin.", "{n} sessions were moved to the bin.", len(ids))
        words = one if len(ids) == 1 else many.format(n=len(ids))
        self._tell(before, words, open_again=was_open if was_open in ids else "")

    async def pin(self, ids: Sequence[str], pinned: bool) -> None:
        await self._sessions.change(ids, pinned=pinned)

    async def archive(self, ids: Sequence[str], archived: bool) -> None:
        before = await self._sessions.change(ids, archived=archived)
        if archived:
            words = ngettext("{n} session was archived.", "{n} sessions were archived.", len(ids))
        else:
            words = ngettext("{n} session is out of the archive.", "{n} sessions are out of the archive.", len(ids))
        self._tell(before, words.format(n=len(ids)))

    async def move(self, ids: Sequence[str], folder: str) -> None:
        before = await self._sessions.change(ids, folder=folder, archived=False)
        if folder:
            words = ngettext("{n} session is in “{folder}” now.", "{n} sessions are in “{folder}” now.", len(ids))
        else:
            words = ngettext("{n} session is in no folder now.", "{n} sessions are in no folder now.", len(ids))
        self._tell(before, words.format(n=len(ids), folder=folder))

    async def move_to_new_folder(self, ids: Sequence[str]) -> None:
        """The folder gets a name at once and the name can be changed at once."""
        taken, plain = self._panel.model.folders(), _("New folder")
        names = (plain if n == 1 else f"{plain} {n}" for n in count(1))
        name = next(name for name in names if name not in taken)
        await self._sessions.change(ids, folder=name, archived=False)
        await self.refresh()
        self._panel.edit_folder(name)

    async def rename_folder(self, name: str, new: str) -> None:
        before = await self._sessions.rename_folder(name, new)
        if not new:
            self._tell(before, _("The folder “{folder}” is gone; its sessions are not.").format(folder=name))

    async def keep(self, ids: Sequence[str]) -> None:
        """Temporary sessions become stored ones."""
        for id in ids:
            stored = await self._transfer.store_temporary(id)
            await self._sessions.bin.purge(id)
            self.open_asked.emit(stored)
        self._notice.tell(_("This session is stored from now on."))

    def tell_agents(self) -> None:
        names = {profile.id: profile.title for profile in self._settings.profiles()}
        self._panel.set_agent_names(names)
        self._kept.setValue(AGENT_NAMES, [f"{id}\t{name}" for id, name in names.items()])

    def open_bin(self) -> None:
        from app.ui.dialogs.data.bin import BinDialog

        BinDialog(
            self._sessions, self._backups, self._parent.theme, spawn=self._tasks.spawn, parent=self._parent
        ).open()

    def close(self) -> None:
        self._stop_listening()
        if self._soon is not None:
            self._soon.cancel()

    # ------------------------------------------------------------ inner work

    def _connect(self) -> None:
        panel = self._panel
        for signal, work in (
            (panel.rename_asked, self._sessions.rename),
            (panel.folder_rename_asked, self.rename_folder),
            (panel.folder_dissolve_asked, partial(self.rename_folder, new="")),
            (panel.pin_asked, self.pin),
            (panel.archive_asked, self.archive),
            (panel.folder_asked, self.move),
            (panel.new_folder_asked, self.move_to_new_folder),
            (panel.keep_asked, self.keep),
            (panel.delete_asked, self.trash),
        ):
            self._spawn_on(signal, work)
        panel.export_asked.connect(self._export)
        panel.folded.connect(self._keep_closed)

    def _export(self, ids: list[str]) -> None:
        self.export_asked.emit([row for id in ids if (row := self._panel.model.rows.get(id))])

    def _keep_closed(self, folders: list[str]) -> None:
        self._kept.setValue(CLOSED_FOLDERS, folders)

    def _spawn_on(self, signal: SignalInstance, work: Callable[..., Coroutine[Any, Any, object]]) -> None:
        async def carefully(*given: Any) -> None:
            try:
                await work(*given)
            except TriptychError as error:
                text = error_text(error.code, error.message, error.params)
                self._notice.tell(f"{text.what} {text.do}".strip(), "warn")
                await self.refresh()

        self._tasks.spawn_on(signal, carefully)

    async def _title(self, ids: Sequence[str]) -> str:
        return session_title(await self._sessions.row(ids[0])) if ids else ""

    def _tell(self, before: Before, words: str, *, open_again: str = "") -> None:
        self._notice.offer_undo(words, partial(self._undo, before, open_again))

    def _undo(self, before: Before, open_again: str) -> None:
        self._tasks.spawn(self._put_back(before, open_again), "undo")

    async def _put_back(self, before: Before, open_again: str) -> None:
        await self._sessions.put_back(before)
        if open_again:
            self.open_asked.emit(open_again)

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
                row = await self._sessions.row(id)
            except UnknownName:
                self._panel.model.take(id)
                continue
            self._panel.put(row)
            if id == self._panel.current():
                self._open_session.show_title(row.title)
        self._tell_running()

    def _tell_running(self) -> None:
        self._panel.set_running(self._chat.running_sessions())
