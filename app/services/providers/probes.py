"""Requests to a provider that is being set up: does it answer, which models has it, can they call tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.core.errors import BadInput
from app.core.system.network import NetworkPolicy
from app.providers.registry.catalog import ProviderConfig
from app.providers.registry.discovery import discover
from app.providers.registry.model_list import check_connection, list_models
from app.providers.registry.tool_probe import ToolUse, try_tools
from app.storage.folder.errors import KeyUnreadable

from .check import CheckResult, result_of
from .entries import ProviderEntry


class Connections(Protocol):
    """What a probe asks of the providers that are set up."""

    network: NetworkPolicy

    def providers(self) -> Sequence[ProviderEntry]: ...

    def config(self, id: str) -> ProviderConfig: ...

    def free_id(self, preset: str) -> str: ...

    async def connection(self, entry: ProviderEntry, key: str | None) -> tuple[ProviderConfig, str]: ...


class ProviderProbes:
    """`key` is the one typed in the form; None takes the stored one."""

    def __init__(self, providers: Connections) -> None:
        self._providers = providers

    async def check(self, entry: ProviderEntry, key: str | None = None, model: str = "") -> CheckResult:
        """Does it answer? Never raises for what the network does."""
        try:
            config, key = await self._providers.connection(entry, key)
        except BadInput as error:
            suggested = str(error.params.get("address", ""))
            return CheckResult(
                False, "BAD_ADDRESS", error.message, error.hint, 0,
                place="address", suggested=suggested, params=error.params,
            )  # fmt: skip
        except KeyUnreadable as error:
            return CheckResult(False, error.code, error.message, error.hint, 0, params=error.params)
        return result_of(await check_connection(config, key, model, network=self._providers.network))

    async def try_tools(self, entry: ProviderEntry, key: str | None, model: str) -> ToolUse:
        """How the model calls a tool; "" where that cannot be found out. Never raises."""
        try:
            config, key = await self._providers.connection(entry, key)
        except (BadInput, KeyUnreadable):
            return ""
        return await try_tools(config, key, model, network=self._providers.network)

    async def list_models(self, entry: ProviderEntry, key: str | None = None) -> list[str]:
        """Raises BadInput, ModelError, KeyUnreadable."""
        config, key = await self._providers.connection(entry, key)
        return list(await list_models(config, key, network=self._providers.network))

    async def discover(self) -> list[ProviderEntry]:
        """Servers that answer on this machine and are not set up yet."""
        addresses = {self._providers.config(entry.id).address for entry in self._providers.providers()}
        free_id = self._providers.free_id
        return [
            ProviderEntry(free_id(s.preset), s.preset, "", s.base_url, s.models[:200], needs_key=False, local=True)
            for s in await discover()
            if s.base_url not in addresses
        ]


__all__ = ["ProviderProbes", "ToolUse"]
