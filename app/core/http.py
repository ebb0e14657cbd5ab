"""The one way out for tools: guarded requests, implemented in `net`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


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
    async def get(self, url: str, *, params: Mapping[str, Any] | None = None) -> HttpReply:
        """Raises ToolError NETWORK_OFF, PRIVATE_ADDRESS, BLOCKED_SCHEME, RATE_LIMITED, TIMEOUT, UPSTREAM."""


class WebClient(Protocol):
    """What reads pages and asks search services."""

    async def get(self, url: str, *, params: Mapping[str, Any] | None = None, longest: int | None = None) -> HttpReply:
        """`longest` are the bytes that are read; what is longer comes `truncated`. Raises as `HttpClient.get`."""

    async def send(self, request: HttpRequest) -> HttpReply:
        """No redirect is followed and nothing kept is used. Raises as `get`, but not for a status of the service."""


class SingleRequest(Protocol):
    async def once(self, url: str) -> HttpReply:
        """One request, to this address and no other: nothing kept is used, no redirect is followed. Raises as `get`."""
