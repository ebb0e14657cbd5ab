"""Opens the window of the settings at a page, and makes its pages from the services each of them needs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.core.errors import TriptychError
from app.core.text.i18n import N_, _
from app.ui.main_window.notices.mcp_watch import McpWatch

if TYPE_CHECKING:
    from app.services.container import Services
    from app.services.tools.service import PastCall
    from app.ui.dialogs.settings.page import SettingsPage
    from app.ui.dialogs.settings.window import PageSpec, SettingsWindow
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks

_PAGES: Sequence[tuple[str, str, str, str]] = (
    ("providers", N_("Providers and keys"), "key", N_("API key model price local Ollama")),
    ("agents", N_("Agents"), "user", N_("prompt tools reflection budget")),
    ("mcp", N_("MCP servers"), "wrench", N_("MCP server tools connect")),
    ("permissions", N_("Permissions"), "shield", N_("allow deny approval tools grants")),
    ("knowledge", N_("Memory & knowledge"), "brain", N_("documents folder facts remember RAG")),
    ("web", N_("Web search"), "globe", N_("search internet Bocha Tavily Brave Exa SerpAPI SearXNG Readwise key")),
    ("templates", N_("Message templates"), "book", ""),
    ("general", N_("General"), "settings", N_("language network privacy notifications budget proxy")),
    ("appearance", N_("Appearance"), "sun", N_("theme dark font size zoom")),
    ("keys", N_("Keyboard shortcuts"), "keyboard", N_("keyboard shortcut hotkey")),
    ("data", N_("Data and backups"), "archive", N_("backup restore folder disk")),
    ("usage", N_("Usage"), "chart", N_("cost statistics")),
    ("about", N_("About"), "info", N_("version licence")),
)
"""Id, title, icon, and further words the page is found by."""


class SettingsController(QObject):
    restored = Signal()
    """A copy of the data was taken back: everything that is shown must be read again."""

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        tasks: Tasks,
        *,
        actions: Mapping[str, QAction],
        open_session: OpenSession,
    ) -> None:
        """`actions` are the commands, for their keys."""
        super().__init__(window)
        self._window, self._services, self._tasks = window, services, tasks
        self._actions, self._open_session = actions, open_session
        self._open: SettingsWindow | None = None
        self._watch = McpWatch(
            services.mcp,
            window.notice,
            is_open=lambda: self._open is not None and self._open.current == "mcp",
            open_dialog=partial(self.show, "mcp"),
        )

    @property
    def is_open(self) -> bool:
        return self._open is not None

    def show(self, page: str = "", item: str = "") -> None:
        """The window at that page, "" = where it was last; brought to the front if it is open."""
        self._shown(page, item)

    def _shown(self, page: str, item: str = "") -> SettingsWindow:
        is_new = self._open is None
        opened = self._open or self._made()
        if page:
            opened.go_to(page, item)
        elif is_new:
            opened.open_at_last()
        opened.show()
        opened.raise_()
        opened.activateWindow()
        if is_new or page:
            opened.focus_page()
        return opened

    def new_template(self, text: str) -> None:
        """A message template that begins with `text`."""
        from app.ui.dialogs.preferences.templates import TemplatesPage

        page = self._shown("templates").page("templates")
        assert isinstance(page, TemplatesPage)
        page.leave(partial(page.begin_with, text))

    def may_close(self) -> bool:
        """False where something is not saved: the window of the settings asks about it."""
        if self._open is None or not self._open.unsaved():
            return True
        self._open.raise_()
        self._open.activateWindow()
        return self._open.close()

    def quit(self) -> None:
        """Out of the program, unless what is not saved is to be looked at first."""
        if self.may_close():
            self._window.close()

    def close(self) -> None:
        self._watch.stop()
        if self._open is not None:
            self._open.end()

    def _made(self) -> SettingsWindow:
        from app.ui.dialogs.settings.window import PageSpec, SettingsWindow

        makers: Mapping[str, Callable[[], SettingsPage]] = {
            "providers": self._providers, "agents": self._agents, "mcp": self._mcp, "permissions": self._permissions,
            "knowledge": self._knowledge,
            "web": self._web, "templates": self._templates, "general": partial(self._preferences, looks=False),
            "appearance": partial(self._preferences, looks=True), "keys": self._keys, "data": self._data,
            "usage": self._usage, "about": self._about,
        }  # fmt: skip
        specs: list[PageSpec] = [
            # Found by the words of both languages.
            PageSpec(id, _(title), icon, makers[id], f"{title} {words} {_(words) if words else ''}")
            for id, title, icon, words in _PAGES
        ]
        made = self._open = SettingsWindow(specs, self._window.theme, self._window.settings, self._window)
        made.destroyed.connect(self._forget)
        self._tasks.spawn(self._list_bases())
        return made

    def _forget(self) -> None:
        self._open = None

    # ------------------------------------------------------------ pages

    def _providers(self) -> SettingsPage:
        from app.ui.dialogs.providers.window import ProvidersPage

        services = self._services
        return ProvidersPage(services.providers, services.settings, self._window.theme, spawn=self._tasks.spawn)

    def _agents(self) -> SettingsPage:
        from app.services.runs.round_costs import measured_rounds
        from app.ui.dialogs.agents.agent_settings import AgentsPage

        services = self._services
        servers = [one.id for one in services.mcp.servers()]
        tools = [*services.tools.all_tools(), *services.tools.tools_of_servers(servers)]
        return AgentsPage(
            services.settings,
            tools,
            self._models,
            self._window.theme,
            spawn=self._tasks.spawn,
            last_call=services.calls.last,
            last_call_of=self._last_call_of,
            servers=self._servers,
            bases=self._bases,
            measured=partial(measured_rounds, services.runs),
        )

    async def _list_bases(self) -> None:
        """Before a form asks for them: it cannot wait."""
        await self._services.knowledge.bases()

    def _bases(self) -> list[tuple[str, str]]:
        return [(base.id, base.name) for base in self._services.knowledge.listed]

    def _mcp(self) -> SettingsPage:
        from app.ui.dialogs.mcp.window import ServersPage

        services, theme = self._services, self._window.theme
        return ServersPage(services.mcp, services.providers, services.settings, theme, spawn=self._tasks.spawn)

    def _permissions(self) -> SettingsPage:
        from app.ui.dialogs.preferences.permissions import PermissionsPage

        return PermissionsPage(
            self._services.grants,
            self._window.theme,
            spawn=self._tasks.spawn,
            title_of=self._title,
            running=self._services.chat.run_grants,
        )

    def _knowledge(self) -> SettingsPage:
        from app.ui.dialogs.knowledge.page import KnowledgePage

        services, theme = self._services, self._window.theme
        return KnowledgePage(services.knowledge, services.memory, theme, spawn=self._tasks.spawn, title_of=self._title)

    def _web(self) -> SettingsPage:
        from app.ui.dialogs.web.page import WebSearchPage

        return WebSearchPage(self._services.web_search, self._window.theme, spawn=self._tasks.spawn)

    def _templates(self) -> SettingsPage:
        from app.ui.dialogs.preferences.templates import TemplatesPage

        return TemplatesPage(self._services.prompts, self._window.theme, spawn=self._tasks.spawn)

    def _preferences(self, *, looks: bool) -> SettingsPage:
        from app.ui.dialogs.preferences.preferences import APPEARANCE, PreferencesPage

        page = PreferencesPage(
            self._services.settings,
            self._models,
            self._window.theme,
            spawn=self._tasks.spawn,
            groups=lambda group: (group in APPEARANCE) is looks,
        )
        page.setObjectName("appearancePage" if looks else "generalPage")
        return page

    def _keys(self) -> SettingsPage:
        from app.ui.dialogs.preferences.keys import KeysPage

        now = self._services.settings.preferences
        page = KeysPage(self._window.theme, self._actions, now.shortcuts, send_key=now.send_key)
        page.changed.connect(self._keep_shortcuts)
        return page

    def _keep_shortcuts(self, shortcuts: dict[str, str]) -> None:
        settings = self._services.settings
        changed = settings.preferences.model_copy(update={"shortcuts": shortcuts})
        self._tasks.spawn(settings.save_preferences(changed), "keep shortcuts")

    def _data(self) -> SettingsPage:
        from app.ui.dialogs.data.window import DataPage

        services = self._services
        page = DataPage(
            services.data_folder,
            services.backups,
            self._window.theme,
            spawn=self._tasks.spawn,
            verify=services.checks.verify,
            repair=services.checks.repair,
        )
        page.restored.connect(self.restored)
        page.moved.connect(self._window.restart_asked)
        return page

    def _usage(self) -> SettingsPage:
        from app.ui.dialogs.data.usage import UsagePage

        return UsagePage(
            self._services.runs,
            self._window.theme,
            spawn=self._tasks.spawn,
            title_of=self._title,
            session=self._open_session.id,
            price_of=self._services.models.price,
        )

    def _about(self) -> SettingsPage:
        from app.ui.dialogs.preferences.about import AboutPage

        return AboutPage(self._window.theme, self._services.data_folder.root)

    # ------------------------------------------------------------ what pages ask for

    def _title(self, agent: str) -> str:
        try:
            return self._services.settings.profile(agent).title
        except TriptychError:
            return agent  # it is gone; what it spent and may do is not

    async def _last_call_of(self, tool: str) -> PastCall | None:
        """The newest stored call of a tool, for rules to be tried on."""
        call = await self._services.calls.last(tool)
        if call is None:
            return None
        return await asyncio.to_thread(self._services.tools.past_call, call.tool, json.loads(call.args))

    def _servers(self) -> list[tuple[str, str]]:
        """Those of MCP an agent may be given, by id and name."""
        servers, off = self._services.mcp.servers(), _("{name} (off)")
        return [(one.id, one.name if one.enabled else off.format(name=one.name)) for one in servers]

    def _models(self) -> list[str]:
        return [choice.ref for choice in self._services.models.choices()]
