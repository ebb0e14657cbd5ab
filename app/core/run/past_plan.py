"""What earlier runs of an agent teach its planner: plans for similar questions, and orders of tools that were liked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..text.likeness import likeness
from .plan import Plan

MOST_PLANS = 3
MOST_SEQUENCES = 2
ALIKE = 0.2
"""From this share of common words on two questions count as similar."""


@dataclass(frozen=True, slots=True)
class PastPlan:
    run: str
    query: str
    plan: Plan
    """As it was worked off, with the person's changes and the status of each step."""
    changed: bool = False
    """It is not the first version: the person or a new plan changed it."""
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Lessons:
    plans: tuple[PastPlan, ...] = ()
    sequences: tuple[tuple[str, ...], ...] = ()
    """Names of tools in the order in which a run that was liked called them."""


def most_alike(query: str, plans: Iterable[PastPlan]) -> list[PastPlan]:
    """The most similar first, of equally similar ones the better rated, then the newer (as they come)."""
    scored = [(likeness(query, plan.query), plan) for plan in plans]
    alike = [(score, plan) for score, plan in scored if score >= ALIKE]
    return [plan for _score, plan in sorted(alike, key=lambda pair: (-round(pair[0], 2), -pair[1].rating))][:MOST_PLANS]


def plain_sequence(names: Sequence[str]) -> tuple[str, ...]:
    """Without repeats next to each other."""
    return tuple(name for n, name in enumerate(names) if n == 0 or names[n - 1] != name)
