"""What the page for adding a server asks for: the look at what would start, the start, and the agents that get it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Signal

from app.core.errors import TriptychError
from app.ui.dialogs.mcp.add import AddServer
from app.ui.dialogs.providers.key_storage import SecretKeeper
from app.ui.dialogs.providers.labels import error_words
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.mcp.paste.found import Pasted
    from app.services.mcp.service import McpService
    from app.services.settings.settings import SettingsService


class AddFlow(QObject):
    started = Signal(str)
    """A server was added and started, or could not be."""
    ready = Signal(str)
    """Its tools were accepted and agents have it."""

    def __init__(
        self,
        mcp: McpService,
        settings: SettingsService,
        adding: AddServer,
        secrets: SecretKeeper,
        *,
        spawn: Spawn,
    ) -> None:
        super().__init__(adding)
        self._mcp, self._settings, self._adding, self._secrets = mcp, settings, adding, secrets
        adding.review_wanted.connect(starting(spawn, self._review))
        adding.start_wanted.connect(starting(spawn, self._start))
        adding.use_wanted.connect(starting(spawn, self._use))

    async def give(self, id: str, agent: str, *, on: bool) -> None:
        """The server to an agent, or away from it."""
        profile = self._settings.profile(agent)
        servers = [one for one in profile.mcp_servers if one != id] + ([id] if on else [])
        if tuple(servers) != profile.mcp_servers:
            await self._settings.save_profile(profile.model_copy(update={"mcp_servers": tuple(servers)}))

    def agents_of(self, id: str) -> tuple[list[tuple[str, str]], set[str]]:
        """All agents by id and title, and those that have the server."""
        profiles = self._settings.profiles()
        return [(one.id, one.title) for one in profiles], {one.id for one in profiles if id in one.mcp_servers}

    async def _review(self, pasted: Pasted) -> None:
        try:
            review = await self._mcp.reviews.review_pasted(pasted)
        except TriptychError as error:
            if shiboken6.isValid(self):
                self._adding.tell(error_words(error))
            return
        if shiboken6.isValid(self):
            self._adding.show_start(review)

    async def _start(self, pasted: Pasted, fingerprint: str) -> None:
        """Added, agreed to, started: what was shown, and nothing else."""
        id = pasted.config.id

        async def start() -> None:
            await self._mcp.pasting.add_pasted([pasted])
            await self._mcp.reviews.accept_start(id, fingerprint)
            begun = time.monotonic()
            entry = await self._mcp.start(id)
            if not shiboken6.isValid(self):
                return
            if entry.state == "tools":
                agents, chosen = self.agents_of(id)
                usual = chosen or {self._settings.preferences.default_agent}
                reviews = self._mcp.reviews
                self._adding.show_tools(
                    id, reviews.tools(id), agents, usual, reviews.tool_tokens(id), time.monotonic() - begun
                )
            self.started.emit(id)

        try:
            is_started = await self._secrets.do(start)
        except TriptychError as error:
            if shiboken6.isValid(self):
                self._adding.tell(error_words(error))
            return
        if not is_started and shiboken6.isValid(self):
            self._adding.wait_again()

    async def _use(self, id: str, digest: str, agents: list[str]) -> None:
        await self._mcp.reviews.accept_tools(id, digest)
        for agent in agents:
            await self.give(id, agent, on=True)
        if shiboken6.isValid(self):
            self.ready.emit(id)
