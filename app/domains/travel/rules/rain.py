"""What a day has under a roof if it rains: for each sight outdoors one indoors near by that is open and not planned."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ..model.geo import distance_km
from ..model.hours import opens_on
from ..model.places import Attraction
from ..routing.stops import DayPlan
from .route_request import RouteRequest

RAIN = "if_it_rains"
"""The field of a day: [{instead_of, place_id, name}], in the order of the day."""


def under_a_roof(request: RouteRequest, plan: DayPlan, taken: Collection[str], language: str) -> list[dict[str, Any]]:
    """`taken`: ids that are in the plan, or an alternative of another day already."""
    if request.city is None:
        return []
    sights = {sight.id: sight for sight in request.city.attractions}
    used, found = set(taken), []
    for id in plan.ids:
        sight = sights.get(id)
        if sight is None or sight.indoor:
            continue
        choice = next(_indoors(request, plan, sight, used), None)
        if choice is not None:
            used.add(choice.id)
            found.append({"instead_of": sight.id, "place_id": choice.id, "name": choice.name(language)})
    return found


def _indoors(request: RouteRequest, plan: DayPlan, sight: Attraction, used: Collection[str]) -> Iterator[Attraction]:
    city, day = request.city, plan.day
    free = [
        other
        for other in (city.attractions if city else ())
        if other.indoor
        and other.id not in used
        and other.id not in request.left_out
        and opens_on(other.hours, day.date, public_holiday=day.holiday)
    ]
    yield from sorted(free, key=lambda other: (round(distance_km(sight.point, other.point), 3), other.id))
