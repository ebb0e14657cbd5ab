"""The way to a server over HTTP: the SDK's transport on a client of ours, with every answer bounded.

No redirects, no environment: addresses a server names are never asked (bad inputs C13–C15), but by a sign-in that
a person has begun (`sign_in`). The header values a person typed go to this one address.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from app.core.system.network import NetworkPolicy, proxy_address
from app.core.text.i18n import _

from ..config import ServerConfig, check_url, host_of, is_near, is_near_address
from . import wire
from .refusals import Refusal, refusal_in

if TYPE_CHECKING:
    import ssl

    import httpx2

CONNECT_SECONDS: Final = 10.0
NEXT_SECONDS: Final = 3.0
"""The same where the name has another address to try."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
READ_SECONDS: Final = 610.0
"""Beyond the longest call: its own limit ends it first."""
EVENTS_PER_SECOND: Final = 500


class CannotReach(Exception):
    """`code`: offline, address, not_found."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class HttpLink:
    """`why` says what ended it, if we did; `refusal` what the last request got instead of an answer."""

    pid: int | None = None
    exit_code: int | None = None

    def __init__(self, config: ServerConfig, headers: Mapping[str, str], network: NetworkPolicy) -> None:
        self._config, self._headers, self._network = config, headers, network
        self.why = ""
        self.refusal: Refusal | None = None
        self.unreachable: CannotReach | None = None
        """Why the last request was not sent."""

    @property
    def has_token(self) -> bool:
        return any(name.lower() == "authorization" for name in self._headers)

    async def _see(self, response: httpx2.Response) -> None:
        if response.request.method == "POST":  # the SDK also opens a stream, which many servers do not have
            self.refusal = refusal_in(response.status_code, response.headers, self._config.url)

    async def _check(self, url: str) -> list[Address]:
        self.unreachable = None
        try:
            return await check_address(url)
        except CannotReach as error:
            self.unreachable = error
            raise

    @asynccontextmanager
    async def open(self) -> AsyncIterator[tuple[Any, Any]]:
        """The streams the SDK's session reads and writes. Raises CannotReach."""
        from mcp.client.streamable_http import streamable_http_client

        parts = urlsplit(self._config.url)
        is_direct = is_near(host_of(self._config.url))
        proxy = None if is_direct else proxy_address(self._network, parts.scheme, parts.hostname or "")
        async with (
            new_client(self._headers, proxy, self._see, self._check) as client,
            streamable_http_client(
                self._config.url, http_client=client, max_sse_event_size=wire.LONGEST_LINE
            ) as streams,
        ):
            yield streams


async def check_address(url: str) -> list[Address]:
    """The host's addresses; every one of them is one this URL may go to. Raises CannotReach."""
    try:
        check_url(url)
    except ValueError as error:
        raise CannotReach("address", str(error)) from None
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        infos = await resolve(host, port)
    except OSError:
        infos = []
    if not infos:
        raise CannotReach("not_found", _("{host} cannot be found").format(host=host))
    for address in infos:
        mapped = getattr(address, "ipv4_mapped", None) or address
        if mapped.is_link_local or mapped.is_multicast or mapped.is_unspecified:
            raise CannotReach(
                "address", _("{host} stands for {address}, which is no server").format(host=host, address=address)
            )
        if parts.scheme == "http" and not is_near_address(mapped):
            raise CannotReach("address", _("{host} is not in a private network; use https").format(host=host))
    return infos


async def resolve(host: str, port: int) -> list[Address]:
    """Every address of the name. Raises OSError."""
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ipaddress.ip_address(str(info[4][0]).partition("%")[0]) for info in addresses))


def new_client(
    headers: Mapping[str, str],
    proxy: str | None,
    see: Callable[[httpx2.Response], Awaitable[None]],
    check: Callable[[str], Awaitable[list[Address]]],
    *,
    signs_in: bool = False,
) -> httpx2.AsyncClient:
    """`see` is told of every answer, before it is read. Without a proxy a request goes to what `check` allows.

    `signs_in`: a person has asked for it, and the addresses a challenge names may be asked.
    """
    import httpx2

    limits = httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS, pool=CONNECT_SECONDS, write=60)
    way = _pinned(httpx2.AsyncHTTPTransport(verify=_tls(), trust_env=False), check) if proxy is None else None
    return httpx2.AsyncClient(
        headers={**headers, "User-Agent": "Triptych", "Accept-Encoding": "identity"},
        follow_redirects=False,
        # The SDK would follow those within the same origin; the steps of a sign-in are counted as such.
        max_redirects=20 if signs_in else 0,
        trust_env=False,
        transport=way,
        proxy=proxy,
        verify=_tls(),
        timeout=limits,
        event_hooks={"response": [see, _bound] if signs_in else [see, _without_challenge, _bound]},
    )


def _pinned(
    way: httpx2.AsyncHTTPTransport, check: Callable[[str], Awaitable[list[Address]]]
) -> httpx2.AsyncBaseTransport:
    """The connection goes to the address that was checked, not to what the name stands for a moment later."""
    import httpx2

    class Pinned(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            try:
                *others, last = await check(str(request.url))
            except CannotReach as error:
                raise httpx2.ConnectError(error.message) from error
            for address in others:
                try:
                    return await way.handle_async_request(_to(request, address, NEXT_SECONDS))
                except (httpx2.ConnectError, httpx2.ConnectTimeout):
                    continue  # a name often has an address of a network that is not there
            return await way.handle_async_request(_to(request, last, CONNECT_SECONDS))

        async def aclose(self) -> None:
            await way.aclose()

    return Pinned()


def _to(request: httpx2.Request, address: Address, seconds: float) -> httpx2.Request:
    """The same request to that address. The name stays in Host and in the TLS handshake."""
    import httpx2

    limits = {**request.extensions.get("timeout", {}), "connect": seconds}
    extensions = {**request.extensions, "sni_hostname": request.url.host, "timeout": limits}
    url = request.url.copy_with(host=str(address))
    return httpx2.Request(request.method, url, headers=request.headers, stream=request.stream, extensions=extensions)


def _tls() -> ssl.SSLContext:
    import ssl

    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def _without_challenge(response: httpx2.Response) -> None:
    """It names addresses to ask; outside a sign-in there is nobody who should."""
    response.headers.pop("www-authenticate", None)


async def _bound(response: httpx2.Response) -> None:
    import httpx2

    if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise httpx2.ReadError("the server compressed its answer although it was asked not to")
    is_stream = response.headers.get("content-type", "").startswith("text/event-stream")

    class PacedEventStream(httpx2.AsyncByteStream):
        """Stops at the limits of `wire`; a stream of events is paced."""

        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = values = 0
            pace = _Pace()
            async for piece in self._stream:
                if is_stream and (b"\n\n" in piece or b"\r\n\r\n" in piece):
                    size = values = 0
                    await pace.wait(piece.count(b"\n\n") + piece.count(b"\r\n\r\n"))
                size += len(piece)
                values += wire.values_in(piece)
                if size > wire.LONGEST_LINE or values > wire.MOST_VALUES:
                    raise httpx2.ReadError("the server's answer is larger than is read")
                yield piece

        async def aclose(self) -> None:
            await self._stream.aclose()

    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = PacedEventStream(response.stream)


class _Pace:
    """A second's share of events; more than that waits, and so does the server."""

    def __init__(self) -> None:
        self._since, self._count = time.monotonic(), 0

    async def wait(self, events: int) -> None:
        self._count += events
        ahead = self._count / EVENTS_PER_SECOND - (time.monotonic() - self._since)
        if ahead > 1:
            await asyncio.sleep(min(ahead - 1, 5))
