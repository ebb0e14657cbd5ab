"""Pages of the settings about who answers and what may be used: providers, agents, servers, permissions, templates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.ui.dialogs.settings.agent_titles import AgentTitles
from app.ui.main_window.dialogs.agent_choices import AgentFormChoices

if TYPE_CHECKING:
    from app.services.acp.service import AcpAgentService
    from app.services.api.serving import LocalApiService
    from app.services.knowledge.service import KnowledgeService
    from app.services.mcp.service import McpService
    from app.services.memory.service import MemoryService
    from app.services.providers.models import ModelService
    from app.services.providers.service import ProviderService
    from app.services.runs.chat import ChatService
    from app.services.runs.last_calls import CallService
    from app.services.runs.runs import RunService
    from app.services.settings.message_templates import PromptService
    from app.services.settings.settings import SettingsService
    from app.services.skills.service import SkillService
    from app.services.tools.grants import GrantService
    from app.services.tools.service import ToolService
    from app.services.web.endpoints import EndpointService
    from app.services.web.search import WebSearchService
    from app.services.webhooks.service import WebhookService
    from app.ui.dialogs.settings.page import SettingsPage
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


class AgentPages(QObject):
    def __init__(
        self,
        parent: DialogParent,
        tasks: Tasks,
        *,
        settings: SettingsService,
        providers: ProviderService,
        models: ModelService,
        mcp: McpService,
        tools: ToolService,
        calls: CallService,
        runs: RunService,
        grants: GrantService,
        chat: ChatService,
        prompts: PromptService,
        knowledge: KnowledgeService,
        memory: MemoryService,
        web_search: WebSearchService,
        endpoints: EndpointService,
        skills: SkillService,
        acp_agents: AcpAgentService,
        webhooks: WebhookService,
        local_api: LocalApiService,
    ) -> None:
        super().__init__(parent)
        self._parent, self._tasks = parent, tasks
        self._settings, self._providers, self._models = settings, providers, models
        self._mcp, self._tools, self._calls, self._runs = mcp, tools, calls, runs
        self._grants, self._chat, self._prompts = grants, chat, prompts
        self._knowledge, self._memory, self._web_search = knowledge, memory, web_search
        self._endpoints = endpoints
        self._skills, self._acp_agents, self._webhooks, self._local_api = skills, acp_agents, webhooks, local_api

    def with_domains(self, then: Callable[[], object]) -> None:
        """`then`, once all domains are loaded: forms ask for their tools, settings and services, and cannot wait."""
        if all(domain.is_loaded for domain in self._settings.domains()):
            then()
        else:
            self._tasks.spawn(self._load_domains(then))

    async def _load_domains(self, then: Callable[[], object]) -> None:
        await self._settings.loaded_domains()
        then()

    def list_bases(self) -> None:
        """Before a form asks for them: it cannot wait."""
        self._tasks.spawn(self._knowledge.bases())
        self._tasks.spawn(self._skills.refresh())

    def providers_page(self) -> SettingsPage:
        from app.ui.dialogs.providers.window import ProvidersPage

        return ProvidersPage(self._providers, self._settings, self._parent.theme, spawn=self._tasks.spawn)

    def agents_page(self) -> SettingsPage:
        from app.ui.dialogs.agents.agent_settings import AgentsPage

        servers = [one.id for one in self._mcp.servers()]
        tools = [*self._tools.all_tools(), *self._tools.tools_of_servers(servers)]
        return AgentsPage(
            self._settings,
            tools,
            AgentFormChoices(
                self._models, self._mcp, self._knowledge, self._runs, self._calls, self._tools, self._skills
            ),
            self._parent.theme,
            spawn=self._tasks.spawn,
        )

    def mcp_page(self) -> SettingsPage:
        from app.ui.dialogs.mcp.window import ServersPage

        theme = self._parent.theme
        return ServersPage(self._mcp, self._providers, self._settings, theme, spawn=self._tasks.spawn)

    def permissions_page(self) -> SettingsPage:
        from app.ui.dialogs.preferences.permissions import PermissionsPage

        return PermissionsPage(
            self._grants,
            self._parent.theme,
            spawn=self._tasks.spawn,
            titles=AgentTitles(self._settings),
            runs=self._chat.active,
        )

    def knowledge_page(self) -> SettingsPage:
        from app.ui.dialogs.knowledge.page import KnowledgePage

        return KnowledgePage(
            self._knowledge,
            self._memory,
            self._parent.theme,
            spawn=self._tasks.spawn,
            titles=AgentTitles(self._settings),
        )

    def web_page(self) -> SettingsPage:
        from app.ui.dialogs.web.page import WebSearchPage

        return WebSearchPage(self._web_search, self._parent.theme, spawn=self._tasks.spawn)

    def services_page(self) -> SettingsPage:
        from app.ui.dialogs.web.services import ServicesPage

        return ServicesPage(self._endpoints, self._parent.theme, spawn=self._tasks.spawn)

    def other_agents_page(self) -> SettingsPage:
        from app.ui.dialogs.programs.agents import OtherAgentsPage

        return OtherAgentsPage(
            self._acp_agents, self._providers, self._settings, self._parent.theme, spawn=self._tasks.spawn
        )

    def webhooks_page(self) -> SettingsPage:
        from app.ui.dialogs.programs.webhooks import WebhooksPage

        return WebhooksPage(
            self._webhooks, self._providers, self._settings, self._parent.theme, spawn=self._tasks.spawn
        )

    def local_api_page(self) -> SettingsPage:
        from app.ui.dialogs.programs.local_api import LocalApiPage

        return LocalApiPage(self._local_api, self._parent.theme, spawn=self._tasks.spawn)

    def skills_page(self) -> SettingsPage:
        from app.ui.dialogs.skills.page import SkillsPage

        names = [tool.name for tool in self._tools.all_tools()]
        return SkillsPage(self._skills, names, self._parent.theme, spawn=self._tasks.spawn)

    def templates_page(self) -> SettingsPage:
        from app.ui.dialogs.preferences.templates import TemplatesPage

        return TemplatesPage(self._prompts, self._parent.theme, spawn=self._tasks.spawn)
