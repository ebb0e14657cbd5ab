"""Brave Search: GET /res/v1/web/search; web.results[{title, url, description, age}], failures as {error: {code}}."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from app.core.http import HttpRequest

from .base import SearchService, WebHit, WebQuery, as_shape, listed, plain, with_site

_FRESH = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
_LANGUAGES = {"zh": "zh-hans", "ja": "jp", "pt": "pt-br"}
"""Brave's own codes where they are not the usual two letters."""
_CODES = {
    "SUBSCRIPTION_TOKEN_INVALID": "AUTH",
    "RATE_LIMITED": "RATE_LIMITED",
    "QUOTA_LIMITED": "QUOTA",
    "RESOURCE_NOT_ALLOWED": "AUTH",
}


def _request(query: WebQuery, address: str, key: str) -> HttpRequest:
    params: dict[str, Any] = {"q": with_site(query)[:400], "count": min(query.count, 20)}
    if query.freshness:
        params["freshness"] = _FRESH[query.freshness]
    if query.language:
        params["search_lang"] = _LANGUAGES.get(query.language, query.language)
    url = f"{address}/res/v1/web/search?{urlencode(params)}"
    return HttpRequest(url, {"X-Subscription-Token": key, "Accept": "application/json"})


def _read(body: Any) -> list[WebHit]:
    as_shape(body)["type"]
    return [
        WebHit(
            plain(item.get("title")), str(item.get("url") or ""),
            plain(" ".join([str(item.get("description") or ""), *map(str, item.get("extra_snippets") or [])])),
            str(item.get("page_age") or item.get("age") or "")[:20],
        )
        for item in listed(body, "web", "results")
    ]  # fmt: skip


def _explain(body: Any) -> tuple[str, str] | None:
    error = as_shape(body).get("error")
    if not isinstance(error, dict):
        return None
    return _CODES.get(str(error.get("code")), "UPSTREAM"), plain(error.get("detail") or error.get("code"), 200)


BRAVE = SearchService(
    "brave", "Brave Search", "https://api.search.brave.com", _request, _read, home="https://api.search.brave.com",
    credit="Brave Search (search.brave.com)", pace=1.1, explain=_explain,
)  # fmt: skip
