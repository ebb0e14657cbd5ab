"""`Web`: searches over the services the person has set up, in their order, and pages.

A service that fails is skipped and named; without any, Wikipedia answers. Answers are cached for a while.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from app.core.errors import ToolError
from app.core.http import WebClient
from app.core.system.clock import CLOCK, Clock
from app.core.text.i18n import N_
from app.core.tools.tool import ToolResult

from .catalogues import wikipedia
from .search import SearchService, WebHit, WebQuery, hits_of
from .search import server as server_search

if TYPE_CHECKING:
    from .pages.fetch import Page, PdfReader

KEPT_SECONDS = 15 * 60.0
MOST_KEPT = 200
_FATAL = frozenset({"NETWORK_OFF", "CANCELLED"})
"""No other service would do better."""


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """A service as the person has set it up."""

    service: SearchService
    address: str
    key: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """A search tool of an MCP server; `call` runs it."""

    label: str
    schema: Mapping[str, Any]
    call: Callable[[dict[str, Any]], Awaitable[ToolResult]] = field(repr=False)


Choice = SearchChoice | ServerChoice


@dataclass(frozen=True, slots=True)
class SearchResults:
    hits: list[WebHit]
    label: str
    credit: str
    failed: tuple[ToolError, ...] = ()
    """Of the services that were asked before."""
    cached: bool = False
    without_service: bool = False
    """Nothing is set up, so an encyclopedia answered."""
    names_addresses: bool = True
    """The address of a hit is in a field of its own; a server's may be a line of some page's text."""


class SearchChoices(Protocol):
    async def choices(self) -> Sequence[Choice]:
        """The services to ask, in their order."""


class Web:
    def __init__(
        self,
        http: WebClient,
        services: SearchChoices,
        *,
        read_pdf: PdfReader | None = None,
        addresses: Mapping[str, str] | None = None,
        clock: Clock = CLOCK,
    ) -> None:
        self.http, self._services, self._read_pdf, self._clock = http, services, read_pdf, clock
        self.addresses = addresses if addresses is not None else {}
        """What the person has put in place of the public services, by `Endpoint.id`."""
        self._kept: OrderedDict[tuple[str, WebQuery], tuple[float, list[WebHit]]] = OrderedDict()

    async def search(self, query: WebQuery) -> SearchResults:
        """Raises ToolError, of the last service, where none could answer."""
        choices = await self._services.choices()
        failed: list[ToolError] = []
        for choice in choices:
            try:
                return await self._searched(choice, query, failed)
            except ToolError as error:
                if error.tool_code in _FATAL:
                    raise
                failed.append(error)
        if failed:
            raise failed[-1]
        language = query.language or wikipedia.language_of(query.text)
        words = f"{query.text}"
        hits = await wikipedia.search(self.http, self.addresses, words, language, query.count)
        return SearchResults(hits, "Wikipedia", wikipedia.WIKIPEDIA.credit, without_service=True)

    async def _searched(self, choice: Choice, query: WebQuery, failed: list[ToolError]) -> SearchResults:
        label = choice.service.label if isinstance(choice, SearchChoice) else choice.label
        credit = choice.service.credit if isinstance(choice, SearchChoice) else choice.label
        names = isinstance(choice, SearchChoice)
        stored = self._find((label, query))
        if stored is not None:
            return SearchResults(stored, label, credit, tuple(failed), cached=True, names_addresses=names)
        hits = await self.ask(choice, query)
        self._keep((label, query), hits)
        return SearchResults(hits, label, credit, tuple(failed), names_addresses=names)

    async def ask(self, choice: Choice, query: WebQuery) -> list[WebHit]:
        """One service, without what is kept."""
        if isinstance(choice, ServerChoice):
            return await self._ask_server(choice, query)
        service = choice.service
        address = choice.address.rstrip("/")
        request = service.request(query, address, choice.key)
        reply = await self.http.send(replace(request, own_address=service.own_address or address != service.address))
        return hits_of(service, reply)[: query.count]

    async def _ask_server(self, choice: ServerChoice, query: WebQuery) -> list[WebHit]:
        arguments = server_search.arguments(choice.schema, query)
        if arguments is None:
            raise ToolError("UPSTREAM", N_("{service} is no search tool"), values={"service": choice.label})
        result = await choice.call(arguments)
        if not result.ok:
            why = result.error.message if result.error is not None else ""
            raise ToolError(
                "UPSTREAM", N_("{service} failed: {why}"), values={"service": choice.label, "why": why[:200]}
            )
        return server_search.hits(result.data, query.count)

    async def fetch(self, url: str) -> Page:
        from .pages.fetch import fetch  # readers of markup, for who reads a page

        return await fetch(self.http, url, read_pdf=self._read_pdf)

    def _find(self, key: tuple[str, WebQuery]) -> list[WebHit] | None:
        entry = self._kept.get(key)
        return entry[1] if entry is not None and entry[0] > self._clock.monotonic() else None

    def _keep(self, key: tuple[str, WebQuery], hits: list[WebHit]) -> None:
        self._kept[key] = (self._clock.monotonic() + KEPT_SECONDS, hits)
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
