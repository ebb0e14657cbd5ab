"""Everything a user can do, in one place: what the window and the commands are handed."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

from app.core.errors import DataDamaged, DataNewer, TriptychError
from app.core.run.events import Notice
from app.core.tools.picture import CardPictures
from app.storage.db.database import Database
from app.storage.folder.errors import DiskFull, FolderUnusable, StorageBusy
from app.storage.stores.runs import RunStore

from .data.backups import BackupService
from .data.data_folder import DataFolderService
from .data.first_run import FirstRunService
from .data.search import SearchService
from .data.sessions import SessionService
from .exchange.attachments import AttachmentService
from .exchange.remote_pictures import RemotePictureService
from .exchange.transfer import TransferService
from .mcp.service import McpService
from .providers.models import ModelService
from .providers.service import ProviderService
from .runs.chat import ChatService
from .runs.compare import CompareService
from .runs.last_calls import CallService
from .runs.ratings import RatingService
from .runs.runs import RunService
from .settings.message_templates import PromptService
from .settings.plan_templates import TemplateService
from .settings.settings import SettingsService
from .tools.grants import GrantService
from .tools.service import ToolService

log = logging.getLogger(__name__)

_NOT_WRITABLE = (DataNewer, DiskFull, FolderUnusable, StorageBusy)
"""The data is whole, only not to be written now."""


@dataclass(frozen=True)
class Services:
    data_dir: Path
    safe_mode: bool
    """Nothing is loaded that others wrote: no plug-ins, no MCP servers."""
    card_plugins: tuple[EntryPoint, ...]
    """Renderers of further card kinds, for the window to load."""
    data_folder: DataFolderService
    settings: SettingsService
    providers: ProviderService
    models: ModelService
    tools: ToolService
    grants: GrantService
    first_run: FirstRunService
    mcp: McpService
    sessions: SessionService
    search: SearchService
    runs: RunService
    calls: CallService
    chat: ChatService
    ratings: RatingService
    attachments: AttachmentService
    remote_pictures: RemotePictureService
    templates: TemplateService
    prompts: PromptService
    compare: CompareService
    backups: BackupService
    transfer: TransferService
    database: Database
    run_store: RunStore
    pictures: CardPictures
    """The window puts the painter of its cards in here."""

    async def open(self) -> list[str]:
        """The database, made or brought up to date; then what dead processes left behind is ended.

        Returns the sessions in which an answer was cut off by that. Whatever goes wrong is told as ForThePerson:
        data that cannot be written now, or DataDamaged with the way out.
        """
        self.data_folder.prepare()
        try:
            await self.database.open()
            cut_off = await self.run_store.recover()
            await self.sessions.sweep()
        except _NOT_WRITABLE:
            raise
        except Exception as error:  # whatever it is: the way back to a sound copy has to be open
            raise await self.backups.offer(self._damage(error)) from error
        await self._open_permissions()
        return cut_off

    async def _open_permissions(self) -> None:
        """Without what was allowed for good the conversations are opened all the same: everything asks then."""
        for read, notice in (
            (self.grants.open, Notice("grants_unread", "what was allowed for good could not be read; everything asks")),
            (self.mcp.open, Notice("mcp_reset", "what was agreed to about MCP servers could not be read")),
        ):
            try:
                await read()
            except Exception as error:  # noqa: BLE001 - logged; nothing in these files may keep the window shut
                log.warning("%s: %s: %s", notice.text, type(error).__name__, error)
                self.settings.tell(notice)

    def _damage(self, error: Exception) -> DataDamaged:
        if isinstance(error, DataDamaged):
            return error
        log.error("the stored data could not be opened", exc_info=error)
        path = self.database.path
        return DataDamaged(
            f"{path} could not be opened: {type(error).__name__}: {error}", hint="nothing was deleted", path=str(path)
        )

    async def is_readable(self, error: TriptychError) -> bool:
        """Whether the conversations can be read although `open` failed: not written, but whole."""
        if not isinstance(error, _NOT_WRITABLE):
            return False
        try:
            await self.sessions.rows()
        except TriptychError:
            return False
        return True

    def begin_keeping(self) -> None:
        """For a process that stays, once the data is open: copies are made by themselves, the lease is renewed."""
        self.backups.watch()
        self.sessions.forget_soon()
        self.data_folder.watch()

    async def verify(self) -> list[str]:
        """What a check of every stored row finds, one sentence each."""
        from app.storage.maintenance.verify import check_everything

        return await check_everything(self.database)

    async def repair(self) -> list[str]:
        """Sets right what can be proven to be again what was written; what that was, one sentence each."""
        from app.storage.maintenance.repair import repair

        return await repair(self.database)

    async def close(self) -> None:
        """Stops runs, writes what is open, closes connections and the database."""
        await self.chat.stop_all()
        await self.sessions.close()
        await self.grants.close()
        await self.mcp.close()
        await self.models.close()
        await self.run_store.close()
        await self.data_folder.close()
        await self.backups.close()
        await self.database.close()
