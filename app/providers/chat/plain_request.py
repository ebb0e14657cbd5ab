"""One request to a provider that is no stream: a list of models, vectors, ranks. The body that came back, bounded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.core.errors import AnswerTooLarge, BlockedOffline, KeyRefused
from app.providers.http.faults import from_status
from app.providers.http.http_client import new_client
from app.providers.http.network_faults import from_exception
from app.providers.http.proxies import host_of, is_loopback, proxy_for, shown

if TYPE_CHECKING:
    from .openai_chat import ModelEndpoint


async def answer_of(
    endpoint: ModelEndpoint,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    base_url: str = "",
    seconds: float,
    most: int,
) -> bytes:
    """POST with a `body`, else GET. Raises a `ModelError`: of the way, of any status but success, of a longer body.

    `headers` are in place of the usual key.
    """
    import httpx2

    base_url = base_url or endpoint.base_url
    host = host_of(base_url)
    if endpoint.network.offline and not is_loopback(host):
        raise BlockedOffline("offline: only this computer may be reached")
    if not all(" " <= c <= "~" for c in endpoint.key):
        raise KeyRefused("the key has characters no key has; was it copied whole?", reason="not_ascii")
    proxy = proxy_for(base_url, endpoint.proxy)
    sent = {**(headers or {}), **endpoint.headers}
    if endpoint.key and not headers:
        sent.setdefault("Authorization", f"Bearer {endpoint.key}")
    content = None
    if body is not None:
        sent.setdefault("Content-Type", "application/json")
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    try:
        async with new_client(proxy, connect=10.0, ca_file=endpoint.ca_file) as client:
            request = client.build_request(
                "GET" if body is None else "POST", f"{base_url}/{path}", headers=sent, content=content, timeout=seconds
            )
            response = await client.send(request, stream=True)
            try:
                data = await _read_bounded(response, most)
            finally:
                await response.aclose()
    except (httpx2.TransportError, httpx2.InvalidURL, OSError) as error:
        raise from_exception(error, host=host, proxy=shown(proxy) if proxy else "") from None
    if response.status_code >= 300:
        raise from_status(response.status_code, response.headers, data, endpoint.secrets)
    if len(data) > most:
        raise AnswerTooLarge("the answer is larger than any that is expected")
    return data


async def _read_bounded(response: Any, most: int) -> bytes:
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > most:
            break
    return bytes(body)
