"""Requests to a place of the person's own: no redirects, bounded answers, tried again where the network stumbles."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2

from app.core.errors import ToolError
from app.core.exchange.storage_place import PlaceFault
from app.core.system.network import NetworkPolicy, proxy_address

LARGEST_ANSWER = 64_000_000
TIMEOUT = httpx2.Timeout(30.0, read=120.0, write=120.0)
PAUSES = (1.0, 4.0)
"""Seconds before a second and a third try."""
_AGAIN = frozenset((429, 500, 502, 503, 504))


@dataclass(frozen=True, slots=True)
class PlaceAnswer:
    status: int
    body: bytes


class PlaceRequests:
    """To one origin only."""

    def __init__(self, address: str, network: NetworkPolicy, pauses: tuple[float, ...] = PAUSES) -> None:
        self._network, self._pauses = network, pauses
        self.address = checked_address(address)
        self._client: httpx2.AsyncClient | None = None

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes = b"") -> PlaceAnswer:
        """Raises PlaceFault."""
        if self._network.offline:
            raise PlaceFault("the program is told to stay offline", reason="PLACE_OFFLINE")
        for pause in (*self._pauses, None):
            try:
                answer = await self._once(method, url, headers, body)
            except (httpx2.HTTPError, OSError) as error:
                if pause is None:
                    why = str(error) or type(error).__name__
                    raise PlaceFault(f"no answer: {why}", reason="PLACE_UNREACHABLE", host=self._host()) from error
            else:
                if answer.status not in _AGAIN or pause is None:
                    return self._checked(answer)
            await asyncio.sleep(pause or 0.0)
        raise PlaceFault("no answer", reason="PLACE_UNREACHABLE", host=self._host())

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def _once(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> PlaceAnswer:
        if self._client is None:
            parts = urlsplit(self.address)
            try:
                proxy = proxy_address(self._network, parts.scheme, parts.hostname or "")
            except ToolError as error:
                raise PlaceFault(error.message, reason="PLACE_UNREACHABLE", host=self._host()) from error
            self._client = httpx2.AsyncClient(
                timeout=TIMEOUT, follow_redirects=False, trust_env=False, proxy=proxy, max_redirects=0
            )
        async with self._client.stream(method, url, headers=dict(headers), content=body or None) as response:
            pieces, size = [], 0
            async for piece in response.aiter_bytes():
                size += len(piece)
                if size > LARGEST_ANSWER:
                    raise PlaceFault("the answer is too large", reason="PLACE_ODD", status=response.status_code)
                pieces.append(piece)
            return PlaceAnswer(response.status_code, b"".join(pieces))

    def _checked(self, answer: PlaceAnswer) -> PlaceAnswer:
        if answer.status in (401, 403):
            raise PlaceFault("the place refuses the name or the password", reason="PLACE_REFUSED", host=self._host())
        if answer.status == 507:
            raise PlaceFault("the place is full", reason="PLACE_FULL", host=self._host())
        if 300 <= answer.status < 400 or answer.status >= 500:
            raise PlaceFault(f"HTTP {answer.status}", reason="PLACE_ODD", status=answer.status)
        return answer

    def _host(self) -> str:
        return urlsplit(self.address).hostname or ""


def checked_address(address: str) -> str:
    """Without a slash at its end. Plain http only in one's own network. Raises PlaceFault."""
    text = address.strip().rstrip("/")
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    is_whole = parts.scheme in ("http", "https") and host and "@" not in parts.netloc
    if not is_whole or parts.query or parts.fragment or any(sign <= " " for sign in text):
        raise PlaceFault("the address is none", reason="PLACE_ADDRESS")
    if parts.scheme == "http" and not is_own_network(host):
        raise PlaceFault("plain http leaves one's own network", reason="PLACE_PLAIN")
    return text


def is_own_network(host: str) -> bool:
    """By its name alone: nothing is asked."""
    import ipaddress

    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".lan", ".home.arpa"))
    return address.is_loopback or address.is_private or address.is_link_local
