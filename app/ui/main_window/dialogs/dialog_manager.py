"""The dialogs of the window: each opened once, over it, and never by a nested loop.

Each is imported when it is first asked for: on most days most of them are not.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.ui.main_window.dialogs.settings_links import links_of
from app.ui.main_window.notices.mcp_watch import McpWatch

if TYPE_CHECKING:
    from app.services.container import Services
    from app.services.tools.service import PastCall
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


class DialogManager:
    """`actions` gives the commands for the sheet of keys."""

    def __init__(
        self, window: MainWindow, services: Services, tasks: Tasks, *, actions: Callable[[], Mapping[str, QAction]]
    ) -> None:
        self._window, self._services, self._tasks, self._actions = window, services, tasks, actions
        self._open: dict[str, QDialog] = {}
        self._watch = McpWatch(services.mcp, window.notice, is_open=lambda: "mcp" in self._open, open_dialog=self.mcp)

    def agents(self, agent: str = "") -> None:
        from app.services.runs.round_costs import measured_rounds
        from app.ui.dialogs.agents.agent_settings import AgentSettingsDialog

        servers = [one.id for one in self._services.mcp.servers()]
        tools = [*self._services.tools.all_tools(), *self._services.tools.tools_of_servers(servers)]
        self.show(
            "agents",
            lambda: AgentSettingsDialog(
                self._services.settings,
                tools,
                self._models,
                self._window.theme,
                spawn=self._tasks.spawn,
                agent=agent,
                last_call=self._services.calls.last,
                last_call_of=self._last_call_of,
                servers=self._servers,
                measured=partial(measured_rounds, self._services.runs),
                parent=self._window,
            ),
        )

    def providers(self, provider: str = "") -> None:
        from app.ui.dialogs.providers.window import ProvidersDialog

        self.show(
            "providers",
            lambda: ProvidersDialog(
                self._services.providers,
                self._services.settings,
                self._window.theme,
                spawn=self._tasks.spawn,
                provider=provider,
                parent=self._window,
            ),
        )

    def permissions(self) -> None:
        from app.ui.dialogs.approvals.grants import PermissionsDialog

        self.show(
            "permissions",
            lambda: PermissionsDialog(
                self._services.grants,
                self._window.theme,
                spawn=self._tasks.spawn,
                title_of=self._title,
                running=self._services.chat.run_grants,
                parent=self._window,
            ),
        )

    def _title(self, agent: str) -> str:
        try:
            return self._services.settings.profile(agent).title
        except TriptychError:
            return agent

    def mcp(self, server: str = "") -> None:
        from app.ui.dialogs.mcp.window import McpDialog

        self.show(
            "mcp",
            lambda: McpDialog(
                self._services.mcp,
                self._services.providers,
                self._services.settings,
                self._window.theme,
                spawn=self._tasks.spawn,
                server=server,
                parent=self._window,
            ),
        )

    def preferences(self) -> None:
        from app.ui.dialogs.preferences.preferences import PreferencesDialog

        self.show(
            "preferences",
            lambda: PreferencesDialog(
                self._services.settings,
                self._models,
                self._window.theme,
                spawn=self._tasks.spawn,
                links=links_of(self._actions()),
                parent=self._window,
            ),
        )

    def keys(self) -> None:
        from app.ui.main_window.dialogs.keys import KeysDialog

        def keep(shortcuts: dict[str, str]) -> None:
            settings = self._services.settings
            changed = settings.preferences.model_copy(update={"shortcuts": shortcuts})
            self._tasks.spawn(settings.save_preferences(changed), "keep shortcuts")

        now = self._services.settings.preferences
        self.show(
            "keys",
            lambda: KeysDialog(
                self._window.theme, self._actions(), now.shortcuts, keep, self._window, send_key=now.send_key
            ),
        )

    def close(self) -> None:
        self._watch.stop()
        for dialog in tuple(self._open.values()):
            dialog.close()

    def names(self) -> set[str]:
        """Of those that are open."""
        return set(self._open)

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

    def show(self, name: str, make: Callable[[], QDialog]) -> None:
        """The dialog of that name: made, or brought to the front if it is open."""
        if (known := self._open.get(name)) is not None:
            known.raise_()
            known.activateWindow()
            return
        dialog = self._open[name] = make()
        # Dialogs delete themselves when they close; after that nobody may hold them.
        dialog.destroyed.connect(lambda _gone: self._open.pop(name, None))
        dialog.open()
