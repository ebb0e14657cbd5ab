"""Distances on the globe; every coordinate here is WGS-84."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt

EARTH_RADIUS_KM = 6371.0088


@dataclass(frozen=True, slots=True)
class Point:
    lat: float
    lon: float


def distance_km(a: Point, b: Point) -> float:
    """Great circle, by haversine."""
    lat_a, lat_b = radians(a.lat), radians(b.lat)
    half_lat, half_lon = (lat_b - lat_a) / 2, radians(b.lon - a.lon) / 2
    chord = sin(half_lat) ** 2 + cos(lat_a) * cos(lat_b) * sin(half_lon) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, chord)))
