"""A report: its text, its sources as they were fetched, its claims with how sure they are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.sources import Source
from app.core.text.addresses import canonical_url

from ..citations.listing import read_listing
from ..citations.text import Draft
from ..model.finding import Finding
from ..model.quality import quality_of
from .confidence import Claim, claims_of

PASSAGE = 600
"""Characters of a source that a card shows where nothing of it was quoted."""
_ORDER = ("low", "medium", "high")


@dataclass(frozen=True, slots=True)
class ListedSource:
    """An entry of the report's own list, with what the session has of it."""

    number: int
    title: str
    url: str
    source: Source | None
    passage: str = ""


def listed_sources(markdown: str, sources: Sequence[Source], findings: Sequence[Finding]) -> list[ListedSource]:
    by_address = {canonical_url(source.url): source for source in sources}
    quotes: dict[str, str] = {}
    for finding in findings:
        if finding.quote and finding.quoted_from:
            quotes.setdefault(finding.quoted_from, finding.quote)
    entries = []
    for place, entry in enumerate(read_listing(Draft(markdown)).sources, 1):
        url = entry.url
        source = by_address.get(canonical_url(url)) if url else None
        passage = (quotes.get(source.id) or source.text[:PASSAGE].strip()) if source is not None else ""
        title = source.title if source is not None and source.title else _title(entry.text, url)
        entries.append(ListedSource(entry.number or place, title, url, source, passage))
    return entries


def _title(text: str, url: str) -> str:
    words = text.replace(url, " ").strip(" -–—:.,()[]<>*|\n")
    return " ".join(words.split())[:200] or url


def report_id(session: str, title: str) -> str:
    return (
        "r-" + hashlib.sha256(f"{session}\n{title.casefold().strip()}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
    )


def payload_of(
    title: str, markdown: str, sources: Sequence[Source], findings: Sequence[Finding], open_questions: Sequence[str]
) -> dict[str, Any]:
    """What the card shows and exports are made of: codes and numbers, no words of a language."""
    listed = listed_sources(markdown, sources, findings)
    numbers = {one.source.id: one.number for one in listed if one.source is not None}
    claims = claims_of(findings, {source.id: source for source in sources})
    return {
        "title": title,
        "markdown": markdown,
        "confidence": overall(claims),
        "sources": [_source_row(one) for one in listed],
        "claims": [
            {
                "text": claim.text, "confidence": claim.confidence, "conflict": claim.is_conflict,
                "supports": [numbers[id] for id in claim.supports if id in numbers],
                "contradicts": [numbers[id] for id in claim.contradicts if id in numbers],
            }
            for claim in claims
        ],
        "open_questions": list(open_questions),
    }  # fmt: skip


def _source_row(one: ListedSource) -> dict[str, Any]:
    row: dict[str, Any] = {"n": one.number, "title": one.title, "url": one.url, "passage": one.passage}
    if one.source is not None:
        row |= {
            "source": one.source.id, "version": one.source.version, "kind": one.source.kind,
            "quality": quality_of(one.source), "accessed": one.source.accessed, "sha256": one.source.sha256,
        }  # fmt: skip
    return row


def overall(claims: Sequence[Claim]) -> str:
    """That of most claims, never above medium where sources contradict one another; "" without any."""
    if not claims:
        return ""
    ranks = sorted(_ORDER.index(claim.confidence) for claim in claims)
    middle = ranks[(len(ranks) - 1) // 2]
    return _ORDER[min(middle, 1) if any(claim.is_conflict for claim in claims) else middle]


def with_states(payload: Mapping[str, Any], states: Mapping[int, str], checked_at: str) -> dict[str, Any]:
    """The same report after its sources were fetched again: `states` by number (same, changed, quote_lost, gone)."""
    rows = [
        {**row, "state": states.get(int(row.get("n", 0)), row.get("state", ""))} for row in payload.get("sources", ())
    ]
    return {**payload, "sources": rows, "checked_at": checked_at}
