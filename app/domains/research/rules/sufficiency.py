"""Whether what was found is enough: the code decides, by what the model says of it and by what the round brought."""

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
class Look:
    """What was known when somebody looked."""

    domains: frozenset[str]
    findings: int


@dataclass(frozen=True, slots=True)
class Decision:
    decision: Literal["answer", "continue"]
    reason: Reason


def decide(
    is_resolved: bool, quality: float, confidence: float, looks: Sequence[Look], *, all_open: bool = False,
    quality_limit: float = QUALITY, confidence_limit: float = CONFIDENCE,
) -> Decision:  # fmt: skip
    """`looks` are those of the run, the present one last. `all_open`: not one part of the question has an answer."""
    if is_saturated(looks):
        return Decision("answer", "saturated")
    if not is_resolved:
        return Decision("continue", "not_resolved")
    if all_open:
        return Decision("continue", "open_questions")
    if quality < quality_limit:
        return Decision("continue", "quality")
    return Decision("continue", "confidence") if confidence < confidence_limit else Decision("answer", "resolved")


def is_saturated(looks: Sequence[Look]) -> bool:
    """Two rounds with less than a tenth of new domains and no new finding."""
    if len(looks) <= STALE_ROUNDS:
        return False
    recent = looks[-STALE_ROUNDS - 1 :]
    return all(_brought_nothing(before, after) for before, after in itertools.pairwise(recent))


def _brought_nothing(before: Look, after: Look) -> bool:
    new = len(after.domains - before.domains)
    return after.findings <= before.findings and new < max(1, NEW_DOMAINS * len(after.domains))
