"""What every export knows of a trip: its itinerary, its version, and the time zone of each day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .sheet import TripSheet


@dataclass(frozen=True)
class Journey:
    id: str
    title: str
    version: int
    itinerary: Mapping[str, Any]
    zones: Mapping[int, str]
    """The time zone by number of the day, where it is known."""
    saved: datetime
    language: str
    sheet: TripSheet = field(default_factory=TripSheet)

    @property
    def days(self) -> list[Mapping[str, Any]]:
        return list(self.itinerary.get("days_list") or ())

    def currency_of(self, day: Mapping[str, Any]) -> str:
        """A journey over several countries pays in several currencies."""
        return str(day.get("currency") or self.itinerary.get("currency") or "CNY")

    @property
    def is_dated(self) -> bool:
        return all(day.get("date") for day, _stop in self.stops())

    def stops(self) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
        for day in self.days:
            for stop in day.get("stops") or ():
                yield day, stop

    @property
    def count(self) -> int:
        return sum(1 for _ in self.stops())


def name_of(stop: Mapping[str, Any]) -> str:
    return str(stop.get("name") or stop.get("place_id") or "")


def point_of(stop: Mapping[str, Any]) -> tuple[float, float] | None:
    lat, lon = stop.get("lat"), stop.get("lon")
    return (float(lat), float(lon)) if lat is not None and lon is not None else None
