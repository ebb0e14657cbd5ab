"""How long the way from here to there takes, offline.

Inside a city the estimate is one rule for everything: the straight line, stretched by a detour factor, at a speed of
the mode (agents.md 2.3). Far outside, city speeds would be absurd: a place marked `day_trip` is reached by the time
its record states from the centre, and between such places by road at open-country speed. Every figure is an estimate
and says how it was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Literal

from ..model.geo import Point, distance_km
from ..model.places import Access, Attraction, City, TransportHub
from ..model.waters import crossed
from ..wording import half_up

Mode = Literal["walk", "transit", "taxi", "drive"]
MODES: tuple[Mode, ...] = ("walk", "transit", "taxi", "drive")

DETOUR = {"walk": 1.25, "transit": 1.4, "taxi": 1.35, "drive": 1.35}
SPEED_KMH = {"walk": 4.5, "transit": 18.0, "taxi": 24.0, "drive": 28.0}
BOARDING_MINUTES = {"walk": 0, "transit": 8, "taxi": 5, "drive": 8}
WALK_BELOW_KM = 1.2
LOCAL_LIMIT_KM = 120.0
"""Beyond this straight line it is a journey between cities, and no local estimate is given."""

FAR_FROM_KM = 10.0
"""Nearer than this a day-trip place is a neighbour like any other."""
NEAR_CENTRE_KM = 20.0
LEAST_OF_ACCESS, MOST_OF_ACCESS = 0.7, 1.5
COUNTRY_ROAD_KMH = 55.0
COUNTRY_ROAD_START = 10

HAVERSINE, ACCESS, ROAD = "haversine×detour", "dataset access time", "country road"
ACROSS_WATER = "haversine×detour + crossing"
CROSSING_KM = 12.0
"""Beyond this the general estimate holds the bridge or tunnel already."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as far as getting there is concerned."""

    point: Point
    centre: Point | None = None
    access: Access | None = None
    day_trip: bool = False
    scaled: bool = False
    """The time of `access` is that to the centre and is more or less to other places, by their distance."""


@dataclass(frozen=True, slots=True)
class Transfer:
    mode: Mode
    km: float
    minutes: float
    method: str = HAVERSINE

    @property
    def typical(self) -> int:
        return rounded(self.minutes)

    @property
    def low(self) -> int:
        return rounded(self.minutes * 0.8)

    @property
    def high(self) -> int:
        return rounded(self.minutes * 1.4)


def spot_of(city: City, attraction: Attraction) -> Spot:
    return Spot(attraction.point, city.point, attraction.access, attraction.day_trip)


def hub_spot(city: City, hub: TransportHub) -> Spot:
    """A station or airport: far out, its record says how long the way to the centre takes."""
    return Spot(hub.point, city.point, Access(hub.minutes_to_centre, "transit", ""), day_trip=True, scaled=True)


def estimate(a: Point, b: Point, mode: Mode) -> Transfer:
    """The rule inside a city; a short way is walked, whatever the mode, unless there is water to cross."""
    straight = distance_km(a, b)
    water = crossed(a, b) if straight < CROSSING_KM else None
    if water is not None and (mode == "walk" or water.ferry_only):
        mode = "transit"
    elif water is None and straight * DETOUR["walk"] < WALK_BELOW_KM:
        mode = "walk"
    km = straight * DETOUR[mode]
    minutes = BOARDING_MINUTES[mode] + km / SPEED_KMH[mode] * 60
    return Transfer(mode, km, minutes) if water is None else Transfer(mode, km, minutes + water.minutes, ACROSS_WATER)


def between(a: Spot, b: Spot, mode: Mode) -> Transfer:
    """The rule inside a city, or what the records of far places say."""
    straight = distance_km(a.point, b.point)
    if not (a.day_trip or b.day_trip) or straight <= FAR_FROM_KM:
        return estimate(a.point, b.point, mode)
    road_mode: Mode = "drive" if mode == "walk" else mode
    km = straight * DETOUR["drive"]
    road = Transfer(road_mode, km, COUNTRY_ROAD_START + km / COUNTRY_ROAD_KMH * 60, ROAD)
    access = _access(a, b) or _access(b, a)
    if access is None or (mode in ("taxi", "drive") and road.minutes < access[1]):
        return road
    far, minutes = access
    return Transfer("drive" if far.mode == "drive" else road_mode, km, minutes, ACCESS)


def _access(far: Spot, other: Spot) -> tuple[Access, float] | None:
    """What the record of a far place says of the way to this one."""
    if far.access is None or far.centre is None or other.day_trip:
        return None
    if distance_km(far.centre, other.point) > NEAR_CENTRE_KM:
        return None
    whole = distance_km(far.point, far.centre)
    share = distance_km(far.point, other.point) / whole if far.scaled and whole else 1.0
    return far.access, far.access.minutes * min(MOST_OF_ACCESS, max(LEAST_OF_ACCESS, share))


def cost_range(transfer: Transfer) -> tuple[int, int]:
    """What the ride costs one party in yuan, roughly: a fare, a metered taxi, fuel."""
    km = transfer.km
    match transfer.mode:
        case "walk":
            return 0, 0
        case "transit":
            return (2, 3 + ceil(km / 8)) if km < 40 else (ceil(km * 0.2), ceil(km * 0.6))
        case "taxi":
            metered = 10 + max(0.0, km - 3) * 2.5
            return rounded(metered * 0.9), rounded(metered * 1.3)
        case "drive":
            return rounded(km * 0.6), rounded(km * 0.9) + 15


def rounded(minutes: float) -> int:
    return int(half_up(Decimal(str(minutes))))
