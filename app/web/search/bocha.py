"""Bocha (博查): POST /v1/web-search; pages in data.webPages.value, failures as {code, message}."""

from __future__ import annotations

from typing import Any

from app.core.http import HttpRequest
from app.core.text.i18n import N_

from .base import SearchService, WebHit, WebQuery, as_shape, listed, plain

_FRESH = {"day": "oneDay", "week": "oneWeek", "month": "oneMonth", "year": "oneYear", None: "noLimit"}
_CODES = {"401": "AUTH", "403": "QUOTA", "429": "RATE_LIMITED"}


def _request(query: WebQuery, address: str, key: str) -> HttpRequest:
    body: dict[str, Any] = {
        "query": query.text,
        "freshness": _FRESH[query.freshness],
        "summary": True,
        "count": query.count,
    }
    if query.site:
        body["include"] = query.site
    return HttpRequest(f"{address}/v1/web-search", {"Authorization": f"Bearer {key}"}, body)


def _read(body: Any) -> list[WebHit]:
    as_shape(as_shape(body)["data"])
    return [
        WebHit(
            plain(item.get("name")), str(item.get("url") or ""), plain(item.get("summary") or item.get("snippet")),
            str(item.get("datePublished") or item.get("dateLastCrawled") or "")[:10],
        )
        for item in listed(body, "data", "webPages", "value")
    ]  # fmt: skip


def _explain(body: Any) -> tuple[str, str] | None:
    code = str(as_shape(body).get("code", "200"))
    if code in {"200", "0"}:
        return None
    return _CODES.get(code, "UPSTREAM"), plain(body.get("message") or body.get("msg") or code, 200)


BOCHA = SearchService(
    "bocha", "Bocha 博查", "https://api.bochaai.com", _request, _read, home="https://open.bochaai.com",
    credit="Bocha (bochaai.com)", explain=_explain, help=N_("Good for Chinese pages."),
)  # fmt: skip
