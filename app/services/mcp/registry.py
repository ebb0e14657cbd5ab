"""The MCP servers a person has set up: as they are stored, what was agreed to, and their state now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from app.core.errors import UnknownName
from app.core.run.events import Notice
from app.core.system.network import NetworkPolicy
from app.mcp.config import host_of, is_loopback
from app.mcp.hub import Hub
from app.storage.config.grants import GrantFile
from app.storage.config.profiles import ProfileFiles

from ..changes import Changes
from ..settings.settings import SettingsService
from .entries import entry_of
from .store import ServerFiles, Stored, consent_of, key_names, without_agreements
from .views import McpServerEntry


class ServerRegistry:
    """`changes` is told the id of a server that changed, in the loop's thread. In safe mode no server can be used."""

    def __init__(
        self,
        files: ProfileFiles,
        consents: GrantFile,
        settings: SettingsService,
        network: NetworkPolicy,
        *,
        safe_mode: bool = False,
    ) -> None:
        self._files, self._consents, self._settings = ServerFiles(files), consents, settings
        self.network, self.safe_mode = network, safe_mode
        self.hub = Hub(on_change=self._hub_changed, network=network)
        self.changes: Changes[str] = Changes()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unchecked, wrong = self._files.load_all()
        self._servers = {id: without_agreements(stored) for id, stored in self._unchecked.items()}
        for sentence in wrong:
            text = f"an MCP server could not be read and is left out ({sentence})"
            settings.add_notice(
                Notice("settings_reset", text, {"file": sentence.partition(":")[0], "reason": "mcp_server"})
            )

    async def open(self) -> None:
        """From now on what was agreed to counts – if it is signed: a file that was edited agrees to nothing."""
        unchecked, self._unchecked = self._unchecked, {}
        if not any(consent_of(stored) for stored in unchecked.values()):
            return
        rows, state = await self._consents.load()
        for id, stored in unchecked.items():
            consent = consent_of(stored)
            if consent is None or id not in self._servers:
                continue
            if consent in rows:
                self._servers[id] = stored
                self.changes.notify(id)
            elif state == "good":
                state = "edited"
        if state != "good":
            text = "what was agreed to about MCP servers was changed from outside, or the keyring does not answer"
            self._settings.add_notice(Notice("mcp_reset", text))

    # ------------------------------------------------------------ what there is

    @property
    def all(self) -> Mapping[str, Stored]:
        return self._servers

    def stored(self, id: str) -> Stored:
        if id not in self._servers:
            raise UnknownName("MCP server", id, self._servers)
        return self._servers[id]

    def entry(self, stored: Stored) -> McpServerEntry:
        return entry_of(stored, self.hub.state(stored.config.id))

    def entries(self) -> list[McpServerEntry]:
        """By name. Cheap: asks no disk and starts nothing."""
        return sorted((self.entry(one) for one in self._servers.values()), key=lambda entry: entry.name.casefold())

    def running(self) -> list[McpServerEntry]:
        """Those that can be asked for what they offer."""
        return [server for server in self.entries() if server.is_usable and server.state == "running"]

    def usable(self) -> dict[str, Stored]:
        """Servers whose tools are offered; the stored ones with accepted tools among them."""
        if self.safe_mode:
            return {}
        return {id: stored for id, stored in self._servers.items() if self.entry(stored).is_usable}

    def why_not(self, id: str) -> tuple[str, str] | None:
        """The server's name and why an agent cannot count on it now; None if it can."""
        if (stored := self._servers.get(id)) is None:
            return id, "gone"
        entry, config = self.entry(stored), stored.config
        if self.safe_mode:
            return entry.name, "safe_mode"
        if (
            entry.is_usable
            and config.transport == "http"
            and self.network.offline
            and not is_loopback(host_of(config.url))
        ):
            return entry.name, "offline"
        if entry.state == "failed" and (self.hub.state(id).is_lost or entry.code == "offline"):
            return None  # past: the next call starts it
        return (entry.name, entry.state) if entry.state in ("off", "review", "tools", "failed") else None

    def key_names(self) -> list[tuple[str, str]]:
        """Of the values of all servers, as the store of keys knows them."""
        return [name for stored in self._servers.values() for name in key_names(stored.config)]

    # ------------------------------------------------------------ changes

    async def put(self, stored: Stored) -> None:
        """Writes a server, new or changed."""
        self.remember_loop()
        before = self._servers.get(stored.config.id)
        await asyncio.to_thread(self._files.save, stored)
        self._servers[stored.config.id] = stored
        if consent_of(stored) != (consent_of(before) if before is not None else None):
            await self._sign()
        self.changes.notify(stored.config.id)

    async def remove(self, id: str) -> None:
        await asyncio.to_thread(self._files.delete, id)
        del self._servers[id]
        await self._sign()
        self.changes.notify(id)

    async def _sign(self) -> None:
        rows = [consent for stored in self._servers.values() if (consent := consent_of(stored)) is not None]
        await self._consents.save(rows)

    def remember_loop(self) -> None:
        """Changes of the hub are told in the loop that calls this."""
        self._loop = asyncio.get_running_loop()

    def _hub_changed(self, id: str) -> None:
        """On the hub's thread, or on ours."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(self.changes.notify, id)
            except RuntimeError:
                return  # the loop has ended meanwhile: nobody listens any more
