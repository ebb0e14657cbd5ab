"""Tavily: POST /search; results[{title, url, content, published_date}], failures as {detail: {error}}."""

from __future__ import annotations

from typing import Any

from app.core.http import HttpRequest

from .base import SearchService, WebHit, WebQuery, as_shape, listed, plain


def _request(query: WebQuery, address: str, key: str) -> HttpRequest:
    body: dict[str, Any] = {"query": query.text[:400], "max_results": query.count, "search_depth": "basic"}
    if query.freshness:
        body["time_range"] = query.freshness
    if query.site:
        body["include_domains"] = [query.site]
    return HttpRequest(f"{address}/search", {"Authorization": f"Bearer {key}"}, body)


def _read(body: Any) -> list[WebHit]:
    as_shape(body)["results"]
    return [
        WebHit(
            plain(item.get("title")), str(item.get("url") or ""), plain(item.get("content")),
            str(item.get("published_date") or "")[:16],
        )
        for item in listed(body, "results")
    ]  # fmt: skip


TAVILY = SearchService(
    "tavily", "Tavily", "https://api.tavily.com", _request, _read, home="https://app.tavily.com",
    credit="Tavily (tavily.com)",
)  # fmt: skip
