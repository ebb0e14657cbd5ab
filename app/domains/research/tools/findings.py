"""note_finding: a claim with its sources; a quotation must occur in the text of the source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core.arguments.hints import Also, Words
from app.core.errors import ToolError
from app.core.sources import Source, sources_of
from app.core.stores import DocumentStore
from app.core.text.addresses import canonical_url
from app.core.text.i18n import count_in
from app.core.text.quoting import stands_in
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.wording import N_, say_in

from ..model.finding import Finding, finding_id, findings_of, keep
from ..model.quality import quality_of
from ..rules.confidence import claims_of

SHOWN = 12
CONFIDENCES = {"high": N_("high"), "medium": N_("medium"), "low": N_("low")}
QUALITIES = {
    "primary": N_("primary source"),
    "reference": N_("work of reference"),
    "press": N_("press"),
    "web": N_("web page"),
    "snippet": N_("search hit only"),
    "own": N_("your highlight"),
}


def noting(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Note the finding “{claim}”", claim=str(args.get("claim", ""))[:120])


@tool("app.write", title=N_("Note a finding"), bookkeeping=True, approval_text=noting)
async def note_finding(
    ctx: ToolContext,
    claim: Annotated[str, Field(min_length=1, max_length=1_000), Also("finding", "text", "statement")],
    source_ids: Annotated[
        list[str],
        Field(min_length=1, max_length=20, description="ids such as s-1a2b3c4d, or addresses"),
        Also("sources", "source"),
    ],
    quote: Annotated[str, Field(max_length=2_000, description="word for word from one of the sources")] | None = None,
    stance: Annotated[
        Literal["supports", "contradicts", "context"],
        Words(supports=("支持", "support"), contradicts=("反对", "矛盾", "contradict"), context=("背景",)),
    ] = "supports",
    sub_question: Annotated[str, Field(max_length=300), Also("question")] = "",
) -> ToolResult:
    """Keep one finding with the sources it rests on. A quotation is checked against the text that was fetched.

    A source that contradicts a claim is noted with the same words of the claim and stance contradicts.
    """
    store = store_of(ctx)
    sources = {source.id: source for source in await sources_of(store, ctx.session)}
    used = [_named(ctx, given, sources) for given in source_ids]
    words = (quote or "").strip()
    quoted_from = next((source.id for source in used if words and stands_in(words, source.text)), "")
    if words and not quoted_from:
        raise ToolError(
            "QUOTE_NOT_FOUND",
            ctx.say("the quotation does not stand in {sources}", sources=", ".join(source.id for source in used)),
            hint=ctx.say(
                "quote word for word, read the page with fetch_page first, or note the claim without a quotation"
            ),
        )
    ids = [source.id for source in used]
    finding = Finding(
        finding_id(claim, ids, words), claim.strip(), ids, words, quoted_from, stance, sub_question.strip()
    )
    is_new = await keep(store, ctx.session, finding)
    every = await findings_of(store, ctx.session)
    claims = claims_of(every, sources)
    confidence = next((one.confidence for one in claims if finding.id in one.findings), "low")
    text = count_in(
        ctx.language,
        "Noted as {id} ({n} finding so far)",
        "Noted as {id} ({n} findings so far)",
        len(every),
        id=finding.id,
    )
    if not is_new:
        text = ctx.say("{id} was noted already", id=finding.id)
    data = {
        "finding": finding.id,
        "sources": ids,
        "quote_verified": bool(quoted_from),
        "confidence": confidence,
        "new": is_new,
    }
    return ToolResult.success(data, text, display=matrix(ctx, every, sources))


def store_of(ctx: ToolContext) -> DocumentStore:
    if ctx.documents is None:
        raise ToolError("UNAVAILABLE", ctx.say("there is no store to keep findings in"))
    return ctx.documents


def _named(ctx: ToolContext, given: str, known: dict[str, Source]) -> Source:
    name = given.strip().strip("[]")
    if name in known:
        return known[name]
    if "://" in name or "." in name:
        key = canonical_url(name)
        by_address = next((source for source in known.values() if canonical_url(source.url) == key), None)
        if by_address is not None:
            return by_address
    hint = "; ".join(f"{source.id} {source.title[:40]}" for source in list(known.values())[-8:])
    raise ToolError(
        "UNKNOWN_SOURCE", ctx.say("there is no source {id} in this session", id=name[:80]),
        hint=hint or ctx.say("search or fetch first"),
    )  # fmt: skip


def matrix(ctx: ToolContext, findings: list[Finding], known: dict[str, Source]) -> Card:
    """Claims by sources: + supports, − contradicts."""
    claims = claims_of(findings, known)[-SHOWN:]
    ids = list(dict.fromkeys(id for claim in claims for id in (*claim.supports, *claim.contradicts)))[:8]
    columns: list[dict[str, Any]] = [
        {"key": "claim", "label": ctx.say("Claim")}, {"key": "confidence", "label": ctx.say("Confidence")},
        *({"key": id, "label": known[id].domain if id in known else id, "align": "center"} for id in ids),
    ]  # fmt: skip
    contradiction = ctx.say("sources contradict one another")
    rows = [
        {
            "claim": claim.text + (f" ⚡ {contradiction}" if claim.is_conflict else ""),
            "confidence": ctx.say(CONFIDENCES[claim.confidence]),
            **{id: "+" if id in claim.supports else "−" if id in claim.contradicts else "" for id in ids},
        }
        for claim in claims
    ]
    return Card("table", {"title": ctx.say("Findings"), "columns": columns, "rows": rows})


def quality_words(ctx: ToolContext, source: Source) -> str:
    return ctx.say(QUALITIES[quality_of(source)])
