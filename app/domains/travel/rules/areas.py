"""Where things are in a city: areas that sights give a name to, where to stay by distance alone."""

from __future__ import annotations

from typing import Any

from ..model.areas import area_called, areas_of, sight_at
from ..model.geo import distance_km
from ..model.places import Attraction, City
from ..model.vocabulary import folded

MOST, FAMOUS = 3, 8
"""Places named, and best-known sights they are to be near to."""


def stay_near(city: City, language: str) -> list[dict[str, Any]]:
    """The sights of the city from which the best-known ones are nearest, with the mean distance in km."""
    famous = [sight for sight in city.attractions if not sight.day_trip][:FAMOUS]
    if len(famous) < 2:
        return []
    means = []
    for place, sight in enumerate(famous):
        others = [distance_km(sight.point, other.point) for other in famous if other is not sight]
        # The nearest five: one sight far out does not decide where to stay.
        near = sorted(others)[:5]
        means.append((round(sum(near) / len(near), 1), place, sight))
    return [{"name": sight.name(language), "km": km} for km, _place, sight in sorted(means)[:MOST]]


def areas_to_stay(city: City, language: str) -> list[dict[str, Any]]:
    return [{"name": one.name(language), "what": one.what(language)} for one in areas_of(city)]


def area_of(city: City, name: str) -> Attraction | None:
    """The sight that an area lies at or is called after, "Shinjuku" of Shinjuku Gyoen; the best known of several."""
    if (area := area_called(city, name)) is not None and (at := sight_at(city, area)) is not None:
        return at
    word = folded(name)
    if len(word) < 2:
        return None
    return next(
        (sight for sight in city.attractions if any(word in folded(n) for n in (sight.name_zh, sight.name_en))), None
    )
