"""Prompts of the servers that run, for a person to put into the composer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.mcp.connection import CallFailed
from app.mcp.prompts import ListedPrompt, PromptArgument, prompt_text

from .registry import ServerRegistry
from .views import McpServerEntry

LONGEST_PROMPT: Final = 20_000
_LIST_SECONDS: Final = 5.0
_GET_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class ServerPrompt:
    server: str
    """Its id."""
    server_name: str
    prompt: ListedPrompt

    @property
    def arguments(self) -> tuple[PromptArgument, ...]:
        return self.prompt.arguments


class ServerPrompts:
    def __init__(self, registry: ServerRegistry) -> None:
        self._registry = registry

    async def offered(self) -> list[ServerPrompt]:
        """Of every server that runs; one that does not answer offers nothing. Starts none."""
        lists = await asyncio.gather(*(self._of(server) for server in self._registry.running()))
        return [prompt for prompts in lists for prompt in prompts]

    async def text(self, prompt: ServerPrompt, values: Mapping[str, str]) -> tuple[str, int]:
        """What it says, written by others, and how many of its parts are no text. Raises BadInput."""
        arguments = {name: value for name, value in values.items() if value}
        title, hub = prompt.prompt.title, self._registry.hub
        try:
            text, left_out = prompt_text(await hub.prompt(prompt.server, prompt.prompt.name, arguments, _GET_SECONDS))
        except CallFailed as failed:
            raise BadInput(failed.message) from failed
        if not text.strip():
            raise BadInput(_("“{name}” holds no text that could go along").format(name=title))
        if len(text) > LONGEST_PROMPT:
            message = _("“{name}” is longer than {n:,} characters").format(name=title, n=LONGEST_PROMPT)
            raise BadInput(message)
        return text, left_out

    async def _of(self, server: McpServerEntry) -> list[ServerPrompt]:
        try:
            listed = await self._registry.hub.prompts(server.id, _LIST_SECONDS)
        except CallFailed:
            return []
        return [ServerPrompt(server.id, server.name, one) for one in listed]
