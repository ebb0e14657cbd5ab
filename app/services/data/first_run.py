"""Whether this is the first start of a person, and the end of it once they have chosen a model.

"No data" alone never means a new person: an emptied or damaged folder has a marker, a backup, settings or problems
with them (security-reliability.md 1, 8).
"""

from __future__ import annotations

import asyncio

from app.storage.folder.data_marker import was_used
from app.storage.folder.paths import DataFolder

from ..providers.models import ModelService
from ..providers.service import ProviderService
from ..settings.settings import SettingsService
from .sessions import SessionService


class FirstRunService:
    def __init__(
        self,
        settings: SettingsService,
        providers: ProviderService,
        models: ModelService,
        sessions: SessionService,
        folder: DataFolder,
    ) -> None:
        self._settings, self._providers, self._models = settings, providers, models
        self._sessions, self._marker = sessions, folder.marker

    async def is_new(self) -> bool:
        """Nothing was chosen, nothing was written, and nothing was ever here."""
        settings = self._settings
        if settings.preferences.welcomed or settings.had_problems or self._models.is_given:
            return False
        if self._providers.providers() or await self._sessions.rows(archived=True) or await self._sessions.bin.rows():
            return False
        return not await asyncio.to_thread(was_used, self._marker)

    async def settle(self) -> None:
        """They have chosen."""
        preferences = self._settings.preferences
        if not preferences.welcomed:
            await self._settings.save_preferences(preferences.model_copy(update={"welcomed": True}))
