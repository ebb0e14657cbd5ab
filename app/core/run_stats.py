"""What earlier runs used, and what a plan may use by them. Estimates, never promises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .chat_model import Usage
from .plan import NO_TOOL, PlanStep


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One stored run."""

    session: str
    agent: str
    mode: str
    requests: int
    usage: Usage
    seconds: float
    is_whole: bool
    """It ended with an answer: only such runs say what the next one may use."""
    model: str = ""
    """The reference; prices are found by it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """`tokens` and `seconds` are None where no earlier run tells them."""

    calls: int
    requests: int
    tokens: int | None
    seconds: float | None
    runs: int
    """How many earlier runs it rests on."""


def estimate_plan(steps: Iterable[PlanStep], earlier: Sequence[RunFigures]) -> Estimate:
    """Tool calls as planned; a request for every step without a tool and one for the answer."""
    todo = [step for step in steps if step.status == "pending"]
    calls = sum(step.action != NO_TOOL for step in todo)
    requests = len(todo) - calls + 1
    known = [run for run in earlier if run.is_whole and run.mode == "plan" and run.requests and run.usage.total]
    if not known:
        return Estimate(calls, requests, None, None, 0)
    tokens = _middle([run.usage.total / run.requests for run in known]) * requests
    seconds = _middle([run.seconds / run.requests for run in known]) * requests
    return Estimate(calls, requests, round(tokens), seconds, len(known))


def sum_of(runs: Iterable[RunFigures]) -> Usage:
    return sum((run.usage for run in runs), Usage())


def _middle(values: list[float]) -> float:
    """The median; the module of that name is slow to import, and the window waits for this one."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
