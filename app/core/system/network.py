"""Whether requests may leave the computer, and by which proxy: one answer for tools, providers and tool servers."""

from __future__ import annotations

import urllib.request
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from ..errors import ToolError
from ..text.i18n import N_


class NetworkPolicy(Protocol):
    """Read at the moment of a request, never stored: the person may change it while the program runs."""

    @property
    def offline(self) -> bool:
        """Nothing but this computer may be reached."""

    @property
    def proxy(self) -> str:
        """ "" (as the system says), `direct` or an address."""


@dataclass(frozen=True, slots=True)
class FixedNetwork:
    """A policy that does not change."""

    offline: bool = False
    proxy: str = ""


ONLINE = FixedNetwork()


def proxy_address(network: NetworkPolicy, scheme: str, host: str) -> str | None:
    """The proxy's address, None for a direct connection. Raises ToolError for a kind that is not supported."""
    own = network.proxy.strip()
    if own == "direct":
        return None
    if own:
        return _checked(own)
    proxies = urllib.request.getproxies()
    named = proxies.get(scheme) or proxies.get("all")
    return None if not named or _bypassed(host) else _checked(named)


def _checked(named: str) -> str:
    whole = named if "://" in named else f"http://{named}"
    try:
        parts = urlsplit(whole)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ToolError("PROXY", N_("the proxy is of a kind that tools cannot use"))
    return whole


def _bypassed(host: str) -> bool:
    try:
        return bool(urllib.request.proxy_bypass(host))
    except (OSError, ValueError):
        return False
