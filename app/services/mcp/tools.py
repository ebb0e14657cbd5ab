"""A server's accepted tools as tools of an agent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any

from app.core.arguments.judge import ArgumentFault
from app.core.domain import Conversion, ServerAdapter
from app.core.errors import ToolError
from app.core.profile import AgentProfile, PermissionWord
from app.core.run.events import Notice
from app.core.text.i18n import N_
from app.core.tools.path_arguments import path_arguments
from app.core.tools.tool import Tool, ToolContext, ToolResult
from app.mcp.config import ServerConfig, fetches_first, folders_of
from app.mcp.connection import FETCH_SECONDS, GREETING_SECONDS, CallFailed, StartFailed
from app.mcp.listing import ListedTool, ToolListing
from app.mcp.pictures import KeepPicture, keep_pictures, picture_card
from app.mcp.results import envelope
from app.mcp.schemas import faults
from app.mcp.texts import for_model

from .registry import ServerRegistry
from .runner import ServerRunner
from .store import Stored

Call = Callable[[str, ListedTool, Mapping[str, Any]], Awaitable[dict[str, Any]]]
"""Server id, tool, arguments → the raw result. Raises StartFailed, CallFailed."""


class AgentTools:
    """The tools of servers as the tool service asks for them; no server is started for that.

    `adapters` know servers whose arguments and results have to be converted. `keep_picture` stores a picture of an
    answer where the window finds it.
    """

    def __init__(
        self,
        registry: ServerRegistry,
        runner: ServerRunner,
        *,
        adapters: Iterable[ServerAdapter] = (),
        keep_picture: KeepPicture,
    ) -> None:
        self._registry, self._runner = registry, runner
        self._adapters, self._keep_picture = adapters, keep_picture

    def tools_of(self, profile: AgentProfile) -> dict[str, Tool]:
        """Those of the servers the profile names, by local name."""
        usable, found = self._registry.usable() if profile.mcp_servers else {}, dict[str, Tool]()
        for id in profile.mcp_servers:
            if id in usable:
                found |= self._tools(usable[id])
        return found

    def words_of(self, profile: AgentProfile, own: Callable[[str], PermissionWord | None]) -> dict[str, PermissionWord]:
        """A word for each of `tools_of`: the server's, which the profile's `own` may only narrow."""
        usable, found = self._registry.usable() if profile.mcp_servers else {}, dict[str, PermissionWord]()
        for id in profile.mcp_servers:
            if id in usable and (accepted := usable[id].accepted) is not None:
                for tool in accepted.tools:
                    name = tool.local_name(id)
                    found[name] = narrower(usable[id].config.word_of(tool.name), own(name))
        return found

    def missing_of(self, profile: AgentProfile) -> list[Notice]:
        """One for each server the profile names that is not there for it."""
        return [
            _missing(*told)
            for id in dict.fromkeys(profile.mcp_servers)
            if (told := self._registry.why_not(id)) is not None
        ]

    def tool(self, name: str) -> Tool | None:
        """By its local name."""
        stored = self._registry.usable().get(name.partition("__")[0])
        return self._tools(stored).get(name) if stored is not None else None

    def every(self) -> list[Tool]:
        """The tools of all servers that can be used."""
        return [tool for stored in self._registry.usable().values() for tool in self._tools(stored).values()]

    def _tools(self, stored: Stored) -> dict[str, Tool]:
        if stored.accepted is None:
            return {}
        return server_tools(
            stored.config, stored.fingerprint, stored.accepted, self._runner.call,
            adapters=self._adapters, keep_picture=self._keep_picture,
        )  # fmt: skip


def server_tools(
    config: ServerConfig,
    fingerprint: str,
    accepted: ToolListing,
    call: Call,
    *,
    adapters: Iterable[ServerAdapter] = (),
    keep_picture: KeepPicture,
) -> dict[str, Tool]:
    """By local name."""
    names = {tool.name for tool in accepted.tools}

    def make(listed: ListedTool) -> Tool:
        async def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
            border = await asyncio.to_thread(_conversion, adapters, names)  # the first time it imports all domains
            is_turned = border is not None and listed.name in border.tools
            sent = border.outgoing(args) if border is not None and is_turned else args
            try:
                raw = await call(config.id, listed, sent)
            except StartFailed as failed:
                words = N_('the MCP server "{name}" is not there: {why}')
                message = ctx.say(words, name=config.title, why=failed.message)
                raise ToolError("MCP_SERVER", message, hint=ctx.say(_HINT)) from failed
            except CallFailed as failed:
                words = N_('the MCP server "{name}": {why}')
                raise ToolError(failed.code, ctx.say(words, name=config.title, why=failed.message)) from failed
            if border is not None and is_turned:
                raw = _turned(raw, border.incoming)
            if not ctx.session:  # called by hand: no conversation would ever let go of a kept picture
                return envelope(config.title, raw)
            told, pictures = await keep_pictures(raw, listed.name, ctx.session, keep_picture)
            return envelope(config.title, told, picture_card(config.title, listed.name, pictures))

        def check(args: Mapping[str, Any]) -> list[ArgumentFault]:
            return faults(listed.parameters, args)

        start = FETCH_SECONDS if fetches_first(config) else GREETING_SECONDS
        return Tool(
            name=listed.local_name(config.id),
            description=listed.for_model(config.title),
            permission="mcp",
            body=body,
            schema=lambda: listed.parameters,
            check=check,
            read_only=False,  # what it says of itself counts for nothing: no call is answered from an earlier one
            timeout=config.timeout + 2 * start + 10,
            outside=True,
            destructive=listed.hints.get("destructiveHint") is True,
            further_paths=path_arguments(listed.schema),
            roots=folders_of(config),
            origin=f"{config.id} {fingerprint} {listed.fingerprint}",
        )

    return {tool.name: tool for tool in map(make, accepted.tools)}


def _conversion(adapters: Iterable[ServerAdapter], names: Collection[str]) -> Conversion | None:
    return next((conversion for adapter in adapters if (conversion := adapter(names)) is not None), None)


_HINT = N_("go on without it, and say that it could not be reached")


_WHY: Mapping[str, str] = {
    "gone": "no such server is set up",
    "off": "it is switched off",
    "review": "what it starts waits for a look",
    "tools": "its tools wait for a look",
    "failed": "it did not start, or has ended",
    "offline": "Triptych is offline",
    "safe_mode": "in safe mode no server is started",
}


def _missing(server: str, why: str) -> Notice:
    name = for_model(server, 80)
    text = f"the MCP server {name} cannot be used: {_WHY[why]}"
    return Notice("mcp_unavailable", text, {"server": name, "why": why})


def narrower(one: PermissionWord, other: PermissionWord | None) -> PermissionWord:
    """The stricter of two words."""
    order: tuple[PermissionWord, ...] = ("deny", "ask", "allow")
    return one if other is None else order[min(order.index(one), order.index(other))]


def _turned(raw: Mapping[str, Any], turn: Callable[[Any], Any]) -> dict[str, Any]:
    """The raw result with its data turned, in whichever part they stand."""
    turned = dict(raw)
    if raw.get("structuredContent") is not None:
        turned["structuredContent"] = turn(raw["structuredContent"])
    content = raw.get("content")
    if isinstance(content, list):
        turned["content"] = [_turned_part(part, turn) for part in content]
    return turned


def _turned_part(part: Any, turn: Callable[[Any], Any]) -> Any:
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        return part
    import json

    data = turn(part["text"])
    if isinstance(data, str):
        return part
    return {**part, "text": json.dumps(data, ensure_ascii=False)}
