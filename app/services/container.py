"""Everything a user can do, in one place: what the window and the commands are handed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

from app.core.tools.picture import CardPictures
from app.storage.db.database import Database
from app.storage.stores.runs import RunStore

from .acp.service import AcpAgentService
from .api.clients import ApiClientService
from .api.serving import LocalApiService
from .batch.service import BatchService
from .data.backups import BackupService
from .data.checks import CheckService
from .data.data_folder import DataFolderService
from .data.first_run import FirstRunService
from .data.search import SessionSearchService
from .data.sessions import SessionService
from .exchange.attachments import AttachmentService
from .exchange.remote_pictures import RemotePictureService
from .exchange.transfer import TransferService
from .knowledge.service import KnowledgeService
from .lifecycle import Lifecycle
from .maps.tiles import TileService
from .mcp.served_agents import ServedAgentService
from .mcp.service import McpService
from .memory.service import MemoryService
from .providers.models import ModelService
from .providers.service import ProviderService
from .remote_backup.service import RemoteBackupService
from .runs.chat import ChatService
from .runs.compare import CompareService
from .runs.last_calls import CallService
from .runs.ratings import RatingService
from .runs.runs import RunService
from .settings.message_templates import PromptService
from .settings.plan_templates import TemplateService
from .settings.settings import SettingsService
from .skills.service import SkillService
from .tools.grants import GrantService
from .tools.service import ToolService
from .updates.service import UpdateService
from .web.endpoints import EndpointService
from .web.search import WebSearchService
from .webhooks.service import WebhookService
from .workspace.pages import PageService
from .workspace.service import WorkspaceService


@dataclass(frozen=True)
class Services:
    data_dir: Path
    safe_mode: bool
    """Nothing is loaded that others wrote: no plug-ins, no MCP servers."""
    card_plugins: tuple[EntryPoint, ...]
    """Renderers of further card kinds, for the window to load."""
    lifecycle: Lifecycle
    checks: CheckService
    data_folder: DataFolderService
    settings: SettingsService
    providers: ProviderService
    models: ModelService
    tools: ToolService
    grants: GrantService
    first_run: FirstRunService
    mcp: McpService
    sessions: SessionService
    search: SessionSearchService
    runs: RunService
    calls: CallService
    chat: ChatService
    memory: MemoryService
    workspace: WorkspaceService
    pages: PageService
    skills: SkillService
    knowledge: KnowledgeService
    ratings: RatingService
    attachments: AttachmentService
    remote_pictures: RemotePictureService
    tiles: TileService
    web_search: WebSearchService
    endpoints: EndpointService
    templates: TemplateService
    prompts: PromptService
    compare: CompareService
    batches: BatchService
    backups: BackupService
    remote_backups: RemoteBackupService
    transfer: TransferService
    updates: UpdateService
    acp_agents: AcpAgentService
    webhooks: WebhookService
    api_clients: ApiClientService
    local_api: LocalApiService
    served_agents: ServedAgentService
    database: Database
    run_store: RunStore
    pictures: CardPictures
    """The window puts the painter of its cards in here."""

    async def open(self) -> list[str]:
        """As `Lifecycle.open`."""
        return await self.lifecycle.open()

    async def close(self) -> None:
        """As `Lifecycle.close`."""
        await self.lifecycle.close()
