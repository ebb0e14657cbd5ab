"""Single values of an itinerary, read with their faults: what is of the wrong kind is noted by its path.

`trip` builds its records on this. None stands for what is missing, which is no fault here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import Any

from app.core.text.i18n import N_
from app.core.text.value_faults import ValueFault

from .geo import Point
from .hours import DAY, HoursError, parse_time

LONGEST_TEXT = 500
"""Characters of a name, an id or a date."""


def stops_of(day: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [stop for stop in day.get("stops") or () if isinstance(stop, Mapping)]


def place_of(record: Mapping[str, Any]) -> tuple[float, float] | None:
    """Latitude and longitude, where it has them."""
    lat, lon = record.get("lat"), record.get("lon")
    both = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (lat, lon))
    return (float(lat), float(lon)) if both and lat is not None and lon is not None else None


class Values:
    """Collects `faults` while its methods read."""

    def __init__(self) -> None:
        self.faults: list[ValueFault] = []

    def note(self, path: str, words: str, **values: object) -> None:
        self.faults.append(ValueFault(path, words, values))

    def mapping(self, raw: object, path: str) -> Mapping[str, Any] | None:
        if raw is None or isinstance(raw, Mapping):
            return raw
        self.note(path, N_("must be an object"))
        return None

    def text(self, raw: object, path: str) -> str:
        if raw is None or (isinstance(raw, str) and len(raw) <= LONGEST_TEXT):
            return raw or ""
        self.note(path, N_("must be text of at most {most} characters"), most=LONGEST_TEXT)
        return ""

    def number(self, raw: object, path: str) -> float | None:
        if raw is None:
            return None
        if isinstance(raw, int | float) and not isinstance(raw, bool) and isfinite(raw) and abs(raw) < 1e12:
            return float(raw)
        self.note(path, N_("must be a number"))
        return None

    def whole(self, raw: object, path: str) -> int | None:
        if raw is None or is_whole(raw):
            return raw  # type: ignore[return-value]  # is_whole has seen that it is an int
        self.note(path, N_("must be a whole number"))
        return None

    def money(self, raw: object, path: str) -> Decimal | None:
        number = self.number(raw, path)
        return None if number is None else Decimal(str(raw))

    def day_of(self, raw: object, path: str) -> date | None:
        if raw is None or raw == "":
            return None
        try:
            if isinstance(raw, str) and len(raw) == 10:
                return date.fromisoformat(raw)
        except ValueError:
            pass
        self.note(path, N_("not a date YYYY-MM-DD: {given}"), given=repr(str(raw)[:20]))
        return None

    def minute(self, raw: object, path: str) -> int | None:
        if raw is None or raw == "":
            return None
        try:
            return parse_clock(raw, path)
        except HoursError as error:
            self.faults.append(error.fault)
            return None

    def point(self, entry: Mapping[str, Any], path: str) -> Point | None:
        lat, lon = self.number(entry.get("lat"), f"{path}.lat"), self.number(entry.get("lon"), f"{path}.lon")
        if lat is None or lon is None:
            return None
        if abs(lat) > 90 or abs(lon) > 180:
            self.note(path, N_("lat or lon is out of range"))
            return None
        return Point(lat, lon)


def is_whole(raw: object) -> bool:
    return isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw < 10**6


def parse_clock(raw: object, path: str = "time") -> int:
    """As `hours.parse_time`, and "01:30+1" is half past one of the next day."""
    if isinstance(raw, str) and raw.endswith("+1"):
        return parse_time(raw[:-2], path) + DAY
    return parse_time(raw, path)
