"""Chinese map datums: GCJ-02 (most Chinese maps) and BD-09 (Baidu) to and from WGS-84, which everything here is in.

Points of map servers are converted at the border: mixed, they lie half a kilometre (GCJ-02) to over one (BD-09) off.
The way to GCJ-02 is the published formula; the way back is found by iteration. Outside China nothing is shifted.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt
from typing import Literal

from .model.geo import Point

Datum = Literal["WGS84", "GCJ02", "BD09"]

_AXIS = 6378245.0
_ECCENTRICITY = 0.00669342162296594323
_BAIDU = pi * 3000.0 / 180.0
_CLOSE = 1e-9
_ROUNDS = 30


def to_wgs84(point: Point, datum: Datum) -> Point:
    match datum:
        case "WGS84":
            return point
        case "GCJ02":
            return _inverse(point)
        case "BD09":
            return _inverse(_bd_to_gcj(point))


def from_wgs84(point: Point, datum: Datum) -> Point:
    match datum:
        case "WGS84":
            return point
        case "GCJ02":
            return _to_gcj(point)
        case "BD09":
            return _gcj_to_bd(_to_gcj(point))


def is_shifted(point: Point) -> bool:
    """Whether Chinese maps shift here: the box that their formula is defined in."""
    return 0.8293 <= point.lat <= 55.8271 and 72.004 <= point.lon <= 137.8347


def _to_gcj(point: Point) -> Point:
    if not is_shifted(point):
        return point
    x, y = point.lon - 105.0, point.lat - 35.0
    radians = point.lat / 180.0 * pi
    magic = 1 - _ECCENTRICITY * sin(radians) ** 2
    north = _northing(x, y) * 180.0 / ((_AXIS * (1 - _ECCENTRICITY)) / (magic * sqrt(magic)) * pi)
    east = _easting(x, y) * 180.0 / (_AXIS / sqrt(magic) * cos(radians) * pi)
    return Point(point.lat + north, point.lon + east)


def _northing(x: float, y: float) -> float:
    metres = -100.0 + 2.0 * x + 3.0 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * sqrt(abs(x))
    metres += (20.0 * sin(6.0 * x * pi) + 20.0 * sin(2.0 * x * pi)) * 2.0 / 3.0
    metres += (20.0 * sin(y * pi) + 40.0 * sin(y / 3.0 * pi)) * 2.0 / 3.0
    return metres + (160.0 * sin(y / 12.0 * pi) + 320 * sin(y * pi / 30.0)) * 2.0 / 3.0


def _easting(x: float, y: float) -> float:
    metres = 300.0 + x + 2.0 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * sqrt(abs(x))
    metres += (20.0 * sin(6.0 * x * pi) + 20.0 * sin(2.0 * x * pi)) * 2.0 / 3.0
    metres += (20.0 * sin(x * pi) + 40.0 * sin(x / 3.0 * pi)) * 2.0 / 3.0
    return metres + (150.0 * sin(x / 12.0 * pi) + 300.0 * sin(x / 30.0 * pi)) * 2.0 / 3.0


def _inverse(wanted: Point) -> Point:
    """The point whose GCJ-02 is `wanted`."""
    guess = wanted
    for _ in range(_ROUNDS):
        there = _to_gcj(guess)
        off_lat, off_lon = there.lat - wanted.lat, there.lon - wanted.lon
        guess = Point(guess.lat - off_lat, guess.lon - off_lon)
        if abs(off_lat) < _CLOSE and abs(off_lon) < _CLOSE:
            break
    return guess


def _gcj_to_bd(point: Point) -> Point:
    if not is_shifted(point):
        return point
    radius = sqrt(point.lon**2 + point.lat**2) + 0.00002 * sin(point.lat * _BAIDU)
    angle = atan2(point.lat, point.lon) + 0.000003 * cos(point.lon * _BAIDU)
    return Point(radius * sin(angle) + 0.006, radius * cos(angle) + 0.0065)


def _bd_to_gcj(wanted: Point) -> Point:
    guess = Point(wanted.lat - 0.006, wanted.lon - 0.0065)
    for _ in range(_ROUNDS):
        there = _gcj_to_bd(guess)
        off_lat, off_lon = there.lat - wanted.lat, there.lon - wanted.lon
        guess = Point(guess.lat - off_lat, guess.lon - off_lon)
        if abs(off_lat) < _CLOSE and abs(off_lon) < _CLOSE:
            break
    return guess
