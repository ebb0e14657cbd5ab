"""What is known about the places of an itinerary: hours, prices, positions, and the ways between them.

A place that came with the itinerary (`places`) goes before one of the data. Asked by the checks, by edits and by
exports, so that all of them judge by the same facts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model.dataset import Dataset
from ..model.geo import distance_km
from ..model.holiday_calendar import calendar_of, holiday_name
from ..model.hours import Hours
from ..model.places import Attraction, City, Ticket
from ..model.trip import Trip, TripDay, TripStop
from ..model.vocabulary import folded
from ..routing.stops import Leg
from ..routing.transfer import LOCAL_LIMIT_KM, MODES, Mode, Spot, between, estimate, hub_spot, rounded, spot_of


@dataclass(frozen=True)
class Known:
    id: str
    name: str
    hours: Hours | None
    ticket: Ticket | None
    spot: Spot | None
    minutes: int | None
    city: City | None = None
    sight: Attraction | None = None


@dataclass(frozen=True)
class Way:
    """`least` is what the way takes at the very least, `typical` what one plans with."""

    mode: str
    typical: int
    least: int
    km: float | None
    given: bool

    @property
    def leg(self) -> Leg:
        return Leg(self.mode, self.typical, self.km, estimate=not self.given)


@dataclass
class TripFacts:
    trip: Trip
    dataset: Dataset
    language: str
    _places: dict[tuple[str, str, str], Known | None] = field(default_factory=dict)

    def city_of(self, day: TripDay) -> City | None:
        """The day's city; of the journey's only one if the day names none."""
        named = day.city or (self.trip.cities[0] if len(self.trip.cities) == 1 else None)
        return self.dataset.city(named) if named else None

    def calendar_of(self, day: TripDay) -> str:
        """Whose public holidays the day has."""
        city = self.city_of(day)
        return calendar_of(city) if city else ""

    def is_holiday(self, day: TripDay) -> bool:
        return holiday_name(self.calendar_of(day), day.date) is not None

    def place(self, day: TripDay, stop: TripStop) -> Known | None:
        if stop.kind not in ("sight", "free") and not stop.place_id:
            return None
        city = self.city_of(day)
        key = stop.place_id or "", stop.name, city.id if city else ""
        if key not in self._places:
            self._places[key] = self._found(stop, city)
        return self._places[key]

    def named(self, said: str, city: City | None = None) -> Known | None:
        """A place by what somebody calls it."""
        for given in self.trip.places.values():
            if said in (given.id, given.name):
                spot = Spot(given.point) if given.point else None
                return Known(given.id, given.name, given.hours, given.ticket, spot, given.minutes)
        match = self.dataset.attraction(said, city) if said else None
        if not match:
            return None
        home, sight = match
        return Known(
            sight.id, sight.name(self.language), sight.hours, sight.ticket, spot_of(home, sight),
            sight.visit_minutes.typ, home, sight,
        )  # fmt: skip

    def _found(self, stop: TripStop, city: City | None) -> Known | None:
        place = self.named(stop.place_id or "", city) or self.named(stop.name, city)
        if place and place.spot is None and stop.point:
            return Known(place.id, place.name, place.hours, place.ticket, Spot(stop.point), place.minutes)
        return place

    def spot(self, day: TripDay, stop: TripStop) -> Spot | None:
        place = self.place(day, stop)
        if place and place.spot:
            return place.spot
        return Spot(stop.point) if stop.point else None

    def key(self, day: TripDay, stop: TripStop) -> str | None:
        """What the travel matrix calls it; None for a stop that is at no known place (a meal somewhere)."""
        place = self.place(day, stop)
        if place:
            return place.id
        if stop.place_id or stop.kind in ("hotel", "sight") or stop.point:
            return stop.place_id or stop.name
        return None

    def way(self, a: tuple[str, Spot | None], b: tuple[str, Spot | None], mode: str) -> Way | None:
        """None where neither a matrix nor positions say anything."""
        minutes = self.trip.matrix.get(a[0], {}).get(b[0])
        if minutes is not None:
            return Way(mode, rounded(minutes), int(minutes), None, given=True)
        if a[0] == b[0]:
            return Way(mode, 0, 0, 0.0, given=False)
        if a[1] is None or b[1] is None:
            return None
        if distance_km(a[1].point, b[1].point) > LOCAL_LIMIT_KM and not (a[1].day_trip or b[1].day_trip):
            return None
        way = estimate(a[1].point, b[1].point, "walk") if mode == "walk" else between(a[1], b[1], _mode(mode))
        return Way(way.mode, way.typical, way.low, round(way.km, 1), given=False)

    def end_of(self, day: TripDay, stop: TripStop) -> tuple[str, Spot | None]:
        return self.key(day, stop) or "", self.spot(day, stop)

    def home(self, day: TripDay) -> tuple[str, Spot | None] | None:
        """Where the day begins, as far as it is known: the station of arrival, or the lodging of the night before."""
        arrival = self.trip.arrival
        if arrival and arrival.day == day.number and arrival.place:
            return self._station(day, arrival.place)
        return self._lodging(day)

    def goal(self, day: TripDay) -> tuple[str, Spot | None] | None:
        """Where the day ends."""
        departure = self.trip.departure
        if departure and departure.day == day.number and departure.place:
            return self._station(day, departure.place)
        return None if self.trip.raw.get("return_to_start") is False else self._lodging(day)

    def _station(self, day: TripDay, name: str) -> tuple[str, Spot | None] | None:
        if any(name == key for key in self.trip.matrix):
            return name, None
        city = self.city_of(day)
        for hub in city.hubs if city else ():
            if folded(name) in (folded(hub.name_zh), folded(hub.name_en)):
                return name, hub_spot(city, hub) if city else Spot(hub.point)
        place = self.named(name, city)
        return (place.id, place.spot) if place and place.spot else None

    def _lodging(self, day: TripDay) -> tuple[str, Spot | None] | None:
        before = self.trip.day(day.number - 1)
        if before and before.city and day.city and before.city != day.city and arriving(day):
            before = None
        lodging = (before.lodging if before else None) or day.lodging or self.trip.lodging
        if lodging is None:
            return None
        if lodging.point:
            return lodging.name, Spot(lodging.point)
        city = self.city_of(day)
        return lodging.name, Spot(city.point, city.point) if lodging.assumed and city else None


def arriving(day: TripDay) -> TripStop | None:
    """The way from another city with which the day begins."""
    first = day.stops[0] if day.stops else None
    return first if first and first.kind == "intercity" and first.timed else None


def _mode(mode: str) -> Mode:
    return mode if mode in MODES else "transit"
