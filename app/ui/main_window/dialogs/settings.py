"""Opens the window of the settings at a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from app.core.text.i18n import N_, _
from app.ui.main_window.notices.mcp_watch import McpWatch

if TYPE_CHECKING:
    from app.core.skills import Skill
    from app.services.mcp.service import McpService
    from app.ui.dialogs.settings.page import SettingsPage
    from app.ui.dialogs.settings.window import PageSpec, SettingsWindow
    from app.ui.main_window.dialogs.agent_pages import AgentPages
    from app.ui.main_window.dialogs.program_pages import ProgramPages
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar

_PAGES: Sequence[tuple[str, str, str, str]] = (
    ("providers", N_("Providers and keys"), "key", N_("API key model price local Ollama")),
    ("agents", N_("Agents"), "sparkles", N_("prompt tools reflection budget")),
    ("programs", N_("Other agents"), "terminal", N_("ACP Claude Code Codex Gemini OpenCode goose program agent")),
    ("mcp", N_("MCP servers"), "plug", N_("MCP server tools connect")),
    ("permissions", N_("Permissions"), "shield", N_("allow deny approval tools grants")),
    ("skills", N_("Skills"), "fork", N_("SKILL.md instructions import zip folder export")),
    ("knowledge", N_("Memory & knowledge"), "database", N_("documents folder facts remember RAG")),
    ("web", N_("Web search"), "globe", N_("search internet Bocha Tavily Brave Exa SerpAPI SearXNG Readwise key")),
    ("services", N_("Services"), "map-pin", N_("weather forecast map place search address key Open-Meteo Nominatim")),
    ("webhooks", N_("Webhooks"), "bolt", N_("webhook notify Slack Feishu DingTalk WeCom HMAC")),
    ("api", N_("Local API"), "monitor", N_("API OpenAI HTTP server port token key serve MCP")),
    ("templates", N_("Message templates"), "tag", ""),
    ("general", N_("General"), "settings", N_("language network privacy notifications budget proxy")),
    ("appearance", N_("Appearance"), "sun", N_("theme dark font size zoom")),
    ("keys", N_("Keyboard shortcuts"), "keyboard", N_("keyboard shortcut hotkey")),
    ("data", N_("Data and backups"), "archive", N_("backup restore folder disk")),
    ("usage", N_("Usage"), "chart", N_("cost statistics")),
    ("about", N_("About"), "info", N_("version licence")),
)
"""Id, title, icon, and further words the page is found by."""


class SettingsController(QObject):
    def __init__(
        self,
        parent: DialogParent,
        kept: QSettings,
        notice: NoticeBar,
        mcp: McpService,
        who: AgentPages,
        what: ProgramPages,
    ) -> None:
        """`kept` knows the page the window was last at."""
        super().__init__(parent)
        self._parent, self._kept, self._who, self._what = parent, kept, who, what
        self._open: SettingsWindow | None = None
        self._watch = McpWatch(mcp, notice, self)

    def is_at(self, page: str) -> bool:
        """Whether that page is before the person's eyes."""
        return self._open is not None and self._open.current == page

    @property
    def is_open(self) -> bool:
        return self._open is not None

    def show(self, page: str = "", item: str = "") -> None:
        """The window at that page, "" = where it was last; brought to the front if it is open."""
        self._who.with_domains(partial(self._shown, page, item))

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
        self._who.with_domains(partial(self._begin_template, text))

    def _begin_template(self, text: str) -> None:
        from app.ui.dialogs.preferences.templates import TemplatesPage

        page = self._shown("templates").page("templates")
        assert isinstance(page, TemplatesPage)
        page.leave(partial(page.begin_with, text))

    def new_skill(self, skill: Skill) -> None:
        """The editor with a draft of a skill; nothing is kept until the person saves it."""
        self._who.with_domains(partial(self._begin_skill, skill))

    def _begin_skill(self, skill: Skill) -> None:
        from app.ui.dialogs.skills.page import SkillsPage

        page = self._shown("skills").page("skills")
        assert isinstance(page, SkillsPage)
        page.leave(partial(page.begin_with, skill))

    def quit(self) -> None:
        """Out of the program, once what the settings cannot store is mended or given up."""
        if self._open is None or not self._open.unsaved():
            self._parent.close()
            return
        self._open.raise_()
        self._open.activateWindow()
        self._open.leave(self._parent.close)

    def close(self) -> None:
        self._watch.stop()
        if self._open is not None:
            self._open.end()

    def _made(self) -> SettingsWindow:
        from app.ui.dialogs.settings.window import PageSpec, SettingsWindow

        who, what = self._who, self._what
        makers: Mapping[str, Callable[[], SettingsPage]] = {
            "providers": who.providers_page, "agents": who.agents_page, "mcp": who.mcp_page,
            "permissions": who.permissions_page, "knowledge": who.knowledge_page, "templates": who.templates_page,
            "skills": who.skills_page, "web": who.web_page, "services": who.services_page,
            "programs": who.other_agents_page, "webhooks": who.webhooks_page,
            "api": who.local_api_page,
            "general": partial(what.preferences_page, looks=False),
            "appearance": partial(what.preferences_page, looks=True), "keys": what.keys_page, "data": what.data_page,
            "usage": what.usage_page, "about": what.about_page,
        }  # fmt: skip
        specs: list[PageSpec] = [
            # Found by the words of both languages.
            PageSpec(id, _(title), icon, makers[id], f"{title} {words} {_(words) if words else ''}")
            for id, title, icon, words in _PAGES
        ]
        dialog = self._open = SettingsWindow(specs, self._parent.theme, self._kept, self._parent)
        dialog.destroyed.connect(self._forget)
        self._who.list_bases()
        return dialog

    def _forget(self) -> None:
        self._open = None
