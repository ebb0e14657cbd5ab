"""evaluate_sufficiency: the model reports what is missing, the code decides whether to answer now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also, Words
from app.core.errors import ToolError
from app.core.sources import sources_of
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.wording import N_

from ..model.finding import findings_of
from ..model.score import as_scores, is_true
from ..rules.confidence import claims_of
from ..rules.sufficiency import EvidenceCount, decide
from .findings import CONFIDENCES

FRESH_DAYS = 365
_STATES = {"answered": "ok", "partial": "warn", "open": "todo"}
REASONS = {
    "resolved": N_("enough: the answer is due"),
    "saturated": N_("two rounds brought nothing new: the answer is due, with its limits"),
    "not_resolved": N_("not enough yet"),
    "quality": N_("not enough yet: the quality is below {limit}"),
    "confidence": N_("not enough yet: the confidence is below {limit}"),
    "open_questions": N_("not enough yet: no part of the question has an answer"),
}


class SubQuestion(TypedDict, total=False):
    q: Annotated[str, Field(min_length=1, max_length=300), Also("question", "text", "sub_question")]
    status: Annotated[
        Literal["answered", "partial", "open"],
        Words(
            answered=("已回答", "done", "resolved", "complete", "ok"),
            partial=("部分", "partially"),
            open=("未回答", "missing", "todo", "pending"),
        ),
    ]
    finding_ids: Annotated[list[str], Field(max_length=50), Also("findings")]


Score = float | int | str | bool
"""In any form a model writes it."""


@tool(
    "pure", title=N_("Is it enough?"), read_only=False, bookkeeping=True, measures=True,
    example={"is_resolved": "yes", "quality_score": "85%", "confidence": "80%"},
)  # fmt: skip
async def evaluate_sufficiency(
    ctx: ToolContext,
    is_resolved: Annotated[Score, Also("resolved", "sufficient", "enough")],
    quality_score: Annotated[Score, Field(description="0–100"), Also("quality")],
    confidence: Annotated[Score, Field(description="0–100"), Also("confidence_score")],
    sub_questions: Annotated[list[SubQuestion], Field(max_length=12), Also("questions")] = [],  # noqa: B006 - copied
    missing: Annotated[str, Field(max_length=1_000), Also("missing_context", "gaps")] | None = None,
    next_queries: Annotated[list[str], Field(max_length=10), Also("queries", "next")] = [],  # noqa: B006 - copied
    question_type: Literal["definitive", "fresh", "plural", "complete"] = "definitive",
) -> ToolResult:
    """After each round of searches: which parts of the question are answered, how good and sure it is, what is missing.

    The program decides from that and from what the round brought whether to go on or to answer.
    """
    scores = as_scores(quality_score, confidence)
    resolved = is_true(is_resolved)
    wrong = [
        f"{name}: {value!r}"[:80]
        for name, value, read in (
            ("is_resolved", is_resolved, resolved), ("quality_score", quality_score, scores[0]),
            ("confidence", confidence, scores[1]),
        ) if read is None
    ]  # fmt: skip
    if wrong:
        raise ToolError(
            "SCHEMA", ctx.say("cannot be read: {fields}", fields="; ".join(wrong)),
            hint=ctx.say("is_resolved is true or false, the scores are numbers from 0 to 100"),
        )  # fmt: skip
    quality, sure = scores[0] or 0.0, scores[1] or 0.0
    findings = await findings_of(ctx.documents, ctx.session)
    sources = {source.id: source for source in await sources_of(ctx.documents, ctx.session)}
    looks = await _looks(ctx, EvidenceCount(frozenset(source.domain for source in sources.values()), len(findings)))
    settings = ctx.settings
    limits = (float(getattr(settings, "quality_limit", 70)), float(getattr(settings, "confidence_limit", 60)))
    states = [str(one.get("status", "open")) for one in sub_questions]
    decided = decide(
        bool(resolved), quality, sure, looks, all_open=bool(states) and set(states) == {"open"},
        quality_limit=limits[0], confidence_limit=limits[1],
    )  # fmt: skip
    today = ctx.today or datetime.now(UTC).date()
    fresh_since = (today - timedelta(days=FRESH_DAYS)).isoformat() if question_type == "fresh" else ""
    claims = claims_of(findings, sources, fresh_since)
    by_code = {level: sum(claim.confidence == level for claim in claims) for level in CONFIDENCES}
    limit = {"quality": limits[0], "confidence": limits[1]}.get(decided.reason, 0)
    text = ctx.say(REASONS[decided.reason], limit=f"{limit:g}")
    data: dict[str, Any] = {
        "decision": decided.decision, "reason": decided.reason,
        "quality_score": round(quality), "confidence": round(sure),
        "claims": by_code, "conflicts": sum(claim.is_conflict for claim in claims),
        "missing": missing or "", "next_queries": list(next_queries) if decided.decision == "continue" else [],
        "sub_questions": [dict(one) for one in sub_questions],
    }  # fmt: skip
    counted = ctx.say(
        "confidence by the evidence: {high} high, {medium} medium, {low} low; by the model: {own}",
        high=by_code["high"], medium=by_code["medium"], low=by_code["low"], own=round(sure),
    )  # fmt: skip
    lines = [text, counted] if claims else [text]
    return ToolResult.success(data, "\n".join(lines), display=_checklist(ctx, sub_questions, text, missing or ""))


async def _looks(ctx: ToolContext, now: EvidenceCount) -> list[EvidenceCount]:
    """Those of this run, the present one last."""
    if ctx.documents is None or not ctx.run:
        return [now]
    kind = f"research.looks:{ctx.session}"
    stored = await ctx.documents.get(kind, ctx.run)
    before = stored.body if stored is not None and isinstance(stored.body, list) else []
    rows = [*before, {"domains": sorted(now.domains), "findings": now.findings}][-20:]
    await ctx.documents.put(kind, ctx.run, rows)
    return [
        EvidenceCount(frozenset(map(str, row.get("domains", ()))), int(row.get("findings", 0)))
        for row in rows
        if isinstance(row, Mapping)
    ]


def _checklist(ctx: ToolContext, questions: list[SubQuestion], verdict: str, missing: str) -> Card:
    items = [
        {"text": str(one.get("q", "–")), "state": _STATES.get(str(one.get("status")), "todo"),
         "hint": ", ".join(one.get("finding_ids") or [])}
        for one in questions
    ]  # fmt: skip
    items.append({"text": verdict, "state": "ok" if not missing else "warn", "hint": missing})
    return Card("checklist", {"title": ctx.say("Parts of the question"), "items": items})
