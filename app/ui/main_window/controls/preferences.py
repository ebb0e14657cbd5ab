"""What settings change in the window at once: who may answer, names of agents, keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.ui.actions import apply_shortcuts

if TYPE_CHECKING:
    from app.services.acp.service import AcpAgentService
    from app.services.providers.service import ProviderService
    from app.services.settings.settings import SettingsService
    from app.ui.chat.composer import Composer
    from app.ui.main_window.session.choices import Choices
    from app.ui.main_window.session_list.controller import SessionList


class AppliedPreferences(QObject):
    def __init__(
        self,
        composer: Composer,
        actions: Mapping[str, QAction],
        *,
        choices: Choices,
        listed: SessionList,
        settings: SettingsService,
        providers: ProviderService,
        acp_agents: AcpAgentService,
    ) -> None:
        super().__init__(composer)
        self._composer, self._actions, self._choices, self._listed = composer, actions, choices, listed
        self._settings = settings
        listening = (settings, providers, acp_agents)
        self._stop_listening = [one.listen(self._changed) for one in listening]
        self._apply()

    def close(self) -> None:
        for stop in self._stop_listening:
            stop()

    def _changed(self, _provider: str = "") -> None:
        self._choices.refresh()
        self._listed.tell_agents()
        self._apply()

    def _apply(self) -> None:
        preferences = self._settings.preferences
        self._composer.field.set_send_key(preferences.send_key)
        apply_shortcuts(self._actions, preferences.shortcuts)
