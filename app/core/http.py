"""The one way out for tools: guarded requests, implemented in `net`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


class HttpClient(Protocol):
    async def get(self, url: str, *, params: Mapping[str, Any] | None = None) -> HttpReply:
        """Raises ToolError NETWORK_OFF, PRIVATE_ADDRESS, BLOCKED_SCHEME, TOO_BIG, RATE_LIMITED, UPSTREAM."""


class SingleRequest(Protocol):
    async def once(self, url: str) -> HttpReply:
        """One request, to this address and no other: nothing kept is used, no redirect is followed. Raises as `get`."""
