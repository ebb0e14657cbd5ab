"""The calendar file (RFC 5545): one event per stop, in UTC, with UIDs that stay the same from export to export.

Written by hand: escaped, folded at 75 octets without cutting a character, lines ending in CRLF. Where the time zone of
a day is not known its times are floating, which calendars show as local time.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from app.core.errors import ToolError

from ...kit.files import printable
from ..itinerary_card import texts, way_words
from ..model.trip_values import parse_clock
from ..wording import say_in
from .journey import Journey, name_of, point_of

FOLD = 75
ALARM = "-PT1H"
"""Before the first stop of a day and before each way between cities: what a person may not miss."""


def write(journey: Journey) -> bytes:
    """Raises ToolError FORMAT for a trip without dates."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Triptych//Travel planner//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escaped(journey.title)}",
    ]
    seen: Counter[str] = Counter()
    days: set[Any] = set()
    for day, stop in journey.stops():
        is_first = day.get("date") not in days
        days.add(day.get("date"))
        lines += _event(journey, day, stop, seen, has_alarm=is_first or stop.get("kind") == "intercity")
    lines.append("END:VCALENDAR")
    return "".join(f"{folded_line}\r\n" for line in lines for folded_line in fold(line)).encode()


def _event(
    journey: Journey, day: Mapping[str, Any], stop: Mapping[str, Any], seen: Counter[str], *, has_alarm: bool
) -> Iterator[str]:
    start, end = _times(journey, day, stop)
    yield "BEGIN:VEVENT"
    yield f"UID:{_uid(journey, stop, seen)}"
    yield f"DTSTAMP:{journey.saved.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield f"SEQUENCE:{journey.version}"
    yield f"DTSTART:{start}"
    if end != start:
        yield f"DTEND:{end}"
    yield f"SUMMARY:{escaped(name_of(stop))}"
    described = _description(journey, stop)
    if described:
        yield f"DESCRIPTION:{escaped(described)}"
    point = point_of(stop)
    place = ", ".join(filter(None, [name_of(stop), str(journey.itinerary.get("city_name") or "")]))
    if stop.get("kind", "sight") in ("sight", "hotel"):
        yield f"LOCATION:{escaped(place)}"
    if point:
        yield f"GEO:{point[0]:.6f};{point[1]:.6f}"
    yield f"CATEGORIES:{escaped(str(stop.get('kind') or 'sight').upper())}"
    yield "TRANSP:OPAQUE" if end != start else "TRANSP:TRANSPARENT"
    if has_alarm:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:{ALARM}")
        yield f"DESCRIPTION:{escaped(name_of(stop))}"
        yield "END:VALARM"
    yield "END:VEVENT"


def _times(journey: Journey, day: Mapping[str, Any], stop: Mapping[str, Any]) -> tuple[str, str]:
    if not day.get("date"):
        hint = say_in(journey.language, "give start_date, the first day of the trip")
        raise ToolError("FORMAT", say_in(journey.language, "a calendar needs dates"), hint=hint)
    midnight = datetime.combine(date.fromisoformat(day["date"]), datetime.min.time())
    begin = parse_clock(stop.get("start") or stop.get("end") or day.get("start") or "09:00")
    finish = max(begin, parse_clock(stop["end"]) if stop.get("end") else begin)
    zone = journey.zones.get(day.get("day") or 0)
    return _told(midnight + timedelta(minutes=begin), zone), _told(midnight + timedelta(minutes=finish), zone)


def _told(moment: datetime, zone: str | None) -> str:
    if zone is None:
        return f"{moment:%Y%m%dT%H%M%S}"
    return f"{moment.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _uid(journey: Journey, stop: Mapping[str, Any], seen: Counter[str]) -> str:
    """From the trip and the stop alone, so that a moved stop is the same event at another time."""
    key = f"{journey.id}|{stop.get('kind') or 'sight'}|{stop.get('place_id') or name_of(stop)}"
    seen[key] += 1
    return f"{hashlib.sha256(f'{key}|{seen[key]}'.encode()).hexdigest()[:32]}@triptych"


def _description(journey: Journey, stop: Mapping[str, Any]) -> str:
    lines = []
    if stop.get("transfer"):
        lines.append(way_words(stop["transfer"], journey.language))
    lines += [*texts(stop, "notes"), *texts(stop, "warnings")]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """As a TEXT value."""
    plain = printable(text.replace("\r\n", "\n").replace("\r", "\n"))
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def fold(line: str) -> Iterator[str]:
    """Pieces of at most 75 octets; every one after the first begins with a space."""
    piece, size = "", 0
    for character in line:
        width = len(character.encode())
        if size + width > FOLD:
            yield piece
            piece, size = " ", 1
        piece += character
        size += width
    yield piece
