"""The search services: one order, an address and a key for each, a test with the service's own words.

Keys go to the key store, bound to the origin they were entered for; another address never gets them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from app.core.errors import BadInput, ToolError, TriptychError, UnknownName
from app.core.text.i18n import _, current_language
from app.core.tools.tool import Tool, ToolContext, ToolResult
from app.storage.config.secrets import Kind, SecretStore
from app.web.highlights.readwise import ADDRESS as READWISE_ADDRESS
from app.web.search import SERVICES, SearchService, WebQuery
from app.web.search.server import PREFIX, arguments
from app.web.web import Choice, SearchChoice, ServerChoice, Web

from ..mcp.tools import AgentTools
from ..settings.settings import SettingsService

READWISE = "readwise"
_KEYS = "search."
_ENDPOINTS = "web.search."
_TEST = "Wikipedia"
"""What a test looks for: every index has it."""


@dataclass(frozen=True, slots=True)
class SearchServiceEntry:
    """A service in a list. `place` counts from 1 in the order they are asked; 0: it is not asked."""

    id: str
    label: str
    address: str
    usual_address: str
    needs_key: bool
    home: str
    help: str
    credit: str
    place: int = 0


@dataclass(frozen=True, slots=True)
class SearchTest:
    ok: bool
    text: str
    """What came back, or why not, for a person."""
    code: str = ""
    hits: int = 0
    ms: int = 0


KeyState = Literal["there", "missing", "unreadable"]


class WebSearchService:
    def __init__(self, settings: SettingsService, secrets: SecretStore, server_tools: AgentTools) -> None:
        """`server_tools`: those of MCP servers, which may search too."""
        self._settings, self._secrets, self._server_tools = settings, secrets, server_tools
        self._web: Web | None = None

    def use(self, web: Web) -> None:
        """What a test asks through."""
        self._web = web

    # ------------------------------------------------------------ what there is

    def entries(self) -> list[SearchServiceEntry]:
        """Those that are asked, in their order, then the others; search tools of MCP servers among them."""
        order = self._settings.preferences.search_services
        entries = {id: self._entry(service) for id, service in SERVICES.items()}
        for tool in self._server_tools.every():
            if arguments(tool.parameters, WebQuery(_TEST)) is not None:
                entries[PREFIX + tool.name] = _server_entry(tool.name)
        for id in order:
            if id.startswith(PREFIX):
                entries.setdefault(id, _server_entry(id.removeprefix(PREFIX)))
        chosen = [id for id in order if id in entries]
        ranked = [*chosen, *(id for id in entries if id not in chosen)]
        return [replace(entries[id], place=chosen.index(id) + 1 if id in chosen else 0) for id in ranked]

    def _entry(self, service: SearchService) -> SearchServiceEntry:
        return SearchServiceEntry(
            service.id, service.label, self.address(service.id), service.address, service.needs_key, service.home,
            _(service.help) if service.help else "", service.credit,
        )  # fmt: skip

    def address(self, id: str) -> str:
        usual = READWISE_ADDRESS if id == READWISE else SERVICES[id].address
        return self._settings.preferences.endpoints.get(_ENDPOINTS + id, "").strip() or usual

    async def key_state(self, id: str) -> KeyState:
        try:
            return "there" if await self._secrets.get(_KEYS + id, self._origin(id)) else "missing"
        except TriptychError:
            return "unreadable"

    def key_names(self) -> list[tuple[str, str]]:
        """As the store of keys knows them."""
        return [(_KEYS + id, self._origin(id)) for id in (*SERVICES, READWISE) if self.address(id)]

    def _origin(self, id: str) -> str:
        parts = urlsplit(self.address(id))
        return f"{parts.scheme}://{parts.netloc}".lower()

    # ------------------------------------------------------------ changes

    async def set_order(self, ids: Sequence[str]) -> None:
        """Those left out are not asked. Raises UnknownName."""
        for id in ids:
            if id not in SERVICES and not id.startswith(PREFIX):
                raise UnknownName("search service", id, SERVICES)
        preferences = self._settings.preferences.model_copy(update={"search_services": tuple(dict.fromkeys(ids))})
        await self._settings.save_preferences(preferences)

    async def set_address(self, id: str, address: str) -> None:
        """ "" = the usual one. Raises BadInput for what is no address."""
        address = address.strip().rstrip("/")
        parts = urlsplit(address)
        if address and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
            raise BadInput(_("an address begins with http:// or https:// and names a host"), reason="ADDRESS")
        endpoints = {**self._settings.preferences.endpoints, _ENDPOINTS + id: address}
        if not address:
            del endpoints[_ENDPOINTS + id]
        await self._settings.save_preferences(self._settings.preferences.model_copy(update={"endpoints": endpoints}))

    async def set_key(self, id: str, key: str) -> Kind:
        """Where it was kept. Raises BadInput, KeyStorageMissing; "" deletes it."""
        return await self._secrets.set(_KEYS + id, self._origin(id), key)

    async def delete_key(self, id: str) -> None:
        await self._secrets.delete(_KEYS + id, self._origin(id))

    # ------------------------------------------------------------ what is asked

    async def choices(self) -> list[Choice]:
        """Those of the order that can be asked now; one without its key or address is skipped."""
        choices = [await self._choice(id) for id in self._settings.preferences.search_services]
        return [choice for choice in choices if choice is not None]

    async def _choice(self, id: str) -> Choice | None:
        if id.startswith(PREFIX):
            tool = self._server_tools.tool(id.removeprefix(PREFIX))
            return ServerChoice(tool.name, tool.parameters, _caller(tool)) if tool is not None else None
        service = SERVICES.get(id)
        if service is None or not self.address(id):
            return None
        try:
            secret = await self._secrets.get(_KEYS + id, self._origin(id))
        except TriptychError:
            return None
        if service.needs_key and not secret:
            return None
        return SearchChoice(service, self.address(id), secret.reveal() if secret else "")

    async def readwise(self) -> tuple[str, str]:
        """Address and token; "" where there is none."""
        secret = await self._secrets.get(_KEYS + READWISE, self._origin(READWISE))
        return self.address(READWISE), secret.reveal() if secret else ""

    async def test(self, id: str) -> SearchTest:
        """Asks the service once, whatever the order says. Never raises."""
        choice = await self._choice(id)
        if choice is None or self._web is None:
            service = SERVICES.get(id)
            missing = (
                _("It has no address yet.") if service is not None and not self.address(id) else _("It has no key yet.")
            )
            return SearchTest(False, missing if service is not None else _("The tool is not there."), "NOT_CONFIGURED")
        began = time.monotonic()
        try:
            async with asyncio.timeout(45):
                hits = await self._web.ask(choice, WebQuery(_TEST, 3))
        except ToolError as error:
            message, hint = error.worded(current_language())
            return SearchTest(False, " ".join(filter(None, [message, hint])), error.tool_code)
        except TimeoutError:
            return SearchTest(False, _("It did not answer in time."), "TIMEOUT")
        ms = int((time.monotonic() - began) * 1000)
        if not hits:
            return SearchTest(False, _("It answered, but found nothing."), "EMPTY", 0, ms)
        return SearchTest(True, _("It works: {title}").format(title=hits[0].title[:80]), "", len(hits), ms)


def _server_entry(name: str) -> SearchServiceEntry:
    return SearchServiceEntry(PREFIX + name, name, "", "", False, "", _("A search tool of an MCP server."), name)


def _caller(tool: Tool) -> Callable[[dict[str, object]], Awaitable[ToolResult]]:
    async def call(args: dict[str, object]) -> ToolResult:
        result = tool.body(ToolContext(language=current_language()), args)
        return result if isinstance(result, ToolResult) else await result

    return call
