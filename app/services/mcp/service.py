"""MCP servers as a person sets them up: added, reviewed, accepted, watched; and their tools for agents.

Nothing starts before a review: first of what would run, then of the tools it offers. Both consents are bound to
fingerprints; when either changes, the server waits and shows the change. A server starts when the first call needs it,
or by hand. Imports and other files never add, enable or start one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from app.core.domain import ServerAdapter
from app.core.system.network import NetworkPolicy
from app.mcp.config import ServerConfig, host_of
from app.mcp.connection import StartFailed
from app.mcp.pictures import KeepPicture
from app.storage.config.grants import GrantFile
from app.storage.config.profiles import ProfileFiles
from app.storage.config.secrets import SecretStore

from ..settings.settings import SettingsService
from .paste.naming import free_id
from .pasting import ServerPasting
from .prompts import ServerPrompts
from .registry import ServerRegistry
from .resources import ServerResources
from .reviews import ServerReviews
from .runner import ServerRunner
from .sign_ins import SignIns
from .store import (
    ServerSecrets,
    Stored,
    config_of,
    form_of,
    without_consent,
)
from .tools import AgentTools
from .views import McpServerEntry, McpServerForm

_DECIDE_THE_START = ("transport", "command", "args", "env", "cwd", "url", "headers", "proxy_password", "expanded")


class McpService:
    def __init__(
        self,
        files: ProfileFiles,
        consents: GrantFile,
        secrets: SecretStore,
        settings: SettingsService,
        *,
        network: NetworkPolicy,
        adapters: Iterable[ServerAdapter] = (),
        keep_picture: KeepPicture,
        safe_mode: bool = False,
    ) -> None:
        """In safe mode servers are shown and can be changed; none is started, none has tools."""
        registry = ServerRegistry(files, consents, settings, network, safe_mode=safe_mode)
        self.registry, self._secrets = registry, ServerSecrets(secrets)
        self.sign_ins = SignIns(self._secrets, registry)
        self._runner = ServerRunner(registry, self._secrets, self.sign_ins)
        self.reviews = ServerReviews(registry, self._secrets)
        self.pasting = ServerPasting(registry, self._secrets)
        self.resources, self.prompts = ServerResources(registry), ServerPrompts(registry)
        self.for_agents = AgentTools(registry, self._runner, adapters=adapters, keep_picture=keep_picture)

    async def open(self) -> None:
        """From now on what was agreed to counts – if it is signed: a file that was edited agrees to nothing."""
        await self.registry.open()

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """`listener` is called with the id of a server that changed, in the loop's thread."""
        return self.registry.changes.listen(listener)

    # ------------------------------------------------------------ what there is

    def servers(self) -> list[McpServerEntry]:
        """By name. Cheap: asks no disk and starts nothing."""
        return self.registry.entries()

    def server(self, id: str) -> McpServerEntry:
        return self.registry.entry(self.registry.stored(id))

    def form(self, id: str) -> McpServerForm:
        return form_of(self.registry.stored(id).config)

    def log(self, id: str) -> list[str]:
        """What it said last on stderr, and when it began and ended."""
        return self.registry.hub.log(id)

    # ------------------------------------------------------------ setting up

    async def save_server(self, form: McpServerForm) -> str:
        """Its id. A new one is disabled; a change of what is started asks for another look.

        Raises BadInput, KeyStorageMissing (no keyring and nothing agreed); then nothing has changed.
        """
        id = form.id or free_id(form.name or form.command or host_of(form.url), self.registry.all)
        server = self.registry.all.get(id)
        config = config_of(id, form, server)
        await self._secrets.keep(config, "env", form.env)
        await self._secrets.keep(config, "header", form.headers)
        stored = replace(server, config=config) if server is not None else Stored(config)
        if server is not None and _start_of(server.config) != _start_of(config):
            await self.registry.hub.stop(id)
            stored = without_consent(stored)
        elif any(value is not None for value in (*form.env.values(), *form.headers.values())):
            await self.registry.hub.stop(id)  # what runs has the old values, and what failed may have failed for them
        await self.registry.put(stored)
        if server is not None:
            await self._secrets.forget_rest(server.config, config)
        return id

    async def replaced_by(self, form: McpServerForm) -> McpServerForm:
        """The server as it is stored, with the values that `form` would replace, for an Undo. Raises BadInput."""
        stored = self.registry.stored(form.id)
        return await self._secrets.replaced_by(form, config_of(form.id, form, stored), stored.config)

    async def delete_server(self, id: str) -> None:
        stored = self.registry.stored(id)
        await self.registry.hub.forget(id)
        await self._secrets.forget(stored.config)
        await self.registry.remove(id)

    async def disable(self, id: str) -> None:
        stored = self.registry.stored(id)
        await self.registry.hub.stop(id)
        await self.registry.put(replace(stored, config=stored.config.model_copy(update={"enabled": False})))

    async def enable(self, id: str) -> bool:
        """False if it has to be looked at first; then nothing changes."""
        stored = self.registry.stored(id)
        if not stored.is_reviewed:
            return False
        await self.registry.put(replace(stored, config=stored.config.model_copy(update={"enabled": True})))
        return True

    # ------------------------------------------------------------ by hand

    async def start(self, id: str) -> McpServerEntry:
        """What went wrong is in the entry."""
        with contextlib.suppress(StartFailed):
            await self._runner.start(id, by_hand=True)
        return self.server(id)

    async def stop(self, id: str) -> None:
        self.registry.remember_loop()
        await self.registry.hub.stop(id)

    async def restart(self, id: str) -> McpServerEntry:
        await self.stop(id)
        return await self.start(id)

    async def close(self) -> None:
        """Every server is gone when this returns."""
        await self.registry.hub.close()


def _start_of(config: ServerConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in _DECIDE_THE_START}
