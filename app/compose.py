"""The composition root without Qt: builds stores, providers, tools and services once.

Read from top to bottom it says what the program is made of and who is handed what. No `if`
about features; no object reaches back here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from app.acp.titles import AgentCalls
from app.agent.modes import MODES
from app.core.resources import resource_dir
from app.core.run.events import Notice
from app.core.run.mode import add_mode, mode_ids
from app.core.text.i18n import current_language, set_language
from app.core.tools.picture import CardPictures
from app.core.tools.session_values import SESSION_VALUES, SessionValues
from app.core.wording.tools import add_titles
from app.domains import BUILTIN
from app.net import GuardedHttp
from app.net.pace import Pace
from app.services.acp.service import AcpAgentService
from app.services.api.activity import ApiActivity
from app.services.api.clients import ApiClientService
from app.services.api.serving import LocalApiService, RunningServer, ServedParts
from app.services.batch.service import BatchService
from app.services.container import Services
from app.services.data.backups import BackupService
from app.services.data.checks import CheckService
from app.services.data.data_folder import DataFolderService
from app.services.data.first_run import FirstRunService
from app.services.data.search import SessionSearchService
from app.services.data.sessions import SessionService
from app.services.exchange.attachments import AttachmentService
from app.services.exchange.pdf_text import pdf_text
from app.services.exchange.remote_pictures import RemotePictureService
from app.services.exchange.transfer import TransferService
from app.services.knowledge.models import KnowledgeModels
from app.services.knowledge.server import SharedServer
from app.services.knowledge.service import KnowledgeService
from app.services.lifecycle import Lifecycle
from app.services.maps.tiles import TileService
from app.services.mcp.served_agents import ServedAgentService
from app.services.mcp.service import McpService
from app.services.memory.service import MemoryService
from app.services.memory.vectors import FactVectors
from app.services.providers.models import ModelService
from app.services.providers.service import ProviderService
from app.services.remote_backup.other_data import OtherData, OtherServices
from app.services.remote_backup.service import RemoteBackupService
from app.services.remote_backup.settings import BackupSettings
from app.services.runs.chat import ChatService
from app.services.runs.compare import CompareService
from app.services.runs.last_calls import CallService
from app.services.runs.ratings import RatingService
from app.services.runs.runs import RunService
from app.services.settings.message_templates import PromptService
from app.services.settings.network import NetworkSettings
from app.services.settings.plan_templates import TemplateService
from app.services.settings.settings import SettingsService
from app.services.skills.service import SkillService
from app.services.tools.domains import ChosenAddresses, DomainAdapters, HostPaces, names_to_keep, take_domains
from app.services.tools.grants import GrantService
from app.services.tools.plugins import Plugins, fault_notice, load_plugins
from app.services.tools.service import ToolService
from app.services.tools.shelf import ToolShelf
from app.services.updates.service import UpdateService
from app.services.web.endpoints import EndpointService
from app.services.web.search import WebSearchService
from app.services.webhooks.hooks import Webhooks
from app.services.webhooks.service import WebhookService
from app.services.workspace.pages import PageService
from app.services.workspace.service import WorkspaceService
from app.storage.config.api_token import ApiTokenFile
from app.storage.config.grants import GrantFile
from app.storage.config.profiles import ProfileFiles
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from app.storage.db.database import Database
from app.storage.folder.errors import FolderUnusable
from app.storage.folder.export_folder import export_folder
from app.storage.folder.paths import DataFolder
from app.storage.knowledge.file import KnowledgeFile
from app.storage.knowledge.vectors import VectorStore
from app.storage.maintenance.session_transfer import TransferStore
from app.storage.stores.attachments import AttachmentStore
from app.storage.stores.documents import Documents
from app.storage.stores.facts import FactStore
from app.storage.stores.last_calls import CallStore
from app.storage.stores.ratings import RatingStore
from app.storage.stores.runs import RunStore
from app.storage.stores.search import SearchStore
from app.storage.stores.sessions import SessionStore
from app.tools import BUILTIN_TOOLS
from app.web import SEARCH_PACES, Web
from app.web.catalogues import PUBLIC_SERVICES
from app.web.tools import WEB_TOOLS


def build(
    data_dir: Path | str | None = None, environ: Mapping[str, str] = os.environ, *, safe_mode: bool = False
) -> Services:
    """All services on one data folder; `await services.open()` before sessions and runs are used.

    In safe mode nothing is loaded that others wrote: no plug-ins, no MCP servers.
    """
    folder = DataFolder.find(data_dir)
    with suppress(FolderUnusable):  # told by `open`; what can be read without the folder is read
        folder.create()
    files = SettingsFiles(folder.root)

    settings = SettingsService(files, ProfileFiles(folder.profiles), resource_dir() / "profiles")
    set_language(environ.get("TRIPTYCH_LANG", "") or settings.preferences.language)
    network = NetworkSettings(settings, environ)

    secrets = SecretStore(
        folder.keys, in_file=settings.preferences.keys_in_file, file_first=settings.preferences.key_file_first
    )
    providers = ProviderService(files, secrets, environ=environ, network=network, tell=settings.add_notice)
    models = ModelService(settings, providers, wanted=environ.get("TRIPTYCH_MODEL", ""))

    database = Database(folder.database, marker=folder.marker, backups=folder.backups)
    run_store = RunStore(database)
    sessions = SessionService(SessionStore(database), settings)
    documents = Documents(database)
    knowledge_file = KnowledgeFile(
        folder.root / "knowledge.db",
        lambda aside: settings.add_notice(Notice("knowledge_reset", "knowledge.db was damaged", {"file": aside.name})),
    )
    knowledge_models = KnowledgeModels(settings, providers, partial(names_to_keep, settings, documents))
    memory = MemoryService(FactStore(database), settings, FactVectors(VectorStore(knowledge_file), knowledge_models))
    shared = SharedServer(settings, secrets, network)
    knowledge = KnowledgeService(knowledge_file, knowledge_models, shared)
    pictures = CardPictures()

    addresses = ChosenAddresses(settings)
    shelf = ToolShelf((*BUILTIN_TOOLS, *WEB_TOOLS), BUILTIN, settings, addresses)
    plugins = Plugins() if safe_mode else load_plugins(taken=shelf)
    for mode in (*MODES, *plugins.modes):
        if mode.id not in mode_ids():
            add_mode(mode.id, mode.title)
    domains = take_domains(BUILTIN, plugins, settings)
    for fault in plugins.faults:
        settings.add_notice(fault_notice(fault))
    shelf.add(plugins.tools)
    add_titles(shelf)
    add_titles(AgentCalls())
    http = GuardedHttp(network, pace=Pace(HostPaces(PUBLIC_SERVICES, domains, SEARCH_PACES)))
    attachments = AttachmentStore(database, folder.attachments)
    attached = AttachmentService(attachments)

    async def keep_picture(name: str, data: bytes, session: str) -> str:
        return f"att:{(await attached.add_image(name, data, session)).ref}"

    mcp = McpService(
        ProfileFiles(folder.mcp),
        GrantFile(folder.mcp_consents, folder.grants_key, secrets),
        secrets,
        settings,
        network=network,
        adapters=DomainAdapters(domains),
        keep_picture=keep_picture,
        safe_mode=safe_mode,
    )
    search = WebSearchService(settings, secrets, mcp.for_agents)
    web = Web(http, search, read_pdf=pdf_text, addresses=addresses)
    search.use(web)
    endpoints = EndpointService(settings, secrets)
    resources: dict[str, object] = {
        "pictures": pictures,
        "memory": memory,
        "knowledge": knowledge,
        "web": web,
        "readwise": search.readwise,
        "service_keys": endpoints.key,
        SESSION_VALUES: SessionValues(),
        "docx": _to_docx,
        "cache": folder.root / "cache",
    }

    def set_export_folder() -> None:
        resources["exports"] = export_folder(folder, settings.preferences.export_folder)

    set_export_folder()
    settings.listen(set_export_folder)
    seams = {"documents": documents, "http": http, "addresses": addresses, "resources": resources}
    endpoints.use(seams)
    providers.key_storage.add_names(mcp.registry.key_names)
    providers.key_storage.add_names(search.key_names)
    providers.key_storage.add_names(endpoints.key_names)
    providers.key_storage.add_names(shared.key_names)
    tools = ToolService(shelf, settings, language=current_language(), tool_seams=seams, servers=mcp.for_agents)
    grants = GrantService(GrantFile(folder.grants, folder.grants_key, secrets), settings, tools)
    runs = RunService(run_store)
    workspace = WorkspaceService(documents, settings, data_dir=folder.root, knowledge=knowledge)
    pages = PageService(settings, workspace)
    packages = [domain.resources / "skills" for domain in plugins.domains if domain.resources is not None]
    skills = SkillService(resource_dir() / "skills", folder.root / "skills", packages)
    acp_agents = AcpAgentService(
        settings,
        secrets,
        GrantFile(folder.root / "agent-consents.json", folder.grants_key, secrets),
        network,
        documents=documents,
        scratch=folder.root / "agents",
        safe_mode=safe_mode,
    )
    chat = ChatService(
        sessions,
        run_store,
        settings,
        models,
        tools,
        tool_seams=seams,
        temporary_seams={"documents": Documents(database.temporary)},
        hooks=plugins.hooks,
        modes=[*plugins.modes, acp_agents.pool.mode],
        grants=grants,
        attachments=attached,
        memory=memory,
        knowledge=knowledge,
        workspace=workspace,
        skills=skills,
    )
    backups = BackupService(database, folder.backups, chat)
    transfer = TransferService(TransferStore(database), sessions, settings, attachments, backups, folder.root)
    others = OtherData(OtherServices(settings, providers, skills, knowledge, knowledge_file))
    remote_backups = RemoteBackupService(
        BackupSettings(files, secrets, network), backups, sessions, database, attachments, others, folder.root
    )
    first_run = FirstRunService(settings, providers, models, sessions, folder)
    data_folder = DataFolderService(folder, database, chat)
    webhooks = WebhookService(Webhooks(files, secrets), documents, sessions, chat, runs, settings, http)
    providers.key_storage.add_names(webhooks.hooks.key_names)
    served_agents = ServedAgentService(chat, sessions, settings, transfer)
    api_clients = ApiClientService(files, ApiTokenFile(folder.root / "api-token"), environ)
    local_api = LocalApiService(
        ServedParts(
            api_clients, ApiActivity(), settings, sessions, chat, runs, tools, attached, knowledge_models, served_agents
        ),
        _make_server,
    )
    return Services(
        data_dir=folder.root,
        safe_mode=safe_mode,
        card_plugins=tuple(plugins.cards),
        lifecycle=Lifecycle(
            database,
            run_store,
            data_folder=data_folder,
            backups=backups,
            elsewhere=remote_backups.schedule,
            settings=settings,
            sessions=sessions,
            grants=grants,
            mcp=mcp,
            models=models,
            chat=chat,
            knowledge=knowledge,
            acp_agents=acp_agents,
            webhooks=webhooks,
            local_api=local_api,
        ),
        checks=CheckService(database),
        data_folder=data_folder,
        settings=settings,
        providers=providers,
        models=models,
        tools=tools,
        grants=grants,
        first_run=first_run,
        mcp=mcp,
        sessions=sessions,
        search=SessionSearchService(SearchStore(database)),
        runs=runs,
        calls=CallService(CallStore(database), runs),
        chat=chat,
        memory=memory,
        workspace=workspace,
        pages=pages,
        skills=skills,
        knowledge=knowledge,
        ratings=RatingService(RatingStore(database), settings),
        attachments=attached,
        remote_pictures=RemotePictureService(http),
        tiles=TileService(http, folder.root / "tiles", settings),
        web_search=search,
        endpoints=endpoints,
        templates=TemplateService(documents),
        prompts=PromptService(documents),
        batches=BatchService(chat, sessions, settings, shared, workspace),
        compare=CompareService(chat, sessions, runs, settings),
        backups=backups,
        remote_backups=remote_backups,
        transfer=transfer,
        updates=UpdateService(settings, files, http, chat),
        served_agents=served_agents,
        acp_agents=acp_agents,
        webhooks=webhooks,
        api_clients=api_clients,
        local_api=local_api,
        database=database,
        run_store=run_store,
        pictures=pictures,
    )


def _to_docx(markdown: str, pictures: Mapping[str, bytes], title: str) -> bytes:
    from app.services.exchange.export_docx import to_docx  # the library for Word is slow to load

    return to_docx(markdown, pictures, title)


def _make_server(served: ServedParts, port: int, *, only_mcp: bool) -> RunningServer:
    from app.server.serve import ApiServer  # only who serves pays for it

    return ApiServer(served, port, only_mcp=only_mcp)
