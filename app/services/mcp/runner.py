"""Starts and calls MCP servers: only as they were reviewed, with the values of their secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.text.i18n import _
from app.core.wording.errors import fault_text
from app.mcp.connection import CallFailed, StartFailed, StartPlan
from app.mcp.listing import ListedTool, ToolListing
from app.storage.folder.errors import KeyUnreadable

from .registry import ServerRegistry
from .sign_ins import SignIns
from .store import ServerSecrets, Stored


class ServerRunner:
    def __init__(self, registry: ServerRegistry, secrets: ServerSecrets, sign_ins: SignIns) -> None:
        self._registry, self._secrets, self._sign_ins = registry, secrets, sign_ins

    async def call(self, id: str, tool: ListedTool, args: Mapping[str, Any]) -> dict[str, Any]:
        stored = self._registry.all.get(id)
        if stored is None or not self._registry.entry(stored).is_usable:
            raise CallFailed("DENIED", _("it is switched off, or something of it has changed and waits for a look"))
        plan = await self._plan(stored)
        return await self._registry.hub.call(plan, tool.name, args, tool.fingerprint)

    async def start(self, id: str, *, by_hand: bool) -> ToolListing:
        stored = self._registry.stored(id)
        if not (stored.config.enabled and stored.is_reviewed):
            raise StartFailed("changed", _("it has not been looked at"))
        return await self._registry.hub.start(await self._plan(stored), by_hand=by_hand)

    async def _plan(self, stored: Stored) -> StartPlan:
        self._registry.remember_loop()
        if self._registry.safe_mode:
            failed = StartFailed("safe_mode", _("in safe mode no server is started"))
            self._registry.hub.set_failure(stored.config.id, failed)
            raise failed
        try:
            env, headers, missing = await self._secrets.values(stored.config)
        except KeyUnreadable as error:
            failed = StartFailed("keyring", fault_text(error))
            self._registry.hub.set_failure(stored.config.id, failed)
            raise failed from None
        missing = [*stored.config.open_blanks, *missing]
        headers = {**await self._sign_ins.header(stored.config), **headers}
        if missing:
            failed = StartFailed("secret", _("no value is stored for {names}").format(names=", ".join(missing)))
            self._registry.hub.set_failure(stored.config.id, failed)
            raise failed
        return StartPlan(stored.config, stored.fingerprint, env, headers, self._registry.network.offline)
