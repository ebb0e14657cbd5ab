"""Decides whether the evidence is enough, by the model's evaluation and by what the last round found."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

QUALITY, CONFIDENCE = 70.0, 60.0
NEW_DOMAINS = 0.1
STALE_ROUNDS = 2
Reason = Literal["resolved", "saturated", "not_resolved", "quality", "confidence", "open_questions"]


@dataclass(frozen=True, slots=True)
class EvidenceCount:
    """What had been found when the model evaluated it."""

    domains: frozenset[str]
    findings: int


@dataclass(frozen=True, slots=True)
class SufficiencyDecision:
    decision: Literal["answer", "continue"]
    reason: Reason


def decide(
    is_resolved: bool, quality: float, confidence: float, looks: Sequence[EvidenceCount], *, all_open: bool = False,
    quality_limit: float = QUALITY, confidence_limit: float = CONFIDENCE,
) -> SufficiencyDecision:  # fmt: skip
    """`looks` are those of the run, the present one last. `all_open`: not one part of the question has an answer."""
    if is_saturated(looks):
        return SufficiencyDecision("answer", "saturated")
    if not is_resolved:
        return SufficiencyDecision("continue", "not_resolved")
    if all_open:
        return SufficiencyDecision("continue", "open_questions")
    if quality < quality_limit:
        return SufficiencyDecision("continue", "quality")
    return (
        SufficiencyDecision("continue", "confidence")
        if confidence < confidence_limit
        else SufficiencyDecision("answer", "resolved")
    )


def is_saturated(looks: Sequence[EvidenceCount]) -> bool:
    """Two rounds with less than a tenth of new domains and no new finding."""
    if len(looks) <= STALE_ROUNDS:
        return False
    recent = looks[-STALE_ROUNDS - 1 :]
    return all(_brought_nothing(before, after) for before, after in itertools.pairwise(recent))


def _brought_nothing(before: EvidenceCount, after: EvidenceCount) -> bool:
    new = len(after.domains - before.domains)
    return after.findings <= before.findings and new < max(1, NEW_DOMAINS * len(after.domains))
