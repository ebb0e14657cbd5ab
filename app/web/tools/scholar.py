"""scholar_search: papers in arXiv, Crossref or OpenAlex."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from pydantic import Field

from app.core.arguments.hints import Also, Words
from app.core.errors import ToolError
from app.core.text.i18n import N_, count_in
from app.core.tools.tool import ToolContext, ToolResult, tool

from ..catalogues.scholar import ARXIV, CROSSREF, OPENALEX, Paper, papers
from ..search import WebHit
from .given import kept_hits, listing, sources_card, web_of
from .search import Count, Text, same_question

_CREDITS = {"arxiv": ARXIV.credit, "crossref": CROSSREF.credit, "openalex": OPENALEX.credit}


@tool(
    "net",
    title=N_("Search papers"),
    icon="book",
    subject=lambda args: str(args.get("provider", "openalex")),
    alike=same_question,
)
async def scholar_search(
    ctx: ToolContext,
    query: Text,
    provider: Annotated[
        Literal["arxiv", "crossref", "openalex"],
        Words(arxiv=("arXiv",), crossref=("Crossref", "doi"), openalex=("OpenAlex", "论文")),
        Also("catalogue", "source"),
    ] = "openalex",
    year_from: Annotated[int, Field(ge=1800, le=2100), Also("since", "from_year")] | None = None,
    count: Count = 6,
) -> ToolResult:
    """Search papers with authors, year, DOI and abstract: arxiv for preprints, crossref or openalex for all fields."""
    web = web_of(ctx)
    entries = await papers(web.http, web.addresses, provider, query, count, year_from)
    if not entries:
        raise ToolError("NO_MATCH", ctx.say("nothing found for “{text}”", text=query[:80]))
    hits = [WebHit(paper.title, paper.url, _words(paper), str(paper.year or "")) for paper in entries]
    sources = await kept_hits(ctx, hits, "scholar")
    items = [{"source": source.id, **asdict(paper)} for paper, source in zip(entries, sources, strict=True)]
    credit = _CREDITS[provider]
    head = count_in(ctx.language, "{n} paper by {provider}", "{n} papers by {provider}", len(entries), provider=credit)
    return ToolResult.success(
        {"items": items, "credit": credit}, f"{head}\n{listing(hits, sources)}",
        display=sources_card(f"{query[:60]} · {credit}", hits), source=[provider],
        found=[hit.url for hit in hits],
    )  # fmt: skip


def _words(paper: Paper) -> str:
    facts = [", ".join(paper.authors[:3]), paper.venue, str(paper.year or ""), f"doi:{paper.doi}" if paper.doi else ""]
    return "\n".join(filter(None, ["; ".join(filter(None, facts)), paper.abstract]))
