"""One request to a service of the travel agent, and the JSON it answers with."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from app.core.errors import ToolError
from app.core.http import HttpReply, HttpRequest
from app.core.tools.endpoint import Endpoint
from app.core.tools.tool import ToolContext

KEYS = "service_keys"
"""The seam that gives a service its key."""
OK = 200
DENIED = (401, 402, 403)
SERVER_FAULT = 500


class NoNetwork(ToolError):
    """The service was not reached, or not asked."""


async def asked(ctx: ToolContext, service: Endpoint, params: Mapping[str, Any]) -> tuple[Any, bool]:
    """Its answer, and whether it came through a proxy. Raises ToolError."""
    if ctx.http is None:
        raise NoNetwork("NETWORK_OFF", ctx.say("there is no network here"))
    try:
        own = service.is_own(ctx.addresses)
        reply = await ctx.http.get(service.at(ctx.addresses), params=params, own_address=own)
    except ToolError as error:
        raise _worded(ctx, error) from error
    return _read(ctx, reply), reply.proxied


async def asked_with_key(
    ctx: ToolContext, service: Endpoint, path: str, params: Mapping[str, Any], *, header: str = "", param: str = ""
) -> tuple[Any, bool]:
    """The key goes as the header or as the parameter of that name, to the service's own address and nowhere else.

    No redirect is followed and nothing is kept.
    """
    send = getattr(ctx.http, "send", None)
    if send is None:
        raise NoNetwork("NETWORK_OFF", ctx.say("there is no network here"))
    find: Callable[[str], Awaitable[str]] | None = ctx.resources.get(KEYS)
    key = await find(service.id) if find is not None else ""
    if not key:
        name = ctx.say(service.label)
        message = ctx.say("{service} has no key yet", service=name)
        raise ToolError("NOT_CONFIGURED", message, hint=ctx.say("keys are given in the settings, under Services"))
    query = urlencode({**params, **({param: key} if param else {})})
    url = f"{service.at(ctx.addresses).rstrip('/')}{path}?{query}"
    headers = {"Accept": "application/json", **({header: key} if header else {})}
    try:
        reply: HttpReply = await send(HttpRequest(url, headers, own_address=service.is_own(ctx.addresses)))
    except ToolError as error:
        raise _worded(ctx, error) from error
    if reply.status in DENIED:
        raise refused_key(ctx, service, f"HTTP {reply.status}")
    return _read(ctx, reply), reply.proxied


def refused_key(ctx: ToolContext, service: Endpoint, why: str) -> ToolError:
    """`why` is the service's own word or number; it never holds the key."""
    message = ctx.say("{service} does not accept the key ({why})", service=ctx.say(service.label), why=why[:80])
    return ToolError("AUTH", message, hint=ctx.say("keys are given in the settings, under Services"))


def _worded(ctx: ToolContext, error: ToolError) -> ToolError:
    if error.tool_code == "NETWORK_OFF":
        return NoNetwork("NETWORK_OFF", ctx.say("the program is offline, nothing was asked"), hint=error.hint)
    if error.tool_code in ("UPSTREAM", "TIMEOUT") and error.retryable:
        message, hint = error.worded(ctx.language)
        return NoNetwork(error.tool_code, message, hint=hint, retryable=True)
    return error


def _read(ctx: ToolContext, reply: HttpReply) -> Any:
    if reply.status != OK or reply.truncated:
        raise ToolError("UPSTREAM", f"HTTP {reply.status}", retryable=reply.status >= SERVER_FAULT)
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise ToolError("UPSTREAM", ctx.say("the answer is no JSON")) from None
