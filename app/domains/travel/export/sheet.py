"""What a printed plan needs besides its days: what to book and where, what it costs, what to eat, a map of each day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..model.dataset import Dataset
from ..model.sights import find_foods
from ..model.trip_values import place_of, stops_of
from ..rules.estimate import cost_of, days_of
from ..trip_words import booked_sights
from ..wording import count_in, half_up, money, say_in
from .day_drawing import MapMark, day_png

MOST_FOODS = 8


@dataclass(frozen=True)
class Booking:
    text: str
    url: str
    """"" where no official page is on record: none is better than a guessed one."""


@dataclass(frozen=True)
class TripSheet:
    bookings: Sequence[Booking] = ()
    budget: Sequence[tuple[str, str]] = ()
    foods: Sequence[str] = ()
    maps: Mapping[int, bytes] = field(default_factory=dict)
    """A PNG by number of the day, where places of it are known."""


def sheet_of(itinerary: Mapping[str, Any], dataset: Dataset, language: str, *, with_maps: bool) -> TripSheet:
    bookings = []
    for ahead, sight in booked_sights(itinerary, dataset):
        name = sight.name(language)
        words = count_in(language, "{names}: book {n} day ahead", "{names}: book {n} days ahead", ahead, names=name)
        bookings.append(Booking(words, sight.source_url))
    cities = {str(day.get("city") or itinerary.get("city") or "") for day in days_of(itinerary)}
    known = [city for id in sorted(cities) if id and (city := dataset.city(id))]
    foods = [
        say_in(language, "{name} ({where})", name=food.name(language), where=city.name(language))
        for city in known
        for food in find_foods(city)[: max(1, MOST_FOODS // len(known))]
    ]
    maps = {}
    for day in days_of(itinerary) if with_maps else ():
        picture = day_png(_marks(day), str(day.get("city") or itinerary.get("city") or ""))
        if picture:
            maps[int(day.get("day") or 0)] = picture
    return TripSheet(bookings, _budget(itinerary, dataset, language), foods, maps)


def _budget(itinerary: Mapping[str, Any], dataset: Dataset, language: str) -> list[tuple[str, str]]:
    cost = cost_of(itinerary, dataset, language)
    if cost is None:
        return []
    rows = [(label, money(half_up(amount), cost.currency)) for label, amount in cost.lines]
    total = say_in(language, "Total") if cost.is_complete else say_in(language, "Total, without the way there and back")
    return [*rows, (total, money(half_up(cost.total), cost.currency))]


def _marks(day: Mapping[str, Any]) -> list[MapMark]:
    places = [(stop, at) for stop in stops_of(day) if (at := place_of(stop)) is not None]
    sights = [(stop, at) for stop, at in places if stop.get("kind", "sight") == "sight"]
    return [MapMark(lat, lon, number) for number, (_stop, (lat, lon)) in enumerate(sights, 1)]
