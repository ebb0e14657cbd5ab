"""The confidence in a claim, by its evidence alone; a number given by the model is shown beside it.

high    two independent publishers support it, nothing contradicts, one of them primary or a work of reference,
        and fresh enough if the question is about the present
medium  one good source, or several of which none is primary
low     only the text of search hits, or sources that contradict one another
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from app.core.sources import Source

from ..model.finding import Finding
from ..model.quality import publisher, quality_of

Confidence = Literal["high", "medium", "low"]
_GOOD = frozenset({"primary", "reference", "press", "web", "own"})
_BEST = frozenset({"primary", "reference"})


@dataclass(frozen=True, slots=True)
class Claim:
    text: str
    sub_question: str
    supports: list[str]
    """Ids of sources."""
    contradicts: list[str]
    confidence: Confidence
    findings: list[str]

    @property
    def is_conflict(self) -> bool:
        return bool(self.supports and self.contradicts)


def claims_of(findings: Sequence[Finding], sources: Mapping[str, Source], fresh_since: str = "") -> list[Claim]:
    """Findings with the same words are one claim. `fresh_since` is a day, for questions about now."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.stance != "context":
            groups.setdefault(_plain(finding.claim), []).append(finding)
    return [_claim(group, sources, fresh_since) for group in groups.values()]


def _plain(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _claim(group: list[Finding], sources: Mapping[str, Source], fresh_since: str) -> Claim:
    supports = list(dict.fromkeys(id for one in group if one.stance == "supports" for id in one.sources))
    contradicts = list(dict.fromkeys(id for one in group if one.stance == "contradicts" for id in one.sources))
    return Claim(
        group[0].claim, group[0].sub_question, supports, contradicts,
        confidence_of([sources[id] for id in supports if id in sources], bool(contradicts), fresh_since),
        [one.id for one in group],
    )  # fmt: skip


def confidence_of(supports: Sequence[Source], is_contradicted: bool, fresh_since: str = "") -> Confidence:
    qualities = {quality_of(source) for source in supports}
    good = qualities & _GOOD
    if is_contradicted or not good:
        return "low"
    publishers = {publisher(source.domain) for source in supports if quality_of(source) in _GOOD}
    is_fresh = not fresh_since or any(source.published[:10] >= fresh_since for source in supports)
    return "high" if len(publishers) >= 2 and good & _BEST and is_fresh else "medium"
