"""The HTTP client under the SDK: no redirects, no environment, bounded error bodies, plain bytes.

Imports httpx2 inside functions, because it comes with the SDK and is as slow to load.
"""

from __future__ import annotations

import logging
import os
import ssl
import zlib
from collections.abc import AsyncIterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.core.errors import CertificateRefused, NotAStream

if TYPE_CHECKING:
    import httpx2

MAX_ERROR_BYTES: Final = 256 * 1024
_INFLATE_STEP: Final = 1024 * 1024
_SDK_NEEDS: Final = "x-stainless-raw-response"
"""The SDK looks this header up in the request when it decides how to hand over the answer."""
_NOISY_LOGGERS: Final = ("openai", "httpx2", "httpcore2")


def new_client(proxy: str | None, *, connect: float, ca_file: str = "") -> httpx2.AsyncClient:
    """A client for one address. Reading has no timeout of its own: `clocks.py` watches."""
    import httpx2

    for name in _NOISY_LOGGERS:
        # Their debug records hold headers and whole prompts.
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx2.AsyncClient(
        follow_redirects=False,
        trust_env=False,
        proxy=proxy,
        verify=_tls(ca_file),
        timeout=httpx2.Timeout(None, connect=connect, pool=connect),
        limits=httpx2.Limits(max_connections=32, max_keepalive_connections=8, keepalive_expiry=30),
        event_hooks={"request": [_trim_request], "response": [_bound_error]},
    )


def _tls(ca_file: str) -> ssl.SSLContext:
    """The system's trust, and further certificates of the provider's settings or of SSL_CERT_FILE.

    A file of the settings that cannot be read is an error; one of the environment, which may be stale, is skipped.
    """
    extra = os.environ.get("SSL_CERT_FILE", "")
    return _context(ca_file, _changed(ca_file), extra, _changed(extra))


def _changed(file: str) -> float:
    try:
        return Path(file).stat().st_mtime if file else 0.0
    except (OSError, ValueError):
        return 0.0


@lru_cache(maxsize=8)
def _context(ca_file: str, _ca_changed: float, extra: str, _extra_changed: float) -> ssl.SSLContext:
    """One for all clients that trust the same: each takes almost a megabyte."""
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for file in (ca_file, extra):
        if file and (file == ca_file or Path(file).is_file()):
            try:
                context.load_verify_locations(cafile=file)
            except (OSError, ssl.SSLError):
                if file == ca_file:
                    raise CertificateRefused("the file of certificates cannot be read", check="ca_file") from None
                logging.getLogger(__name__).warning("SSL_CERT_FILE cannot be read and is not used")
    return context


async def _trim_request(request: httpx2.Request) -> None:
    """Our name instead of a description of this computer."""
    for name, value in list(request.headers.items()):
        if not value or (name.lower().startswith("x-stainless") and name.lower() != _SDK_NEEDS):
            del request.headers[name]
    request.headers["User-Agent"] = "Triptych"
    request.headers["Accept-Encoding"] = "identity"


async def _bound_error(response: httpx2.Response) -> None:
    """The SDK reads the whole body of an error; an endless one must not be endless for us."""
    if response.status_code < 300:
        return
    response.headers.pop("content-encoding", None)
    import httpx2

    class BoundedErrorBody(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            remaining = MAX_ERROR_BYTES
            async for piece in self._stream:
                yield piece[:remaining]
                remaining -= len(piece)
                if remaining <= 0:
                    return

        async def aclose(self) -> None:
            await self._stream.aclose()

    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = BoundedErrorBody(response.stream)


class Inflater:
    """Bodies that come compressed although we asked for plain ones; never more than a step at a time."""

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        self._engine: zlib._Decompress | None = None
        if name in ("gzip", "x-gzip", "deflate"):
            self._engine = zlib.decompressobj(zlib.MAX_WBITS | 32)
        elif name not in ("", "identity"):
            raise NotAStream(f"the provider sent the answer compressed as {name[:40]}", kind="encoding")

    def pieces(self, data: bytes) -> list[bytes] | _Steps:
        return [data] if self._engine is None else _Steps(self._engine, data)


class _Steps:
    def __init__(self, engine: zlib._Decompress, data: bytes) -> None:
        self._engine, self._data = engine, data
        self._more = True

    def __iter__(self) -> _Steps:
        return self

    def __next__(self) -> bytes:
        if not self._more:
            raise StopIteration
        try:
            piece = self._engine.decompress(self._data, _INFLATE_STEP)
        except zlib.error:
            raise NotAStream("the compressed answer cannot be read", kind="encoding") from None
        self._data = self._engine.unconsumed_tail
        # A full step may have left output behind although all input is taken.
        self._more = bool(self._data) or len(piece) == _INFLATE_STEP
        return piece
