"""Resources of the servers that run, for a person to attach to a question."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.mcp.connection import CallFailed
from app.mcp.resources import text_of

from .registry import ServerRegistry
from .views import McpServerEntry

_LIST_SECONDS: Final = 5.0
_READ_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class ServerResource:
    server: str
    """Its id."""
    server_name: str
    uri: str
    name: str


class ServerResources:
    def __init__(self, registry: ServerRegistry) -> None:
        self._registry = registry

    def is_any(self) -> bool:
        """Whether a server runs that could be asked. Cheap."""
        return bool(self._registry.running())

    async def offered(self) -> list[ServerResource]:
        """Of every server that runs; one that does not answer offers nothing. Starts none."""
        lists = await asyncio.gather(*(self._of(server) for server in self._registry.running()))
        return [resource for resources in lists for resource in resources]

    async def read(self, resource: ServerResource) -> str:
        """Its text, written by others. Raises BadInput."""
        try:
            text = text_of(await self._registry.hub.read(resource.server, resource.uri, _READ_SECONDS))
        except CallFailed as failed:
            raise BadInput(failed.message) from failed
        if text is None:
            raise BadInput(_("“{name}” holds no text that could go along").format(name=resource.name))
        return text

    async def _of(self, server: McpServerEntry) -> list[ServerResource]:
        try:
            listed = await self._registry.hub.resources(server.id, _LIST_SECONDS)
        except CallFailed:
            return []
        return [ServerResource(server.id, server.name, one.uri, one.name) for one in listed]
