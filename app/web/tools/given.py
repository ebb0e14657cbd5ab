"""What every tool of the web needs: the way out, and the sources of the session."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from app.core.errors import ToolError
from app.core.sources import Source, keep_source, new_source
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext

from ..search import WebHit
from ..web import Web


def web_of(ctx: ToolContext) -> Web:
    web = ctx.resources.get("web")
    if not isinstance(web, Web):
        raise ToolError("NETWORK_OFF", ctx.say("there is no network here"))
    return web


async def kept_hits(ctx: ToolContext, hits: Sequence[WebHit], kind: Any = "snippet") -> list[Source]:
    """The hits as sources of the session."""
    sources = [new_source(hit.url, hit.title, kind, hit.snippet, published=hit.date) for hit in hits]
    return list(await asyncio.gather(*(keep_source(ctx.documents, ctx.session, source) for source in sources)))


def rows(hits: Sequence[WebHit], sources: Sequence[Source]) -> list[dict[str, Any]]:
    return [
        {
            "rank": rank, "source": source.id, "title": hit.title, "url": hit.url, "domain": source.domain,
            "snippet": hit.snippet, **({"date": hit.date} if hit.date else {}),
        }
        for rank, (hit, source) in enumerate(zip(hits, sources, strict=True), 1)
    ]  # fmt: skip


def sources_card(title: str, hits: Sequence[WebHit]) -> Card:
    items = [
        {"n": n, "title": hit.title or hit.url, "url": hit.url, "note": hit.snippet[:200]}
        for n, hit in enumerate(hits, 1)
    ]
    return Card("sources", {"title": title, "items": items})


def listing(hits: Sequence[WebHit], sources: Sequence[Source], most: int = 5) -> str:
    return "\n".join(
        f"{source.id} {hit.title[:60]} ({source.domain})"
        for hit, source in zip(hits, sources, strict=True)
        if hit.title
    )[: 90 * most]
