"""SearXNG, by the address of one's own: GET /search?format=json; results[{title, url, content, publishedDate}].

An instance answers 403 where its settings do not list json among `search.formats`.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from app.core.http import HttpRequest
from app.core.text.i18n import N_

from .base import SearchService, WebHit, WebQuery, as_shape, listed, plain, with_site


def _request(query: WebQuery, address: str, key: str) -> HttpRequest:
    params: dict[str, Any] = {"q": with_site(query), "format": "json"}
    if query.freshness:
        params["time_range"] = query.freshness
    if query.language:
        params["language"] = query.language
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    base = address.rstrip("/").removesuffix("/search")
    return HttpRequest(f"{base}/search?{urlencode(params)}", headers)


def _read(body: Any) -> list[WebHit]:
    as_shape(body)["results"]
    return [
        WebHit(
            plain(item.get("title")), str(item.get("url") or ""), plain(item.get("content")),
            str(item.get("publishedDate") or "")[:10],
        )
        for item in listed(body, "results")
    ]  # fmt: skip


SEARXNG = SearchService(
    "searxng", "SearXNG", "", _request, _read, needs_key=False, home="https://docs.searxng.org",
    credit="SearXNG", own_address=True,
    help=N_("The address of your own server; its settings must list json among search.formats."),
)  # fmt: skip
