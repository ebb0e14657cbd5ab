"""One request to one checked address: pinned, bounded in bytes and time, counted after inflation.

The connection goes to the IP address that was checked; the name travels in Host and in the TLS handshake, so that a
second answer of the name server changes nothing. httpx2 is imported inside functions: it is slow to load.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.core.errors import ToolError
from app.core.text.i18n import N_

from .addresses import Address
from .targets import Target

if TYPE_CHECKING:
    import httpx2

MAX_BYTES: Final = 5 * 1024 * 1024
SECONDS: Final = 30.0
CONNECT_SECONDS: Final = 10.0
USER_AGENT: Final = "Triptych/0.1 (desktop application; requests made by its user)"
_STEP: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    headers: dict[str, str]
    body: bytes
    truncated: bool


async def fetch(
    target: Target,
    address: Address | None,
    *,
    proxy: str | None = None,
    seconds: float = SECONDS,
    headers: Mapping[str, str] | None = None,
    content: bytes | None = None,
    longest: int = MAX_BYTES,
) -> HttpAnswer:
    """`address` None: a proxy finds the way. `content` is the JSON of a POST. Raises ToolError UPSTREAM or TIMEOUT."""
    import httpx2

    try:
        async with asyncio.timeout(seconds), _client(proxy) as client:
            sent = {
                **(headers or {}), "Host": target.netloc, "User-Agent": USER_AGENT,
                "Accept-Encoding": "gzip, identity",
            }  # fmt: skip
            if content is not None:
                sent["Content-Type"] = "application/json"
            url = target.url
            if address is not None:
                ip = f"[{address}]" if address.version == 6 else str(address)
                url = f"{target.scheme}://{ip}:{target.port}{target.path}"
            extensions = {"sni_hostname": target.host} if address is not None else {}
            request = client.build_request(
                "POST" if content is not None else "GET", url, headers=sent, content=content, extensions=extensions
            )
            async with contextlib.aclosing(await client.send(request, stream=True)) as response:
                body, whole = await _body(response, longest)
                return HttpAnswer(
                    response.status_code, {k.lower(): v for k, v in response.headers.items()}, body, not whole
                )
    except (TimeoutError, httpx2.TimeoutException):
        late = N_("{host} did not answer in time")
        raise ToolError("TIMEOUT", late, retryable=True, values={"host": target.host}) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError, OSError) as error:
        message, values = _reason(error)
        raise ToolError("UPSTREAM", message, retryable=True, values={"host": target.host, **values}) from error


def _client(proxy: str | None) -> httpx2.AsyncClient:
    import httpx2
    import truststore

    return httpx2.AsyncClient(
        follow_redirects=False,
        trust_env=False,
        proxy=proxy,
        verify=truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        timeout=httpx2.Timeout(SECONDS, connect=CONNECT_SECONDS),
    )


async def _body(response: httpx2.Response, longest: int) -> tuple[bytes, bool]:
    """What fits below the cap, and whether that is all of it."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise ToolError("UPSTREAM", N_("the answer is compressed as {encoding}"), values={"encoding": encoding[:20]})
    body = bytearray()
    async for piece in _inflated(response.aiter_raw(_STEP), packed="gzip" in encoding):
        body += piece
        if len(body) > longest:
            return bytes(body[:longest]), False
    return bytes(body), True


async def _inflated(pieces: AsyncIterator[bytes], *, packed: bool) -> AsyncIterator[bytes]:
    engine = zlib.decompressobj(zlib.MAX_WBITS | 32)
    async for piece in pieces:
        data = piece
        while data and packed:
            try:
                out = engine.decompress(data, _STEP)
            except zlib.error:
                raise ToolError("UPSTREAM", N_("the compressed answer cannot be read")) from None
            yield out
            if engine.eof:
                return
            data = engine.unconsumed_tail
        if not packed:
            yield data


def _reason(error: Exception) -> tuple[str, dict[str, str]]:
    """The marked text, with its values."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    if any(isinstance(each, ssl.SSLError) for each in chain):
        return N_("{host}: no trusted connection"), {}
    if any(isinstance(each, OSError) for each in chain):
        return N_("{host}: no connection"), {}
    return N_("{host}: {kind}"), {"kind": type(error).__name__}
