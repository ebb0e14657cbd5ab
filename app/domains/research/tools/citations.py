"""check_citations: a draft of anybody's, against its own list of sources and what the session has read."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.sources import sources_of
from app.core.text.addresses import canonical_url
from app.core.text.i18n import count_in
from app.core.text.quoting import stands_in
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.wording import N_

from ..citations import WARNINGS, CitationReport, Retrieved, check

SHOWN = 6
"""Problems in the summary."""
LISTED = 2_000
"""Problems in the data; `stats` counts all."""
WORDS = {
    "C01": N_("refers to a source that is not listed"),
    "C02": N_("is listed and nothing refers to it"),
    "C03": N_("is left out of the numbering"),
    "C04": N_("is listed twice"),
    "C05": N_("was never retrieved here"),
    "C06": N_("is quoted, but does not stand in its source"),
    "C07": N_("states a figure without a reference"),
    "C08": N_("The draft names no sources."),
    "C09": N_("leads to a place that is not in the draft"),
}


@tool("pure", title=N_("Check the citations"), read_only=False)
async def check_citations(
    ctx: ToolContext, draft: Annotated[str, Field(max_length=240_000), Also("markdown", "text", "report")]
) -> ToolResult:
    """Check the references of a draft report against its list of sources, and its addresses and quotations against
    what this session has retrieved. Every problem has a code C01–C09 and its place; C02 and C07 are warnings.
    """
    report = await detached.in_thread(check, draft, await retrieved(ctx))
    return ToolResult.success(as_data(report), summary(report, ctx), display=card(report, ctx))


async def retrieved(ctx: ToolContext) -> Retrieved | None:
    """None where this session has fetched nothing: then nobody can say what was."""
    sources = await sources_of(ctx.documents, ctx.session) if ctx.session else []
    if not sources:
        return None
    texts = {canonical_url(source.url): source.text if source.is_whole else "" for source in sources}
    return Retrieved(texts, stands_in)


def as_data(report: CitationReport) -> dict[str, Any]:
    problems = [problem.to_json() for problem in report.problems[:LISTED]]
    return {"problems": problems, "stats": dict(report.stats)}


def summary(report: CitationReport, ctx: ToolContext) -> str:
    stats = report.stats
    counts = [
        count_in(ctx.language, "{n} source", "{n} sources", stats["sources"]),
        count_in(ctx.language, "{n} reference", "{n} references", stats["references"]),
        count_in(ctx.language, "{n} error", "{n} errors", len(report.errors)),
        count_in(ctx.language, "{n} warning", "{n} warnings", len(report.problems) - len(report.errors)),
    ]
    head = " · ".join(counts)
    first = [*report.errors, *(problem for problem in report.problems if problem.code in WARNINGS)][:SHOWN]
    lines = [f"{problem.code} {_sentence(problem.code, problem.what[:40], ctx)}" for problem in first]
    if stats["unchecked"]:
        lines.append(
            count_in(
                ctx.language,
                "{n} address or quotation could not be checked here",
                "{n} addresses and quotations could not be checked here",
                stats["unchecked"],
            )
        )
    return "\n".join([head, *lines])


def _sentence(code: str, what: str, ctx: ToolContext) -> str:
    return f"{what} {ctx.say(WORDS[code])}".strip()


def card(report: CitationReport, ctx: ToolContext) -> Card:
    items = [
        {
            "text": f"{problem.code} · {_sentence(problem.code, problem.what, ctx)}",
            "state": "warn" if problem.code in WARNINGS else "error",
            "hint": ctx.say("line {line}", line=problem.line),
        }
        for problem in report.problems[:100]
    ]
    if not items:
        items = [{"text": ctx.say("Every reference has its source."), "state": "ok", "hint": ""}]
    return Card("checklist", {"title": ctx.say("Citations"), "items": items})
