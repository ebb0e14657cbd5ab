"""How long the way between two cities takes, from the centre of one to the centre of the other, offline.

Nobody knows the timetable here: straight line, detour, usual speeds, the ways to the stations and the time one is there
before. Every figure is an estimate and is told as one; fares are never guessed (agents.md 2.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from ..model.geo import distance_km
from ..model.places import City
from ..wording import N_, say_in

ARRIVAL_BUFFER = {"air": 45, "rail": 15, "bus": 15, "port": 20}
"""Minutes from getting off to standing in front of the station, by kind of station."""
DEPARTURE_BUFFER = {"air": 120, "rail": 45, "bus": 30, "port": 45}
"""Minutes one is there before it leaves."""

RAIL_DETOUR, ROAD_DETOUR = 1.25, 1.35
RAIL_START, AIR_START, ROAD_START = 15, 40, 20
AIR_KMH, ROAD_KMH, SLOW_RAIL_KMH = 750.0, 60.0, 85.0
RAIL_KMH: Mapping[str, float] = {"CN": 220.0, "JP": 210.0, "FR": 160.0, "IT": 160.0, "ES": 160.0, "GB": 140.0}
SLOW_RAIL = frozenset({"lhasa", "dunhuang", "hulunbuir"})
"""Cities that no fast line reaches."""
ISLANDS: Mapping[str, str] = {"haikou": "hainan", "sanya": "hainan", "taipei": "taiwan"}
LANDS: Mapping[str, str] = {
    "FR": "europe",
    "GB": "europe",
    "IT": "europe",
    "ES": "europe",
    "MY": "malaya",
    "SG": "malaya",
}
"""Countries between which trains and coaches run; any other is a land of its own."""
FLIGHT_FROM_KM = 150.0
NEXT_AIRPORT = 90
"""Minutes to the airport of another city, where there is none of one's own."""
WORTH_A_FLIGHT = 0.77
"""A flight is taken only where it needs less than this part of the time of the train, door to door."""

MODE_NAMES = {"train": N_("train"), "flight": N_("flight"), "bus": N_("coach")}


@dataclass(frozen=True, slots=True)
class IntercityTrip:
    mode: str
    ride: int
    """Minutes on the train, plane or coach itself."""
    minutes: int
    """From centre to centre, with the ways to and from the stations and the time spent there."""
    km: int
    """In a straight line."""

    def told(self, language: str) -> str:
        words = N_("{mode} about {ride}, about {whole} from door to door (estimate: look up timetable and fare)")
        ride, whole = _hours(language, self.ride), _hours(language, self.minutes)
        return say_in(language, words, mode=say_in(language, MODE_NAMES[self.mode]), ride=ride, whole=whole)


FARES: Mapping[str, tuple[str, float, float]] = {
    "CN": ("CNY", 0.38, 0.56), "JP": ("JPY", 22.0, 30.0), "KR": ("KRW", 120.0, 160.0), "IT": ("EUR", 0.07, 0.22),
    "FR": ("EUR", 0.06, 0.24), "ES": ("EUR", 0.06, 0.2), "GB": ("GBP", 0.1, 0.4),
}  # fmt: skip
"""Currency, and the least and most a kilometre by rail costs in the second class: orders of magnitude."""
SLOW_FARE = 0.45
"""What part of it a slow train costs."""


def train_fare(a: City, b: City, trip: IntercityTrip) -> tuple[int, int, str] | None:
    """From how much to how much a ticket of the second class usually is; None where there is no figure."""
    fares = FARES.get(a.country)
    if trip.mode != "train" or fares is None or a.country != b.country:
        return None
    currency, low, high = fares
    km = trip.km * RAIL_DETOUR * (SLOW_FARE if a.id in SLOW_RAIL or b.id in SLOW_RAIL else 1.0)
    step = 5 if low < 1 else 100
    return max(step, round(km * low / step) * step), max(2 * step, round(km * high / step) * step), currency


def passage(a: City, b: City) -> IntercityTrip:
    """The usual way: the train where there is one, unless a flight is much quicker."""
    straight = distance_km(a.point, b.point)
    ground = _by_rail(a, b, straight) or _by_road(a, b, straight)
    flight = _by_air(a, b, straight)
    if ground and (flight is None or flight.minutes > ground.minutes * WORTH_A_FLIGHT):
        return ground
    return flight or _road(straight)


def clock_shift(a: City, b: City, on: date | None) -> int:
    """Minutes by which the clocks of `b` are ahead of those of `a`."""
    noon = datetime.combine(on or date(2026, 1, 15), datetime.min.time()).replace(hour=12)
    offsets = [noon.replace(tzinfo=ZoneInfo(city.tz)).utcoffset() for city in (a, b)]
    if offsets[0] is None or offsets[1] is None:
        return 0
    return int((offsets[1] - offsets[0]).total_seconds() // 60)


def _land(city: City) -> str:
    return ISLANDS.get(city.id) or LANDS.get(city.country, city.country)


def _by_rail(a: City, b: City, straight: float) -> IntercityTrip | None:
    here, there = _to_station(a, "rail"), _to_station(b, "rail")
    if here is None or there is None or _land(a) != _land(b):
        return None
    slow = a.id in SLOW_RAIL or b.id in SLOW_RAIL
    speed = SLOW_RAIL_KMH if slow else min(RAIL_KMH.get(city.country, SLOW_RAIL_KMH) for city in (a, b))
    return _passage("train", "rail", RAIL_START + straight * RAIL_DETOUR / speed * 60, here + there, straight)


def _by_air(a: City, b: City, straight: float) -> IntercityTrip | None:
    if straight < FLIGHT_FROM_KM:
        return None
    ends = sum(_to_station(city, "air") or NEXT_AIRPORT for city in (a, b))
    return _passage("flight", "air", AIR_START + straight / AIR_KMH * 60, ends, straight)


def _by_road(a: City, b: City, straight: float) -> IntercityTrip | None:
    return _road(straight) if _land(a) == _land(b) else None


def _road(straight: float) -> IntercityTrip:
    return _passage("bus", "bus", ROAD_START + straight * ROAD_DETOUR / ROAD_KMH * 60, 30, straight)


def _to_station(city: City, kind: str) -> int | None:
    """Minutes between the centre and the first station of this kind that the record names."""
    return next((hub.minutes_to_centre for hub in city.hubs if hub.kind == kind), None)


def _passage(mode: str, kind: str, ride: float, to_stations: int, straight: float) -> IntercityTrip:
    whole = _to_five(ride)
    minutes = _to_five(whole + to_stations + DEPARTURE_BUFFER[kind] + ARRIVAL_BUFFER[kind])
    return IntercityTrip(mode, whole, minutes, round(straight))


def _to_five(minutes: float) -> int:
    """Rounded up to five minutes: more exactly nobody can say."""
    return -(-int(minutes) // 5) * 5


def _hours(language: str, minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    if hours and rest:
        return say_in(language, "{hours} h {minutes} min", hours=hours, minutes=rest)
    return say_in(language, "{hours} h", hours=hours) if hours else say_in(language, "{minutes} min", minutes=rest)
