"""Which proxy a request takes. Read here, because the HTTP library raises in its constructor on common settings.

The setting of the provider wins, then the environment and the system's settings. Loopback is direct.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import urllib.request
from typing import Final
from urllib.parse import SplitResult, urlsplit

from app.core.errors import ProxyFailed

DIRECT: Final = "direct"
_SCHEMES: Final = {"http": "http", "https": "https", "socks5": "socks5", "socks5h": "socks5h", "socks": "socks5"}


def proxy_for(base_url: str, setting: str = "") -> str | None:
    """The proxy's URL or None; `setting` is "" (as the system says), `direct` or an address."""
    host = host_of(base_url)
    if setting == DIRECT or is_loopback(host):
        return None
    if setting:
        return _checked(setting, "app")
    scheme = urlsplit(base_url).scheme
    proxies = urllib.request.getproxies()
    named = proxies.get(scheme) or proxies.get("all")
    if not named or _bypassed(host):
        return None
    return _checked(named, "system")


def is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_private(host: str) -> bool:
    """An address of this machine or its own network: plain http is not a risk of the internet there."""
    if (
        is_loopback(host)
        or host.endswith((".local", ".lan", ".internal"))
        or (host and "." not in host and ":" not in host)
    ):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def address_of(url: str) -> str:
    """Host and port, as a person looks for them; the port also where the address leaves it out."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return ""
    host = f"[{host}]" if ":" in host else host
    return f"{host}:{port}" if host and port else host


def shown(proxy: str) -> str:
    """The address without name and password."""
    try:
        parts = urlsplit(proxy)
        host, port = parts.hostname or "?", parts.port
    except ValueError:
        return "?"
    return f"{parts.scheme}://{host}" + (f":{port}" if port else "")


def _bypassed(host: str) -> bool:
    try:
        return bool(urllib.request.proxy_bypass(host))
    except (OSError, ValueError):
        return False


def _checked(proxy: str, source: str) -> str:
    text = proxy.strip() if "://" in proxy else f"http://{proxy.strip()}"
    try:
        parts: SplitResult = urlsplit(text)
        usable = bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        raise ProxyFailed("the proxy's address cannot be read", proxy="?", source=source) from None
    scheme = _SCHEMES.get(parts.scheme.lower())
    if scheme is None or not usable:
        raise ProxyFailed(f"the proxy {shown(text)} is of a kind we cannot use", proxy=shown(text), source=source)
    if scheme.startswith("socks") and importlib.util.find_spec("socksio") is None:
        raise ProxyFailed(
            f"the proxy {shown(text)} speaks SOCKS, which this build does not; use its HTTP port",
            proxy=shown(text),
            source=source,
        )
    return parts._replace(scheme=scheme).geturl()
