"""Which proxy an address is reached by: the person's choice, else the system's.

Behind one the connection cannot be pinned; see `client`.
"""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

from app.core.errors import ToolError
from app.core.text.i18n import N_


def chosen_proxy(setting: Callable[[], str]) -> Callable[[str, str], str | None]:
    """What the person chose – an address, or `direct` for none – and otherwise what the system names."""

    def choose(scheme: str, host: str) -> str | None:
        own = setting().strip()
        if own == "direct":
            return None
        return _checked(own) if own else system_proxy(scheme, host)

    return choose


def system_proxy(scheme: str, host: str) -> str | None:
    """The proxy's address, None for a direct way. Raises ToolError for a kind that is not supported."""
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
