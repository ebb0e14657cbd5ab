"""What earlier runs used, and what a plan may use by them. Estimates, never promises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..chat_model import Usage
from ..plan import NO_TOOL, PlanStep


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One stored run."""

    session: str
    agent: str
    mode: str
    requests: int
    usage: Usage
    seconds: float
    """Of work: without those in which it waited for the person."""
    is_whole: bool
    """It ended with an answer: only such runs say what the next one may use."""
    model: str = ""
    """The reference; prices are found by it."""
    chosen: str = ""
    """The mode that Auto chose."""

    def ran_in(self, mode: str) -> bool:
        """By the person's choice, or by Auto's."""
        return mode in (self.mode, self.chosen)


@dataclass(frozen=True, slots=True)
class Estimate:
    """`tokens` and `seconds` are None where no earlier run tells them."""

    calls: int
    requests: int
    tokens: int | None
    seconds: float | None
    runs: int
    """How many earlier runs it rests on."""
    request_seconds: float | None = None
    """Of one request, and so of a step that is worked off by reasoning."""


ENOUGH_RUNS = 5
"""From so many runs on a person's own figures stand where the general ones stood."""


@dataclass(frozen=True, slots=True)
class Measured:
    """From easy to hard: what all but the lowest and the highest tenth of the runs took."""

    runs: int
    seconds: tuple[float, float]
    tokens: tuple[int, int]


def measured(runs: Iterable[RunFigures]) -> Measured | None:
    """None while there are too few whole runs to tell."""
    whole_runs = [run for run in runs if run.is_whole and run.usage.total]
    if len(whole_runs) < ENOUGH_RUNS:
        return None
    seconds, tokens = sorted(run.seconds for run in whole_runs), sorted(run.usage.total for run in whole_runs)
    low, high = len(whole_runs) // 10, len(whole_runs) - 1 - len(whole_runs) // 10
    return Measured(len(whole_runs), (seconds[low], seconds[high]), (tokens[low], tokens[high]))


MOST_RUNS = 20
"""Newest runs an expectation rests on: an agent's settings change."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the next run is likely to take: the middle of the last ones."""

    runs: int
    usage: Usage
    """As the service counted it: with the instructions and the tools that go along."""
    seconds: float
    """Of work: waiting for the person does not count."""


def expected(runs: Iterable[RunFigures], mode: str, model: str = "") -> Expected | None:
    """By runs in the same mode, newest first; by those of the same model where there are enough. None below five."""
    in_mode = [run for run in runs if run.is_whole and run.ran_in(mode) and run.requests]
    with_model = [run for run in in_mode if run.model == model]
    taken = (with_model if len(with_model) >= ENOUGH_RUNS else in_mode)[:MOST_RUNS]
    if len(taken) < ENOUGH_RUNS:
        return None
    usage = Usage(round(middle([run.usage.input for run in taken])), round(middle([run.usage.output for run in taken])))
    return Expected(len(taken), usage, middle([run.seconds for run in taken]))


def estimate_plan(steps: Iterable[PlanStep], earlier: Sequence[RunFigures]) -> Estimate:
    """Tool calls as planned; a request for every step without a tool and one for the answer."""
    todo = [step for step in steps if step.status == "pending"]
    calls = sum(step.action != NO_TOOL for step in todo)
    requests = len(todo) - calls + 1
    plan_runs = [run for run in earlier if run.is_whole and run.ran_in("plan") and run.requests and run.usage.total]
    if not plan_runs:
        return Estimate(calls, requests, None, None, 0)
    tokens = middle([run.usage.total / run.requests for run in plan_runs]) * requests
    one = middle([run.seconds / run.requests for run in plan_runs])
    return Estimate(calls, requests, round(tokens), one * requests, len(plan_runs), one)


def sum_of(runs: Iterable[RunFigures]) -> Usage:
    return sum((run.usage for run in runs), Usage())


def middle(values: Sequence[float]) -> float:
    """The median; the module of that name is slow to import, and the window waits for this one."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
