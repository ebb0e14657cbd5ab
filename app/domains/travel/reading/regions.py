"""A wish for a region ("5天的云南行程") as cities of it: those that fit the days and lie near one another."""

from __future__ import annotations

from datetime import date
from functools import cache

from ..model.dataset import builtin
from ..model.geo import distance_km
from ..model.places import City
from ..model.vocabulary import vocabulary

APART_KM = 420
"""Two cities of a region that are further apart are no journey of a few days."""
DAYS_EACH = 2
MOST = 4


def cities_in(region: str, days: int, text: str, today: date) -> list[str]:
    """Ids, the most fitting first; several where there is time for more than one. Nothing without a number of days."""
    if not days:
        return []
    cities = _of(region)
    if not cities:
        return []
    wished = [term.code for term in vocabulary().tags.terms if _is_meant(term.code, text)]
    ranked = sorted(cities, key=lambda city: -_score(city, wished, today))
    chosen = [ranked[0]]
    for city in ranked[1:]:
        is_near = any(distance_km(city.point, each.point) <= APART_KM for each in chosen)
        if is_near and len(chosen) < MOST and days // (len(chosen) + 1) >= DAYS_EACH:
            chosen.append(city)
    return [city.id for city in chosen]


@cache
def _of(region: str) -> tuple[City, ...]:
    return tuple(city for city in builtin().cities if region in (city.region, city.admin1))


def _is_meant(code: str, text: str) -> bool:
    term = vocabulary().tags.find(code)
    return term is not None and (term.label("zh_CN") in text or term.label("en") in text)


def _score(city: City, wished: list[str], today: date) -> float:
    """What is wished for first (what a city is best for stands first in its record), then how long it holds one."""
    met = sum(10 - min(city.tags.index(tag), 9) for tag in wished if tag in city.tags)
    return met + city.recommended_days.typ / 10 + len(city.attractions) / 100
