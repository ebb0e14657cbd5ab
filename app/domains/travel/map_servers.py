"""Map servers whose points are not in WGS-84: which of their fields hold a point, and in which datum.

高德 answers in GCJ-02, 百度 in BD-09; everything else here is WGS-84. Mixed, points lie half a kilometre to over one
off, so they are turned at the border: arguments on the way out, results on the way in. A server is recognised by its
tools; to teach another one, add a row to SERVERS.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .datum import Datum, from_wgs84, to_wgs84
from .model.geo import Point

Turn = Callable[[Point, Datum], Point]

DIGITS: Final = 6
DEEPEST: Final = 40


@dataclass(frozen=True, slots=True)
class MapServer:
    datum: Datum
    tools: frozenset[str]
    """A server that has three of these is this one."""
    lon_first: bool
    """How it writes a point as text: "lon,lat" or "lat,lon"."""
    points: frozenset[str]
    """Fields whose text is a point, or several with ; or | between."""
    pairs: tuple[tuple[str, str], ...]
    """Fields that together are a point: latitude, longitude."""


SERVERS: Final = (
    MapServer(
        "GCJ02",
        frozenset(
            """maps_geo maps_regeocode maps_ip_location maps_weather maps_text_search maps_around_search
            maps_search_detail maps_distance maps_direction_driving maps_direction_walking maps_direction_bicycling
            maps_bicycling maps_direction_transit_integrated maps_schema_navi maps_schema_take_taxi
            maps_schema_personal_map""".split()
        ),
        True,
        frozenset(
            """location origin destination origins destinations polyline entr_location exit_location rectangle center
            waypoints""".split()
        ),
        (("lat", "lon"), ("slat", "slon"), ("dlat", "dlon"), ("latitude", "longitude")),
    ),
    MapServer(
        "BD09",
        frozenset(
            """map_geocode map_reverse_geocode map_search_places map_place_details map_distance_matrix map_directions
            map_weather map_ip_location map_road_traffic map_poi_extract""".split()
        ),
        False,
        frozenset("location origin destination origins destinations center bounds waypoints path".split()),
        (("lat", "lng"), ("latitude", "longitude"), ("y", "x")),
    ),
)


@dataclass(frozen=True, slots=True)
class MapConversion:
    """Implements `core.domain.Conversion`."""

    server: MapServer

    @property
    def tools(self) -> frozenset[str]:
        return self.server.tools

    def outgoing(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments in the server's datum."""
        turned: dict[str, Any] = _Turner(self.server, from_wgs84).value("", dict(args), 0)
        return turned

    def incoming(self, data: Any) -> Any:
        """A result's data in WGS-84; text that is JSON is turned inside."""
        turner = _Turner(self.server, to_wgs84)
        if not isinstance(data, str):
            return turner.value("", data, 0)
        try:
            inner = json.loads(data)
        except (ValueError, RecursionError):
            return data
        return turner.value("", inner, 0) if isinstance(inner, dict | list) else data


def map_server(tools: Collection[str]) -> MapConversion | None:
    """The conversion for the one of SERVERS that has these tools."""
    return next((MapConversion(server) for server in SERVERS if len(server.tools & set(tools)) >= 3), None)


class _Turner:
    def __init__(self, server: MapServer, turn: Turn) -> None:
        self._server, self._turn = server, turn

    def value(self, name: str, value: Any, deep: int) -> Any:
        if deep > DEEPEST:
            return value
        if isinstance(value, dict):
            return self._object(value, deep)
        if isinstance(value, list):
            return [self.value(name, inner, deep + 1) for inner in value]
        if isinstance(value, str) and name in self._server.points:
            return self._points(value)
        return value

    def _object(self, value: Mapping[str, Any], deep: int) -> dict[str, Any]:
        fields = {key: self.value(key, inner, deep + 1) for key, inner in value.items()}
        for lat_name, lon_name in self._server.pairs:
            lat, lon = _number(value.get(lat_name)), _number(value.get(lon_name))
            if lat is not None and lon is not None and abs(lat) <= 90 and abs(lon) <= 180:
                turned = self._turn(Point(lat, lon), self._server.datum)
                for key, number in ((lat_name, turned.lat), (lon_name, turned.lon)):
                    text = f"{number:.{DIGITS}f}"
                    fields[key] = text if isinstance(value[key], str) else round(number, DIGITS)
        return fields

    def _points(self, text: str) -> str:
        """Points with their separators as they were; a text that holds anything else is left as it is."""
        separator = next((sign for sign in ";|" if sign in text), "")
        pieces = [self._point(piece) for piece in (text.split(separator) if separator else [text])]
        return text if any(piece is None for piece in pieces) else separator.join(map(str, pieces))

    def _point(self, text: str) -> str | None:
        parts = text.split(",")
        numbers = [_number(part) for part in parts]
        if len(parts) != 2 or numbers[0] is None or numbers[1] is None:
            return None
        # Routes of 百度 hold "lon,lat" though its places are "lat,lon": what cannot be a latitude is none.
        lon_first = self._server.lon_first or abs(numbers[0]) > 90
        lat, lon = (numbers[1], numbers[0]) if lon_first else (numbers[0], numbers[1])
        if abs(lat) > 90 or abs(lon) > 180:
            return None
        turned = self._turn(Point(lat, lon), self._server.datum)
        first, second = (turned.lon, turned.lat) if lon_first else (turned.lat, turned.lon)
        return f"{first:.{DIGITS}f},{second:.{DIGITS}f}"


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if abs(number) < 1e9 else None  # a number that is none compares as false
