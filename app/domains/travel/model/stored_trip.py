"""An itinerary as it is stored, whoever wrote it: what has the wrong shape is skipped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def stops_of(day: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [stop for stop in day.get("stops") or () if isinstance(stop, Mapping)]


def place_of(record: Mapping[str, Any]) -> tuple[float, float] | None:
    """Latitude and longitude, where it has them."""
    lat, lon = record.get("lat"), record.get("lon")
    both = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (lat, lon))
    return (float(lat), float(lon)) if both and lat is not None and lon is not None else None
