"""The SDK's session behind a lenient eye: both eras of the protocol, and one bad tool never hides the others.

The SDK checks every answer against the protocol as a whole. `Lenient` keeps the raw answer for us and hands the SDK
one it cannot object to; what the answer is worth is judged in `listing` and `results`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Final

import mcp_types as types
from mcp.client import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from pydantic import ValidationError

from app.core.text.i18n import _

from .listing import MOST_TOOLS, LeftOut, ToolListing, read_listing
from .prompts import MOST_PROMPTS
from .resources import MOST_RESOURCES

MOST_PAGES: Final = 20
LIST_SECONDS: Final = 15.0

for _name in ("mcp", "client", "httpx2", "httpcore2"):
    # Their records quote what servers send; what matters of it is in our own log and errors.
    logging.getLogger(_name).setLevel(logging.CRITICAL)

_EMPTY: Final[Mapping[str, Mapping[str, Any]]] = {
    "resources/list": {"resources": []},
    "resources/read": {"contents": []},
    "prompts/list": {"prompts": []},
    "prompts/get": {"messages": []},
}
"""What the SDK is handed in place of an answer."""

_raw: ContextVar[list[dict[str, Any]] | None] = ContextVar("raw", default=None)


class Lenient(JSONRPCDispatcher[Any]):
    """Passes answers about tools, resources and prompts on raw, and gives the SDK an empty result."""

    def __init__(self, read: Any, write: Any) -> None:
        super().__init__(read, write)
        self.ended = asyncio.Event()
        """The way to the server is closed."""

    async def run(self, *args: Any, **named: Any) -> None:
        try:
            await super().run(*args, **named)
        finally:
            self.ended.set()

    async def send_raw_request(self, method: str, params: Any, opts: Any = None, **named: Any) -> dict[str, Any]:
        answer = await super().send_raw_request(method, params, opts, **named)
        box = _raw.get()
        if box is not None and (method in ("tools/list", "tools/call") or method in _EMPTY):
            box.append(answer)
            return _shell(method, answer)
        return answer


def _shell(method: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    if method in _EMPTY:
        return {**_EMPTY[method], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    if method == "tools/call":
        return {"content": [], "resultType": "complete"}
    cursor = answer.get("nextCursor")
    good = {tool.name: tool.schema for tool in read_listing(_listed(answer)).tools}
    return {
        "tools": [{"name": name, "inputSchema": {**schema, "type": "object"}} for name, schema in good.items()],
        **({"nextCursor": cursor} if isinstance(cursor, str) else {}),
        "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
    }  # fmt: skip


def _listed(answer: Mapping[str, Any]) -> list[Any]:
    listed = answer.get("tools")
    return listed if isinstance(listed, list) else []


def new_session(dispatcher: Lenient, on_list_changed: Callable[[], None]) -> ClientSession:
    """Declares nothing: no sampling, no roots, no elicitation; a server that asks for them is told no."""

    async def hear(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            on_list_changed()

    info = types.Implementation(name="triptych", title="Triptych", version="0.1.0")
    return ClientSession(dispatcher=dispatcher, client_info=info, message_handler=hear)


async def negotiate(session: ClientSession, seconds: float) -> str:
    """The newer way first, the handshake where a server does not know it. Returns the version agreed on.

    `seconds` are for each of the two. Raises MCPError, TimeoutError, ValueError.
    """
    try:
        async with asyncio.timeout(seconds):
            await session.discover()
            return session.protocol_version or ""
    except (TimeoutError, MCPError):
        pass  # a server that keeps silent before the handshake, or says that it does not know this word
    except (RuntimeError, ValidationError):
        pass  # an answer, but none of the newer kind
    async with asyncio.timeout(seconds):
        try:
            await session.initialize()
        except MCPError as error:
            if error.code != types.UNSUPPORTED_PROTOCOL_VERSION:
                raise
            await session.discover()  # it was slow to start, and has settled on the newer way meanwhile
        except (RuntimeError, ValidationError) as error:
            raise ValueError(f"the server's answer to the greeting cannot be used: {error}"[:300]) from error
    return session.protocol_version or ""


async def list_tools(session: ClientSession) -> ToolListing:
    """Every page, at most MOST_PAGES. Raises MCPError, TimeoutError."""
    raws: list[Any] = []
    usable: set[str] = set()
    cursor: str | None = None
    async with asyncio.timeout(LIST_SECONDS):
        for _page in range(MOST_PAGES):
            box: list[dict[str, Any]] = []
            token = _raw.set(box)
            try:
                params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
                listed = await session.list_tools(params=params)
            finally:
                _raw.reset(token)
            raws += _listed(box[0])
            usable |= {tool.name for tool in listed.tools}
            cursor = listed.next_cursor
            if not cursor or len(raws) > MOST_TOOLS:
                break
    listing = read_listing(raws)
    # The SDK drops tools whose marks for HTTP headers are wrong; over HTTP they could not be called.
    dropped = [tool for tool in listing.tools if tool.name not in usable]
    if not dropped:
        return listing
    tools = tuple(tool for tool in listing.tools if tool.name in usable)
    why = _("its marks for HTTP headers break the protocol's rules")
    return ToolListing(tools, (*listing.left_out, *(LeftOut(tool.name, why) for tool in dropped)))


async def call_tool(session: ClientSession, name: str, args: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """The raw result. Raises MCPError."""
    request = types.CallToolRequest(params=types.CallToolRequestParams(name=name, arguments=dict(args)))
    return await _asked(session, request, types.CallToolResult, seconds)


async def list_resources(session: ClientSession, seconds: float) -> list[Any]:
    """As the server writes them; none where it declares none. Raises MCPError, TimeoutError."""
    capabilities = session.server_capabilities
    if capabilities is None or capabilities.resources is None:
        return []
    kinds = types.ListResourcesRequest, types.ListResourcesResult
    return await _every_page(session, "resources", kinds, MOST_RESOURCES, seconds)


async def list_prompts(session: ClientSession, seconds: float) -> list[Any]:
    """As the server writes them; none where it declares none. Raises MCPError, TimeoutError."""
    capabilities = session.server_capabilities
    if capabilities is None or capabilities.prompts is None:
        return []
    kinds = types.ListPromptsRequest, types.ListPromptsResult
    return await _every_page(session, "prompts", kinds, MOST_PROMPTS, seconds)


async def _every_page(session: ClientSession, key: str, kinds: tuple[Any, Any], most: int, seconds: float) -> list[Any]:
    """At most MOST_PAGES; `kinds` are the request and its result."""
    raws: list[Any] = []
    cursor: Any = None
    asks, answers = kinds
    async with asyncio.timeout(seconds):
        for _page in range(MOST_PAGES):
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            answer = await _asked(session, asks(params=params), answers, seconds)
            listed, cursor = answer.get(key), answer.get("nextCursor")
            raws += listed if isinstance(listed, list) else []
            if not isinstance(cursor, str) or not cursor or len(raws) > most:
                break
    return raws


async def read_resource(session: ClientSession, uri: str, seconds: float) -> dict[str, Any]:
    """The raw result. Raises MCPError."""
    request = types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=uri))
    return await _asked(session, request, types.ReadResourceResult, seconds)


async def get_prompt(session: ClientSession, name: str, values: Mapping[str, str], seconds: float) -> dict[str, Any]:
    """The raw result. Raises MCPError."""
    params = types.GetPromptRequestParams(name=name, arguments=dict(values))
    return await _asked(session, types.GetPromptRequest(params=params), types.GetPromptResult, seconds)


async def _asked(session: ClientSession, request: Any, kind: Any, seconds: float) -> dict[str, Any]:
    box: list[dict[str, Any]] = []
    token = _raw.set(box)
    try:
        await session.send_request(request, kind, request_read_timeout_seconds=seconds)
    finally:
        _raw.reset(token)
    return box[0]
