"""One spelling of a URL for the check and for the request, or a refusal (bad inputs U01–U18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from app.core.errors import ToolError
from app.core.text.i18n import N_

from .addresses import literal

MAX_URL: Final = 8 * 1024
PORTS: Final = {"http": 80, "https": 443}
_LOCAL_NAMES: Final = ("localhost", "local", "internal", "lan", "home.arpa", "localdomain", "onion")


@dataclass(frozen=True, slots=True)
class Target:
    scheme: str
    host: str
    """Lower case, punycode, no dot at the end; an IPv6 address without its brackets."""
    port: int
    path: str
    """With the query, without the fragment."""

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.path}"


def read(
    url: str,
    params: Mapping[str, Any] | None = None,
    *,
    ports: frozenset[int] | None = None,
    own_address: bool = False,
) -> Target:
    """`ports` are those allowed; None = 80 for http and 443 for https. Raises ToolError.

    `own_address`: the person typed it, so any port and a name of their own network will do.
    """
    if len(url) > MAX_URL:
        raise blocked(N_("the address is longer than 8 kB"))
    if any(c <= " " or c in "\\\x7f" for c in url):
        raise blocked(N_("the address holds a space, a control character or a backslash"))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise blocked(N_("the address cannot be read")) from None
    scheme = parts.scheme.lower()
    if scheme not in PORTS:
        message = N_("only http and https can be fetched, not {scheme}:")
        raise ToolError("BLOCKED_SCHEME", message, values={"scheme": scheme[:20] or "-"})
    if "@" in parts.netloc:
        raise blocked(N_("the address carries a user name"))
    host = _host(parts.hostname or "", own_address=own_address)
    port = PORTS[scheme] if port is None else port
    if not own_address and port not in (ports if ports is not None else {PORTS[scheme]}):
        raise blocked(N_("port {port} is not the usual one"), port=port)
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = "&".join(filter(None, [parts.query, urlencode(params or {})]))
    target = Target(scheme, host, port, path + (f"?{quote(query, safe=_QUERY)}" if query else ""))
    if len(target.url) > MAX_URL:
        raise blocked(N_("the address is longer than 8 kB"))
    return target


_QUERY: Final = "/?%:@!$&'()*+,;=~-._[]"


def _host(host: str, *, own_address: bool = False) -> str:
    """One spelling. What is neither a plain name nor a plain address is refused, never guessed at."""
    host = host.rstrip(".")
    if not host or "%" in host:
        raise blocked(N_("the address names no host"))
    address = literal(host)
    if address is not None:
        return address.compressed
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            raise blocked(N_("the host's name cannot be read")) from None
    host = host.lower()
    labels = host.split(".")
    if literal(host) is not None or labels[-1].isdigit() or labels[-1].startswith("0x"):
        # 2130706433, 0x7f000001, 127.1, ①②⑦.⓪.⓪.①: numbers in disguise.
        raise private(host)
    if any(not label or len(label) > 63 or not _is_label(label) for label in labels) or len(host) > 253:
        raise blocked(N_("the host's name cannot be read"))
    if own_address:
        return host
    if len(labels) == 1 or any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES):
        raise private(host)
    return host


def _is_label(label: str) -> bool:
    return label.replace("-", "").replace("_", "").isalnum() and not label.startswith("-") and not label.endswith("-")


def blocked(why: str, **values: object) -> ToolError:
    return ToolError("BLOCKED_ADDRESS", why, values=values)


def private(host: str) -> ToolError:
    return ToolError(
        "PRIVATE_ADDRESS",
        N_("{host} is no public address; tools reach public addresses only"),
        values={"host": host[:80]},
    )
