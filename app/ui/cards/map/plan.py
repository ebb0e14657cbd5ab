"""Where things are on a map without tiles: places read from a payload, projected, markers kept apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from app.core.tools.card_markdown import as_text, mappings

MOST_PLACES = 200
"""More would be a blot; what is left out is told beside the map."""
KM_PER_DEGREE = 111.195
MOST_SHAPES, MOST_CORNERS = 8, 12
FAR = 3
"""Times the median distance from the middle."""
_NEVER_FAR = 0.08
"""Degrees, some nine kilometres: what fits on a map of a city is no excursion."""
_SMALLEST_SPAN = 0.012
"""Degrees: a map of one place still shows the streets around it."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MapPlace:
    number: int
    """0: where the days begin and end, or a place that is not numbered."""
    name: str
    group: str
    lat: float
    lon: float
    is_home: bool = False

    @property
    def label(self) -> str:
        return f"{self.number} {self.name}".strip() if self.number else self.name


@dataclass(frozen=True, slots=True)
class MapLeg:
    start: int
    end: int
    """Positions in the list of places."""
    km: float | None
    group: str = ""


@dataclass(frozen=True, slots=True)
class MapShape:
    kind: str
    name: str
    points: tuple[Point, ...]
    """Latitude and longitude."""
    is_closed: bool = False


def read_places(payload: Mapping[str, Any]) -> list[MapPlace]:
    """Points with a position on Earth, numbered by turn; a label that begins with its number says it once."""
    places: list[MapPlace] = []
    turn = 0
    for point in mappings(payload, "points"):
        lat, lon = _degrees(point.get("lat"), 90), _degrees(point.get("lon"), 180)
        if lat is None or lon is None:
            continue
        is_home, own = point.get("home") is True, point.get("number")
        turn += not is_home
        number = 0 if is_home else own if isinstance(own, int) and not isinstance(own, bool) else turn
        name = as_text(point.get("label")).removeprefix(f"{number} ")
        places.append(MapPlace(number, name, as_text(point.get("group")), lat, lon, is_home))
    if places and max(p.lon for p in places) - min(p.lon for p in places) > 180:
        # Both sides of the date line: the western one continues to the right.
        places = [replace(place, lon=place.lon + 360) if place.lon < 0 else place for place in places]
    return places


def read_legs(payload: Mapping[str, Any], places: Sequence[MapPlace]) -> list[MapLeg]:
    by_label: dict[str, int] = {}
    for position, place in enumerate(places):
        by_label.setdefault(place.name, position)
        by_label[place.label] = position
    legs = []
    for leg in mappings(payload, "legs"):
        start, end = by_label.get(as_text(leg.get("from"))), by_label.get(as_text(leg.get("to")))
        if start is not None and end is not None and start != end:
            km = leg.get("km")
            has_distance = isinstance(km, int | float) and not isinstance(km, bool) and math.isfinite(km) and km >= 0
            group = as_text(leg.get("group")) or places[end].group or places[start].group
            legs.append(MapLeg(start, end, float(km) if has_distance and km is not None else None, group))
    return legs


def read_shapes(payload: Mapping[str, Any]) -> list[MapShape]:
    shapes = []
    for shape in mappings(payload, "shapes")[:MOST_SHAPES]:
        listed = shape.get("points")
        corners = [
            (lat, lon)
            for point in (listed if isinstance(listed, list) else [])[:MOST_CORNERS]
            if isinstance(point, list | tuple)
            and len(point) == 2
            and (lat := _degrees(point[0], 90)) is not None
            and (lon := _degrees(point[1], 180)) is not None
        ]
        if len(corners) > 1:
            name = as_text(shape.get("name"))
            shapes.append(MapShape(as_text(shape.get("kind")), name, tuple(corners), shape.get("closed") is True))
    return shapes


def far_places(places: Sequence[MapPlace], among: Sequence[int]) -> set[int]:
    """Positions of those so far out that the others would be a heap: more than three times the median distance."""
    if len(among) < 3:
        return set()
    lat = median(places[n].lat for n in among)
    lon = median(places[n].lon for n in among)
    narrow = max(0.05, math.cos(math.radians(lat)))
    far = {n: math.hypot(places[n].lat - lat, (places[n].lon - lon) * narrow) for n in among}
    limit = max(FAR * median(far.values()), _NEVER_FAR)
    return {n for n in among if far[n] > limit}


def km_text(km: float | None) -> str:
    if km is None or not math.isfinite(km):
        return ""
    return f"{as_text(round(km * 1000))} m" if km < 1 else f"{as_text(round(km, 1))} km"


def groups_of(places: Sequence[MapPlace]) -> list[str]:
    return list(dict.fromkeys(place.group for place in places if not place.is_home))


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

    def place(self, x: float, y: float) -> Point:
        """Latitude and longitude of a pixel."""
        lon = self._lon + (x - self._width / 2) / (self._narrow * self.scale)
        return self._lat - (y - self._height / 2) / self.scale, lon

    def scale_bar(self, most: float) -> tuple[float, float]:
        """A round length in km and its pixels, at most so long."""
        km = round_below(most / self.scale * KM_PER_DEGREE)
        return km, km / KM_PER_DEGREE * self.scale


def round_below(value: float) -> float:
    """The largest of 1, 2, 5, 10, … that is not above."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (5, 2, 1) if power * step <= value * (1 + 1e-9))


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
