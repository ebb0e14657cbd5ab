"""wikipedia_search and wikipedia_page: articles with revision and licence, without a key."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.sources import keep_source, new_source
from app.core.text.i18n import N_, count_in
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..catalogues import wikipedia
from .given import kept_hits, listing, rows, sources_card, web_of
from .search import Count, Language, Text, same_question

PREVIEW = 6_000


@tool("net", title=N_("Search Wikipedia"), subject=lambda _args: "wikipedia.org", alike=same_question)
async def wikipedia_search(ctx: ToolContext, query: Text, lang: Language | None = None, count: Count = 6) -> ToolResult:
    """Search the articles of Wikipedia; the language follows the words unless it is named."""
    web, language = web_of(ctx), lang or wikipedia.language_of(query)
    hits = await wikipedia.search(web.http, web.addresses, query, language, count)
    if not hits:
        raise ToolError("NO_MATCH", ctx.say("nothing found for “{text}”", text=query[:80]))
    sources = await kept_hits(ctx, hits)
    credit = wikipedia.WIKIPEDIA.credit
    data = {"titles": rows(hits, sources), "lang": language, "credit": credit}
    head = count_in(
        ctx.language,
        "{n} article of Wikipedia ({language})",
        "{n} articles of Wikipedia ({language})",
        len(hits),
        language=language,
    )
    return ToolResult.success(
        data, f"{head}\n{listing(hits, sources)}", display=sources_card(f"{query[:60]} · {credit}", hits),
        source=["wikipedia"], found=[hit.url for hit in hits],
    )  # fmt: skip


@tool("net", title=N_("Read an article of Wikipedia"), subject=lambda _args: "wikipedia.org")
async def wikipedia_page(
    ctx: ToolContext,
    title: Annotated[
        str, Field(min_length=1, max_length=1_000, description="or the address of an article"), Also("url", "page")
    ],
    lang: Language | None = None,
    sections: Annotated[list[str], Field(max_length=20, description="only these, by their headings")] | None = None,
) -> ToolResult:
    """The text of an article with its revision. Where a title means several things, they are listed."""
    web = web_of(ctx)
    name, language = wikipedia.named(title, lang or "")
    article = await wikipedia.article(web.http, web.addresses, name, language)
    source = await keep_source(
        ctx.documents, ctx.session,
        new_source(article.url, article.title, "wikipedia", article.text, published=article.changed),
    )  # fmt: skip
    text = wikipedia.chosen_sections(article.text, sections) if sections else article.text
    data: dict[str, Any] = {
        "source": source.id, "title": article.title, "url": article.url, "lang": language,
        "revision": article.revision, "changed": article.changed, "licence": "CC BY-SA 4.0",
        "sections": list(article.sections), "sha256": source.sha256, "text": text,
    }  # fmt: skip
    head = ctx.say("{source}: “{title}”, Wikipedia ({language}), changed {date}", source=source.id, title=article.title,
                   language=language, date=article.changed)  # fmt: skip
    card = Card("document", {"title": article.title, "markdown": f"<{article.url}>\n\n{text[:PREVIEW]}"})
    return ToolResult.success(data, head, display=card, source=[article.url], as_of=article.changed)
