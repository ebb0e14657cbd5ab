"""What reflection rounds cost this agent: measured in its own stored runs (product.md S2).

A run with rounds tells what any lower limit would have cost: its requests up to that round. One that was stopped by
its limit says nothing about higher ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..view import RunView
from .run_stats import ENOUGH_RUNS


@dataclass(slots=True)
class RunRounds:
    """One run, request by request; place 0 is the first batch, place k is round k."""

    tokens: list[int] = field(default_factory=list)
    model_seconds: list[float] = field(default_factory=list)
    tool_seconds: list[float] = field(default_factory=list)
    limit: int = 0
    """The rounds it was allowed."""

    @property
    def rounds(self) -> int:
        return len(self.tokens) - 1

    def share(self, rounds: int) -> float | None:
        """Tokens with so many rounds against one batch and an answer; None if this run cannot tell."""
        if self.rounds < 1 or (rounds > self.rounds and self.rounds >= self.limit):
            return None
        base = self.tokens[0] + self.tokens[1]
        return max(1.0, sum(self.tokens[: rounds + 1]) / base) if base else None


@dataclass(frozen=True, slots=True)
class RoundCosts:
    """`runs` is how many runs it rests on; seconds are those of one round."""

    runs: int
    model_seconds: float
    tool_seconds: float
    _measured: tuple[RunRounds, ...]

    def multiple(self, rounds: int) -> float | None:
        """How many times the tokens of an answer without rounds; None where too few runs went so far."""
        shares = [share for run in self._measured if (share := run.share(rounds)) is not None]
        return sum(shares) / len(shares) if len(shares) >= ENOUGH_RUNS else None


def rounds_of(run: RunView) -> RunRounds | None:
    """None for a run without rounds, or without an answer."""
    steps = [item for item in run.steps.values() if item.end is not None]
    count = 1 + max((item.round for item in steps), default=0)
    rounds = RunRounds([0] * count, [0.0] * count, [0.0] * count, max((item.limit for item in run.rounds), default=0))
    for item in steps:
        if item.end is not None:
            rounds.tokens[item.round] += item.end.usage.total
            rounds.model_seconds[item.round] += item.end.ms / 1_000
    for call in run.calls.values():
        if call.result is not None and call.round < count:
            rounds.tool_seconds[call.round] = max(rounds.tool_seconds[call.round], call.result.ms / 1_000)
    return rounds if run.stop_reason and rounds.rounds >= 1 else None


def round_costs(runs: Sequence[RunRounds]) -> RoundCosts | None:
    """None while there are too few runs to tell."""
    if len(runs) < ENOUGH_RUNS:
        return None
    model = [seconds for run in runs for seconds in run.model_seconds[1:]]
    tool = [seconds for run in runs for seconds in run.tool_seconds[:-1]]
    return RoundCosts(len(runs), _mean(model), _mean(tool), tuple(runs))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
