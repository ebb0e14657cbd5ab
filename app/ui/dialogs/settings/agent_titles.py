"""The names of agents, for lists that know their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.errors import TriptychError

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService


class AgentTitles:
    def __init__(self, settings: SettingsService) -> None:
        self._settings = settings

    def title_of(self, agent: str) -> str:
        """Its id where it is gone: what it spent and may do is not."""
        try:
            return self._settings.profile(agent).title
        except TriptychError:
            return agent
