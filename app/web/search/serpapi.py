"""SerpAPI (Google): GET /search.json; organic_results[{title, link, snippet, date}], failures as {error}.

The service takes its key in the address only; the key is never shown, stored or passed on.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from app.core.http import HttpRequest

from .base import SearchService, WebHit, WebQuery, as_shape, listed, plain, with_site

_FRESH = {"day": "d", "week": "w", "month": "m", "year": "y"}
_NOTHING_FOUND = "hasn't returned any results"


def _request(query: WebQuery, address: str, key: str) -> HttpRequest:
    params: dict[str, Any] = {"engine": "google", "q": with_site(query), "num": query.count}
    if query.freshness:
        params["tbs"] = f"qdr:{_FRESH[query.freshness]}"
    if query.language:
        params["hl"] = "zh-cn" if query.language == "zh" else query.language
    return HttpRequest(f"{address}/search.json?{urlencode({**params, 'api_key': key})}")


def _read(body: Any) -> list[WebHit]:
    if "search_metadata" not in as_shape(body):
        as_shape(body)["organic_results"]
    return [
        WebHit(
            plain(item.get("title")), str(item.get("link") or ""), plain(item.get("snippet")),
            str(item.get("date") or "")[:20],
        )
        for item in listed(body, "organic_results")
    ]  # fmt: skip


def _explain(body: Any) -> tuple[str, str] | None:
    words = plain(as_shape(body).get("error") or "", 200)
    if not words or _NOTHING_FOUND in words:
        return None
    lowered = words.lower()
    if "api key" in lowered:
        return "AUTH", words.partition(". Your API key")[0]
    if "run out of searches" in lowered:
        return "QUOTA", words
    return "", words


SERPAPI = SearchService(
    "serpapi", "SerpAPI", "https://serpapi.com", _request, _read, home="https://serpapi.com/manage-api-key",
    credit="SerpAPI (serpapi.com), Google", explain=_explain,
)  # fmt: skip
