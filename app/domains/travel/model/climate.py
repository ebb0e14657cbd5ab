"""How warm a city usually is in a month: means in whole degrees Celsius, to choose by, never a forecast."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache

from ..wording import listed, month_name, say_in
from .vocabulary import data_dir

FILE = "climate"
COMFORT = {"warm": (18, 30, 24), "cool": (8, 22, 18)}
"""From how many degrees to how many it is what one asked for, and what is best."""


@cache
def _means() -> dict[str, tuple[int, ...]]:
    raw = json.loads((data_dir() / f"{FILE}.json").read_text(encoding="utf-8"))
    return {city: tuple(months) for city, months in raw["months"].items()}


def mean_temperature(city: str, month: int) -> int | None:
    """None for a city that the data does not hold."""
    months = _means().get(city)
    return months[month - 1] if months else None


def year_of(city: str) -> list[int] | None:
    """January first."""
    months = _means().get(city)
    return list(months) if months else None


def distance_from(climate: str, city: str, months: Collection[int]) -> float | None:
    """By how many degrees the mean of these months misses what is best; None where it is not `climate` at all."""
    low, high, best = COMFORT[climate]
    means = [mean for month in months if (mean := mean_temperature(city, month)) is not None]
    if not means or any(not low <= mean <= high for mean in means):
        return None
    return abs(sum(means) / len(means) - best)


def told(city: str, months: Collection[int], language: str) -> str:
    """As "12月均温约22℃"; empty where nothing is known."""
    means = [(month, mean) for month in months if (mean := mean_temperature(city, month)) is not None]
    if not means:
        return ""
    means_sorted = sorted({mean for _, mean in means})
    degrees = f"{means_sorted[0]}℃" if len(means_sorted) == 1 else f"{means_sorted[0]}–{means_sorted[-1]}℃"
    names = listed(language, [month_name(language, month) for month, _ in means])
    return say_in(language, "about {degrees} on average in {months}", degrees=degrees, months=names)


def over_the_year(city: str, language: str) -> str:
    """The first months of the four seasons; empty where nothing is known."""
    means = [(month, mean_temperature(city, month)) for month in (1, 4, 7, 10)]
    if means[0][1] is None:
        return ""
    return listed(
        language,
        [
            say_in(language, "about {mean}℃ in {month}", mean=mean, month=month_name(language, number))
            for number, mean in means
        ],
    )
