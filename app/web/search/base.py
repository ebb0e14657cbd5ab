"""What a search service is here: a request made of a query, and hits read from its answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any, Literal

from app.core.errors import ToolError
from app.core.http import HttpReply, HttpRequest, pause_asked
from app.core.text.i18n import N_

Freshness = Literal["day", "week", "month", "year"]
LONGEST_SNIPPET = 2_000


@dataclass(frozen=True, slots=True)
class WebQuery:
    text: str
    count: int = 8
    freshness: Freshness | None = None
    site: str = ""
    language: str = ""
    """Two letters; "" = whatever the service thinks best."""


@dataclass(frozen=True, slots=True)
class WebHit:
    title: str
    url: str
    snippet: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class SearchService:
    """`label` and `help` are marked for translation where they are words."""

    id: str
    label: str
    address: str
    """"" where the person has to give one."""
    request: Callable[[WebQuery, str, str], HttpRequest]
    """Of a query, an address and a key."""
    read: Callable[[Any], list[WebHit]]
    """The hits of an answer in JSON; raises what a wrong shape raises."""
    needs_key: bool = True
    home: str = ""
    """Where a key is had."""
    credit: str = ""
    pace: float = 0.25
    own_address: bool = False
    """Its address is always the person's own and may be on this computer, as is any put in place of the usual one."""
    explain: Callable[[Any], tuple[str, str] | None] = lambda _body: None
    """Code and words of a failure in the body, where the service says them its own way."""
    help: str = ""


def hits_of(service: SearchService, reply: HttpReply) -> list[WebHit]:
    """Raises ToolError AUTH, QUOTA, RATE_LIMITED, UPSTREAM, with the service's own words."""
    body = _json(reply)
    why = _explained(service, body)
    if reply.status != 200 or why is not None:
        raise failure(service, reply, why, body)
    if body is None:
        message = N_("{service} answered with something that is no search result")
        raise ToolError("UPSTREAM", message, values={"service": service.label})
    try:
        hits = service.read(body)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        message = N_("{service} answered in a form that cannot be read")
        raise ToolError("UPSTREAM", message, values={"service": service.label}) from None
    return [hit for hit in hits if hit.url.startswith(("http://", "https://"))]


def failure(service: SearchService, reply: HttpReply, why: tuple[str, str] | None, body: Any) -> ToolError:
    code, words = why or ("", _words(body))
    values = {"service": service.label, "why": words or f"HTTP {reply.status}"}
    if not code:
        code = {401: "AUTH", 402: "QUOTA", 403: "AUTH", 429: "RATE_LIMITED", 432: "QUOTA", 433: "QUOTA"}.get(
            reply.status, "UPSTREAM"
        )
    if reply.location:
        return ToolError(
            "UPSTREAM", N_("{service} sends on to another address; correct it in the settings"), values=values
        )
    if reply.status == 403 and not service.needs_key:
        message = N_("{service} refuses to answer programs: {why}")
        return ToolError("REFUSED", message, hint=service.help, values=values)
    if code == "AUTH":
        return ToolError("AUTH", N_("{service} does not take the key: {why}"), values=values)
    if code == "QUOTA":
        return ToolError("QUOTA", N_("the quota of {service} is used up: {why}"), values=values)
    if code == "RATE_LIMITED":
        return pause_asked(service.label, reply.retry_after, values["why"])
    return ToolError("UPSTREAM", N_("{service} failed: {why}"), retryable=reply.status >= 500, values=values)


def _json(reply: HttpReply) -> Any:
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        return None


def _explained(service: SearchService, body: Any) -> tuple[str, str] | None:
    try:
        return service.explain(body)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _words(body: Any) -> str:
    """What a failure says of itself, wherever it says it."""
    for _deeper in range(4):
        if isinstance(body, str):
            return plain(body)[:200]
        if not isinstance(body, Mapping):
            return ""
        body = next((body[key] for key in ("message", "detail", "error", "msg", "info", "code") if body.get(key)), None)
    return ""


def plain(text: Any, longest: int = LONGEST_SNIPPET) -> str:
    """One line without tags; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    out: list[str] = []
    for piece in text[: longest * 4].replace("<", "\0<").split("\0"):
        is_tag = piece.startswith("<") and ">" in piece and (piece[1:2].isalpha() or piece[1:2] in "/!")
        out.append(piece.partition(">")[2] if is_tag else piece)
    return " ".join(unescape("".join(out)).split())[:longest]


def listed(body: Any, *path: str) -> list[Mapping[str, Any]]:
    """The objects of the list at `path`; nothing where there is none."""
    for key in path:
        body = body.get(key) if isinstance(body, Mapping) else None
    return [item for item in body if isinstance(item, Mapping)] if isinstance(body, list) else []


def as_shape(body: Any) -> Mapping[str, Any]:
    """Raises TypeError for what is no object."""
    if not isinstance(body, Mapping):
        raise TypeError("no object")
    return body


def with_site(query: WebQuery) -> str:
    return f"{query.text} site:{query.site}" if query.site else query.text
