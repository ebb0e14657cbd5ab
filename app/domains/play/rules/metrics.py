"""Two numbers per dimension of interest, from what was observed.

strength     how much it is liked: the weighted mean of the intensities, from 0 to 100; 50 where nothing is known
exploration  how much is known: the sum of the weights, 100 at ten
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from ..model.observation import DimensionMatch, Observation
from ..model.vocabulary import DIMENSIONS, Category, Dimension

HALF_LIFE_DAYS = 60
"""Offered, not the default: without it an old observation counts like a new one."""
_FULLY_EXPLORED = 10
_MOST_DAYS = 60
_DISLIKED, _LIKED, _KNOWN, _ENOUGH = 30, 65, 30, 2


@dataclass(frozen=True, slots=True)
class Metric:
    dimension: Dimension
    strength: int
    exploration: int
    observations: int
    category: Category
    objects: tuple[str, ...]


def metrics(
    observations: Iterable[Observation], today: date, half_life_days: int | None = None
) -> Mapping[Dimension, Metric]:
    """Of every dimension, in their order."""
    all_observations = list(observations)
    return {name: _metric(name, _weighted(name, all_observations, today, half_life_days)) for name in DIMENSIONS}


def trend(
    observations: Iterable[Observation], today: date, most: int = 3
) -> list[tuple[Dimension, list[tuple[date, int]]]]:
    """The strength after each day on which something was seen, of the dimensions most is known of; none where there
    are fewer than two days."""
    items = sorted(observations, key=lambda one: (one.date, one.id))
    days = sorted({one.date for one in items})
    if len(days) < 2:
        return []
    after = [metrics([one for one in items if one.date <= day], today) for day in days[-_MOST_DAYS:]]
    dimensions = sorted(DIMENSIONS, key=lambda name: -after[-1][name].exploration)[:most]
    lines = [
        (
            name,
            [
                (day, at[name].strength)
                for day, at in zip(days[-_MOST_DAYS:], after, strict=True)
                if at[name].observations
            ],
        )
        for name in dimensions
    ]
    return [(name, points) for name, points in lines if len(points) > 1]


def category(strength: int, exploration: int, observations: int) -> Category:
    """A proposal: the person decides."""
    if strength <= _DISLIKED and observations >= _ENOUGH:
        return "avoid"
    if strength >= _LIKED and exploration >= _KNOWN:
        return "leverage"
    return "explore" if exploration < _KNOWN and strength > _DISLIKED else "neutral"


def _weighted(
    dimension: Dimension, observations: list[Observation], today: date, half_life: int | None
) -> list[tuple[Decimal, DimensionMatch, str]]:
    weighted = []
    for one in observations:
        days = max(0, (today - one.date).days)
        factor = Decimal(1) if not half_life else Decimal(str(0.5 ** (days / half_life)))
        weighted += [
            (Decimal(str(match.weight)) * factor, match, one.id)
            for match in one.matches
            if match.dimension == dimension
        ]
    return weighted


def _metric(dimension: Dimension, found: list[tuple[Decimal, DimensionMatch, str]]) -> Metric:
    total = sum((weight for weight, _, _ in found), Decimal(0))
    strength = 50
    if total:
        # The mean of exact decimals: 0.4 × 0.3 in binary would fall below a half that stands on the edge.
        mean = sum((weight * Decimal(str(match.intensity)) for weight, match, _ in found), Decimal(0)) / total
        strength = _half_up((mean + 1) * 50)
    exploration = min(100, _half_up(total / _FULLY_EXPLORED * 100))
    number = len({id for _, _, id in found})
    objects = dict.fromkeys(name for _, match, _ in found for name in match.objects)
    return Metric(dimension, strength, exploration, number, category(strength, exploration, number), tuple(objects))


def _half_up(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))
