"""Which proxy the system names for an address. Behind one the connection cannot be pinned; see `client`."""

from __future__ import annotations

import urllib.request
from urllib.parse import urlsplit

from app.core.errors import ToolError


def system_proxy(scheme: str, host: str) -> str | None:
    """The proxy's address, None for a direct way. Raises ToolError for a kind that is not supported."""
    found = urllib.request.getproxies()
    named = found.get(scheme) or found.get("all")
    if not named or _bypassed(host):
        return None
    try:
        parts = urlsplit(named if "://" in named else f"http://{named}")
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ToolError("PROXY", "the system's proxy is of a kind that tools cannot use")
    return named if "://" in named else f"http://{named}"


def _bypassed(host: str) -> bool:
    try:
        return bool(urllib.request.proxy_bypass(host))
    except (OSError, ValueError):
        return False
