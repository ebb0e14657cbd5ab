"""Opens the stored data, keeps it in order while the program runs, and closes it.

The window and every sub-command that uses stored data call `open` first; the code that built the services calls
`close`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from app.core.errors import DataDamaged, DataNewer, TriptychError
from app.core.run.events import Notice
from app.storage.folder.errors import DiskFull, FolderUnusable, StorageBusy

if TYPE_CHECKING:
    from app.storage.db.database import Database
    from app.storage.stores.runs import RunStore

    from .acp.service import AcpAgentService
    from .api.serving import LocalApiService
    from .data.backups import BackupService
    from .data.data_folder import DataFolderService
    from .data.sessions import SessionService
    from .knowledge.service import KnowledgeService
    from .mcp.service import McpService
    from .providers.models import ModelService
    from .remote_backup.schedule import BackupSchedule
    from .runs.chat import ChatService
    from .settings.settings import SettingsService
    from .tools.grants import GrantService
    from .webhooks.service import WebhookService

log = logging.getLogger(__name__)

_NOT_WRITABLE = (DataNewer, DiskFull, FolderUnusable, StorageBusy)
"""The data is whole, only not to be written now."""


class Lifecycle:
    def __init__(
        self,
        database: Database,
        run_store: RunStore,
        *,
        data_folder: DataFolderService,
        backups: BackupService,
        elsewhere: BackupSchedule,
        settings: SettingsService,
        sessions: SessionService,
        grants: GrantService,
        mcp: McpService,
        models: ModelService,
        chat: ChatService,
        knowledge: KnowledgeService,
        acp_agents: AcpAgentService,
        webhooks: WebhookService,
        local_api: LocalApiService,
    ) -> None:
        self._database, self._run_store = database, run_store
        self._data_folder, self._backups, self._elsewhere, self._settings = data_folder, backups, elsewhere, settings
        self._sessions, self._grants, self._mcp = sessions, grants, mcp
        self._models, self._chat, self._knowledge, self._acp_agents = models, chat, knowledge, acp_agents
        self._webhooks, self._local_api = webhooks, local_api

    async def open(self) -> list[str]:
        """The database, made or brought up to date; then what dead processes left behind is ended.

        Returns the sessions in which an answer was cut off by that. Whatever goes wrong is told as ForThePerson:
        data that cannot be written now, or DataDamaged with the way out.
        """
        self._data_folder.prepare()
        try:
            await self._database.open()
            cut_off = await self._run_store.recover()
            await self._sessions.bin.sweep()
        except _NOT_WRITABLE:
            raise
        except Exception as error:  # whatever it is: the way back to a sound copy has to be open
            raise await self._backups.offer(self._damage(error)) from error
        await self._open_permissions()
        await self._webhooks.open()
        return cut_off

    async def _open_permissions(self) -> None:
        """Without what was allowed for good the conversations are opened all the same: everything asks then."""
        for read, notice in (
            (
                self._grants.open,
                Notice("grants_unread", "what was allowed for good could not be read; everything asks"),
            ),
            (self._mcp.open, Notice("mcp_reset", "what was agreed to about MCP servers could not be read")),
            (self._acp_agents.open, Notice("grants_unread", "which programs of agents may start could not be read")),
        ):
            try:
                await read()
            except Exception as error:  # noqa: BLE001 - logged; nothing in these files may keep the window shut
                log.warning("%s: %s: %s", notice.text, type(error).__name__, error)
                self._settings.add_notice(notice)

    def _damage(self, error: Exception) -> DataDamaged:
        if isinstance(error, DataDamaged):
            return error
        log.error("the stored data could not be opened", exc_info=error)
        path = self._database.path
        return DataDamaged(
            f"{path} could not be opened: {type(error).__name__}: {error}", hint="nothing was deleted", path=str(path)
        )

    async def is_readable(self, error: TriptychError) -> bool:
        """Whether the conversations can be read although `open` failed: not written, but whole."""
        if not isinstance(error, _NOT_WRITABLE):
            return False
        try:
            await self._sessions.rows()
        except TriptychError:
            return False
        return True

    def begin_keeping(self) -> None:
        """For a process that stays, once the data is open: copies are made by themselves, the lease is renewed."""
        self._backups.watch()
        self._elsewhere.watch()
        self._sessions.bin.forget_soon()
        self._data_folder.watch()
        self._knowledge.begin_watching()

    async def close(self) -> None:
        """Stops the server, so that no run begins any more, and the runs; writes what is open, closes connections and
        the database."""
        await self._local_api.stop()
        await self._elsewhere.close()
        await self._chat.active.stop_all()
        await self._webhooks.close()
        await self._sessions.bin.close()
        await self._grants.close()
        await self._mcp.close()
        await self._acp_agents.close()
        await self._knowledge.close()
        await self._models.close()
        await self._run_store.close()
        await self._data_folder.close()
        await self._backups.close()
        await self._database.close()
