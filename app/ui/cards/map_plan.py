"""Where things stand on a map without tiles: places read from a payload, projected, markers kept apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.tools.card_markdown import as_text, mappings

MOST_PLACES = 200
"""More would be a blot; what is left out is told beside the map."""
KM_PER_DEGREE = 111.195
_SMALLEST_SPAN = 0.004
"""Degrees: a map of one place still shows the streets around it."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MapPlace:
    number: int
    name: str
    group: str
    lat: float
    lon: float


@dataclass(frozen=True, slots=True)
class MapLeg:
    start: int
    end: int
    """Positions in the list of places."""
    km: float | None


def read_places(payload: Mapping[str, Any]) -> list[MapPlace]:
    """Points with a position on Earth, numbered by turn; a label that begins with its number says it once."""
    places: list[MapPlace] = []
    for point in mappings(payload, "points"):
        lat, lon = _degrees(point.get("lat"), 90), _degrees(point.get("lon"), 180)
        if lat is None or lon is None:
            continue
        number = len(places) + 1
        name = as_text(point.get("label")).removeprefix(f"{number} ")
        places.append(MapPlace(number, name, as_text(point.get("group")), lat, lon))
    if places and max(p.lon for p in places) - min(p.lon for p in places) > 180:
        # Both sides of the date line: the western one goes on to the right.
        places = [MapPlace(p.number, p.name, p.group, p.lat, p.lon + 360 if p.lon < 0 else p.lon) for p in places]
    return places


def read_legs(payload: Mapping[str, Any], places: Sequence[MapPlace]) -> list[MapLeg]:
    by_label: dict[str, int] = {}
    for position, place in enumerate(places):
        by_label.setdefault(place.name, position)
        by_label[f"{place.number} {place.name}".strip()] = position
    legs = []
    for leg in mappings(payload, "legs"):
        start, end = by_label.get(as_text(leg.get("from"))), by_label.get(as_text(leg.get("to")))
        if start is not None and end is not None and start != end:
            km = leg.get("km")
            has_distance = isinstance(km, int | float) and not isinstance(km, bool) and math.isfinite(km) and km >= 0
            legs.append(MapLeg(start, end, float(km) if has_distance and km is not None else None))
    return legs


def groups_of(places: Sequence[MapPlace]) -> list[str]:
    return list(dict.fromkeys(place.group for place in places))


def _degrees(value: Any, most: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -most <= value <= most:
        return None
    return float(value)


class Projection:
    """Equirectangular around the middle, the same scale both ways, fitted into a box of pixels."""

    def __init__(self, places: Sequence[MapPlace], width: float, height: float, margin: float) -> None:
        lats, lons = [p.lat for p in places], [p.lon for p in places]
        self._lat, self._lon = (min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2
        # Close to the poles a degree of longitude is nothing; the map stays drawable there.
        self._narrow = max(0.05, math.cos(math.radians(self._lat)))
        high = max(_SMALLEST_SPAN, max(lats) - min(lats))
        wide = max(_SMALLEST_SPAN, (max(lons) - min(lons)) * self._narrow)
        room_x, room_y = max(1.0, width - 2 * margin), max(1.0, height - 2 * margin)
        self.scale = min(room_x / wide, room_y / high)
        """Pixels for one degree of latitude."""
        self._width, self._height = width, height

    def point(self, lat: float, lon: float) -> Point:
        x = self._width / 2 + (lon - self._lon) * self._narrow * self.scale
        return x, self._height / 2 - (lat - self._lat) * self.scale

    def meridians(self) -> Iterator[tuple[float, float]]:
        """Longitude and x of each line of the graticule."""
        half = self._width / 2 / (self._narrow * self.scale)
        for lon in _lines(self._lon - half, self._lon + half):
            yield lon, self.point(self._lat, lon)[0]

    def parallels(self) -> Iterator[tuple[float, float]]:
        half = self._height / 2 / self.scale
        for lat in _lines(max(-90.0, self._lat - half), min(90.0, self._lat + half)):
            yield lat, self.point(lat, self._lon)[1]

    def scale_bar(self, most: float) -> tuple[float, float]:
        """A round length in km and its pixels, at most so long."""
        km = round_below(most / self.scale * KM_PER_DEGREE)
        return km, km / KM_PER_DEGREE * self.scale


def round_below(value: float) -> float:
    """The largest of 1, 2, 5, 10, … that is not above."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (5, 2, 1) if power * step <= value * (1 + 1e-9))


def _lines(low: float, high: float) -> list[float]:
    step = round_below(max(1e-4, (high - low) / 2.5))
    first = math.ceil(low / step)
    return [(first + n) * step for n in range(min(12, math.floor(high / step) - first + 1))]


def degrees_text(value: float, signs: str) -> str:
    """As 39.9°N; `signs` are the letters for above and below zero."""
    value = (value + 180) % 360 - 180 if signs == "EW" else value
    return f"{f'{abs(value):.3f}'.rstrip('0').rstrip('.')}°{signs[value < 0] if round(value, 3) else ''}"


def apart(spots: Sequence[Point], distance: float, width: float, height: float) -> list[Point]:
    """Where markers are drawn so that none hides another: as close to its place as there is room."""
    drawn: list[Point] = []
    for spot in spots:
        tries = [spot, *_around(spot, distance)]
        edge = distance / 2
        inside = [(min(max(x, edge), width - edge), min(max(y, edge), height - edge)) for x, y in tries]
        free = (at for at in inside if all(math.dist(at, other) >= distance * 0.98 for other in drawn))
        drawn.append(next(free, inside[0]))
    return drawn


def _around(spot: Point, distance: float) -> Iterator[Point]:
    for ring in (1.0, 1.5, 2.0, 3.0):
        for turn in range(12):
            angle = turn * math.pi / 6
            yield spot[0] + math.cos(angle) * distance * ring, spot[1] - math.sin(angle) * distance * ring
