"""Pages of the settings about who answers and what may be used: providers, agents, servers, permissions, templates."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.core.text.i18n import _

if TYPE_CHECKING:
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
    from app.services.tools.grants import GrantService
    from app.services.tools.service import PastCall, ToolService
    from app.services.web.search import WebSearchService
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
    ) -> None:
        super().__init__(parent)
        self._parent, self._tasks = parent, tasks
        self._settings, self._providers, self._models = settings, providers, models
        self._mcp, self._tools, self._calls, self._runs = mcp, tools, calls, runs
        self._grants, self._chat, self._prompts = grants, chat, prompts
        self._knowledge, self._memory, self._web_search = knowledge, memory, web_search

    def list_bases(self) -> None:
        """Before a form asks for them: it cannot wait."""
        self._tasks.spawn(self._knowledge.bases())

    def providers_page(self) -> SettingsPage:
        from app.ui.dialogs.providers.window import ProvidersPage

        return ProvidersPage(self._providers, self._settings, self._parent.theme, spawn=self._tasks.spawn)

    def agents_page(self) -> SettingsPage:
        from app.services.runs.round_costs import measured_rounds
        from app.ui.dialogs.agents.agent_settings import AgentsPage

        servers = [one.id for one in self._mcp.servers()]
        tools = [*self._tools.all_tools(), *self._tools.tools_of_servers(servers)]
        return AgentsPage(
            self._settings,
            tools,
            self._model_refs,
            self._parent.theme,
            spawn=self._tasks.spawn,
            last_call=self._calls.last,
            last_call_of=self._last_call_of,
            servers=self._server_options,
            bases=self._bases,
            measured=partial(measured_rounds, self._runs),
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
            title_of=partial(agent_title, self._settings),
            running=self._chat.run_grants,
        )

    def knowledge_page(self) -> SettingsPage:
        from app.ui.dialogs.knowledge.page import KnowledgePage

        return KnowledgePage(
            self._knowledge,
            self._memory,
            self._parent.theme,
            spawn=self._tasks.spawn,
            title_of=partial(agent_title, self._settings),
        )

    def web_page(self) -> SettingsPage:
        from app.ui.dialogs.web.page import WebSearchPage

        return WebSearchPage(self._web_search, self._parent.theme, spawn=self._tasks.spawn)

    def templates_page(self) -> SettingsPage:
        from app.ui.dialogs.preferences.templates import TemplatesPage

        return TemplatesPage(self._prompts, self._parent.theme, spawn=self._tasks.spawn)

    async def _last_call_of(self, tool: str) -> PastCall | None:
        """The newest stored call of a tool, for rules to be tried on."""
        call = await self._calls.last(tool)
        if call is None:
            return None
        return await asyncio.to_thread(self._tools.past_call, call.tool, json.loads(call.args))

    def _server_options(self) -> list[tuple[str, str]]:
        """Those of MCP an agent may be given, by id and name."""
        servers, off = self._mcp.servers(), _("{name} (off)")
        return [(one.id, one.name if one.enabled else off.format(name=one.name)) for one in servers]

    def _bases(self) -> list[tuple[str, str]]:
        return [(base.id, base.name) for base in self._knowledge.listed]

    def _model_refs(self) -> list[str]:
        return [choice.ref for choice in self._models.choices()]


def agent_title(settings: SettingsService, agent: str) -> str:
    """Its id where it is gone: what it spent and may do is not."""
    try:
        return settings.profile(agent).title
    except TriptychError:
        return agent
