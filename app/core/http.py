"""The one way out for tools: guarded requests, implemented in `net`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from .errors import ToolError
from .text.i18n import N_


@dataclass(frozen=True, slots=True)
class HttpReply:
    status: int
    url: str
    """The address that answered, after checked redirects."""
    content_type: str
    body: bytes
    truncated: bool = False
    proxied: bool = False
    """It came through the system's proxy, so the address it came from was not checked by us."""
    location: str = ""
    """Where the answer sends on to; only where redirects are not followed."""
    retry_after: str = ""
    """What the service said of when to ask again; only of `send`."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request to a service; what it says of the person (a key) goes to this address and nowhere else."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    """The body of a POST; None: a GET."""
    own_address: bool = False
    """The person typed this address, so it may be one of this computer or its network."""


class HttpClient(Protocol):
    async def get(self, url: str, *, params: Mapping[str, Any] | None = None, own_address: bool = False) -> HttpReply:
        """`own_address`: the person typed it in place of a service, so it and no other may be on this computer or its
        network; never for an address a model or a page names.

        Raises ToolError NETWORK_OFF, PRIVATE_ADDRESS, BLOCKED_SCHEME, RATE_LIMITED, TIMEOUT, UPSTREAM.
        """


class WebClient(Protocol):
    """What reads pages and asks search services."""

    async def get(
        self,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        longest: int | None = None,
        own_address: bool = False,
    ) -> HttpReply:
        """`longest` are the bytes that are read; what is longer comes `truncated`. Raises as `HttpClient.get`."""

    async def send(self, request: HttpRequest) -> HttpReply:
        """No redirect is followed and nothing kept is used. Raises as `get`, but not for a status of the service."""


class SingleRequest(Protocol):
    async def once(self, url: str, *, own_address: bool = False) -> HttpReply:
        """One request, to this address and no other: nothing kept is used, no redirect is followed. Raises as `get`."""


def seconds_named(value: object, now: datetime | None = None) -> float | None:
    """What a Retry-After says, which is a number or a date; never negative. None: nothing that makes sense."""
    if (seconds := number_of_seconds(value)) is not None or not isinstance(value, str):
        return seconds
    from email.utils import parsedate_to_datetime

    try:
        when = parsedate_to_datetime(value[:100])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())


def number_of_seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        seconds = float(value[:40] if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def pause_asked(service: str, retry_after: str, why: str) -> ToolError:
    """The refusal of a service that was asked too often, with the seconds it names."""
    seconds = seconds_named(retry_after)
    values = {"service": service, "why": why, "seconds": math.ceil(seconds or 0)}
    if seconds is None:
        return ToolError("RATE_LIMITED", N_("{service} asks for a pause: {why}"), retryable=True, values=values)
    message = N_("{service} asks for a pause of {seconds} s: {why}")
    return ToolError("RATE_LIMITED", message, retryable=True, values=values)
