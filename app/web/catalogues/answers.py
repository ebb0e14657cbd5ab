"""The JSON of a public service, or a failure in words that names it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.core.errors import ToolError
from app.core.http import HttpReply, WebClient
from app.core.text.i18n import N_
from app.core.tools.endpoint import Endpoint

from ..search.base import plain


async def asked(
    http: WebClient, service: Endpoint, addresses: Mapping[str, str], params: Mapping[str, Any], *, language: str = ""
) -> HttpReply:
    """`addresses` are those the person chose. Raises ToolError with the name of the service."""
    url = service.at(addresses).replace("{language}", language)
    reply = await http.get(url, params=params, own_address=service.is_own(addresses))
    if reply.status != 200:
        code = "RATE_LIMITED" if reply.status in (429, 503) else "UPSTREAM"
        message = N_("{service} answered with HTTP {status}")
        values = {"service": service.label, "status": reply.status}
        raise ToolError(code, message, retryable=reply.status >= 429, values=values)
    if reply.truncated:
        raise ToolError("TOO_BIG", N_("the answer of {service} is too long"), values={"service": service.label})
    return reply


async def asked_json(
    http: WebClient, service: Endpoint, addresses: Mapping[str, str], params: Mapping[str, Any], *, language: str = ""
) -> Mapping[str, Any]:
    reply, name = await asked(http, service, addresses, params, language=language), service.label
    try:
        body = json.loads(reply.body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, Mapping):
        raise ToolError("UPSTREAM", N_("{service} answered in a form that cannot be read"), values={"service": name})
    error = body.get("error")
    if error and not body.get("query"):
        why = (
            plain(error.get("info") or error.get("message") or error.get("code"), 200)
            if isinstance(error, Mapping)
            else plain(str(error), 200)
        )
        raise ToolError("UPSTREAM", N_("{service} failed: {why}"), values={"service": name, "why": why})
    return body
