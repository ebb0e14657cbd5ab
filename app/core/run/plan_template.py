"""A stored plan for later use: a goal and its steps, under a name."""

from __future__ import annotations

from dataclasses import dataclass

from .plan import PlanStep


@dataclass(frozen=True, slots=True)
class PlanTemplate:
    id: str
    agent: str
    """Whose tools it names."""
    name: str
    goal: str
    steps: tuple[PlanStep, ...]
