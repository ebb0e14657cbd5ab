"""Exa: POST /search; results[{title, url, publishedDate, highlights, text}], failures as {error, tag}."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from app.core.http import HttpRequest

from .base import SearchService, WebHit, WebQuery, as_shape, listed, plain

_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_TAGS = {"INVALID_API_KEY": "AUTH", "NO_MORE_CREDITS": "QUOTA", "API_KEY_BUDGET_EXCEEDED": "QUOTA"}


def _request(query: WebQuery, address: str, key: str) -> HttpRequest:
    body: dict[str, Any] = {
        "query": query.text,
        "numResults": query.count,
        "type": "auto",
        "contents": {"highlights": True},
    }
    if query.freshness:
        since = datetime.now(UTC) - timedelta(days=_DAYS[query.freshness])
        body["startPublishedDate"] = since.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    if query.site:
        body["includeDomains"] = [query.site]
    return HttpRequest(f"{address}/search", {"x-api-key": key}, body)


def _read(body: Any) -> list[WebHit]:
    as_shape(body)["results"]
    return [
        WebHit(
            plain(item.get("title")), str(item.get("url") or ""),
            plain(" … ".join(map(str, item.get("highlights") or [])) or item.get("text") or item.get("summary")),
            str(item.get("publishedDate") or "")[:10],
        )
        for item in listed(body, "results")
    ]  # fmt: skip


def _explain(body: Any) -> tuple[str, str] | None:
    error = as_shape(body).get("error")
    if not error:
        return None
    return _TAGS.get(str(body.get("tag")), ""), plain(error, 200)


EXA = SearchService(
    "exa", "Exa", "https://api.exa.ai", _request, _read, home="https://dashboard.exa.ai", credit="Exa (exa.ai)",
    explain=_explain,
)  # fmt: skip
