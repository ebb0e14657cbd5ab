"""A sight of the data, or a place the caller gave, as a stop of a route: when, how long, with which remarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from ..model.daylight import dusk
from ..model.geo import Point
from ..model.hours import Hours, parse_hours, windows_on
from ..model.places import Attraction, City, Ticket, read_ticket
from ..model.sights import booking_text
from ..routing.stops import Stop, wished_start
from ..routing.transfer import Spot, spot_of
from ..wording import say_in, speaks_chinese

RANKS = ((0.2, 5), (0.4, 4), (0.7, 3), (0.9, 2))
"""How much of a city's list, in order of fame, has which rank; the rest has 1."""


@dataclass(frozen=True)
class RouteStop:
    """A stop as the itinerary tells it."""

    stop: Stop
    name: str
    spot: Spot | None
    ticket: Ticket
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def by_interest(city: City, tags: Sequence[str]) -> list[Attraction]:
    """By the number of interests met, then by fame."""
    return sorted(city.attractions, key=lambda sight: -len(set(tags) & set(sight.tags)))


def rank(city: City, sight: Attraction, tags: Sequence[str] = ()) -> int:
    """1 to 5, by its place in the city's list: ours, and no vote of visitors. With interests, whether it meets one."""
    if tags:
        return 5 if set(tags) & set(sight.tags) else 2
    place = city.attractions.index(sight) / max(1, len(city.attractions))
    return next((stars for share, stars in RANKS if place < share), 1)


def sight_stop(
    city: City,
    sight: Attraction,
    on: date | None,
    closing: int,
    language: str,
    *,
    must: bool,
    tags: Sequence[str] = (),
) -> RouteStop:
    """`closing`: when the day ends at the latest, which decides how late an evening can begin."""
    notes, warnings = [], []
    if sight.hours.note and speaks_chinese(language):
        notes.append(sight.hours.note)
    if sight.access:
        minutes, way = sight.access.minutes, sight.access.mode
        from_centre = say_in(language, "about {minutes} min by {way} from the centre", minutes=minutes, way=way)
        notes.append(sight.access.note if speaks_chinese(language) else from_centre)
    if sight.reservation.required:
        warnings.append(booking_text(sight, language))
    if sight.confidence == "low":
        warnings.append(say_in(language, "not certain: check before you go"))
    minutes = sight.visit_minutes.typ
    earliest, latest = wished_start(sight.best_time, minutes, windows_on(sight.hours, on), closing, dusk(city, on))
    stop = Stop(
        sight.id, sight.hours, minutes, must, not_before=earliest, not_after=latest,
        longest=sight.visit_minutes.max, rank=rank(city, sight, tags), shortest=sight.visit_minutes.min,
    )  # fmt: skip
    return RouteStop(stop, sight.name(language), spot_of(city, sight), sight.ticket, tuple(notes), tuple(warnings))


def given_stop(raw: Mapping[str, Any]) -> RouteStop:
    visit, ticket = raw["visit_minutes"], raw.get("ticket", 0)
    minutes = int(visit["typ"] if isinstance(visit, Mapping) else visit)
    longest = int(visit["max"]) if isinstance(visit, Mapping) and visit.get("max") else minutes
    hours: Hours = parse_hours(raw["hours"])
    spot = Spot(Point(raw["lat"], raw["lon"])) if "lat" in raw and "lon" in raw else None
    price = read_ticket(ticket) if isinstance(ticket, Mapping) else Ticket(Decimal(str(ticket)), None, 0)
    notes = (hours.note,) if hours.note else ()
    stop = Stop(str(raw["id"]), hours, minutes, longest=longest)
    return RouteStop(stop, str(raw["name"]), spot, price, notes)
