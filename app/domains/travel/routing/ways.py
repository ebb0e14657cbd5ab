"""The way between two places of a route: estimated from coordinates, or as the caller gave it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .stops import Leg
from .transfer import Mode, Spot, between, rounded


@dataclass(frozen=True)
class EstimatedWays:
    """By the estimate of `transfer`, from where each key lies."""

    spots: Mapping[str, Spot]
    mode: Mode

    def leg(self, origin: str, destination: str) -> Leg:
        way = between(self.spots[origin], self.spots[destination], self.mode)
        return Leg(way.mode, way.typical, round(way.km, 1), estimate=True)


@dataclass(frozen=True)
class GivenWays:
    """By a matrix {from: {to: minutes}}, which need not be symmetric."""

    matrix: Mapping[str, Mapping[str, float]]
    mode: Mode

    def leg(self, origin: str, destination: str) -> Leg:
        return Leg(self.mode, rounded(self.matrix[origin][destination]), None, estimate=False)

    def missing(self, pairs: Iterable[tuple[str, str]]) -> list[str]:
        """The pairs that are needed and not there, as `from→to`."""
        return [f"{a}→{b}" for a, b in pairs if a != b and b not in self.matrix.get(a, {})]
