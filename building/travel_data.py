"""Finds contradictions in the travel data: facts that cannot both be true, or that are hardly true together.

    python -m building.travel_data

Prints one line each and ends with 1 if there are any. It cannot see whether a fact is right; it sees that two of them
do not fit: last entry after closing, a note of a day of rest beside hours on that day, a price beside "free", a way
that takes a quarter of the time a car needs, two sights in one place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations

from app.domains.travel.model.dataset import builtin
from app.domains.travel.model.geo import distance_km
from app.domains.travel.model.hours import WEEKDAYS, Season
from app.domains.travel.model.places import Attraction, City

NEAREST_KM = 0.02
FASTEST_KMH, SLOWEST_KMH = 150.0, 6.0
FAR_KM = 15.0
CLOSED_WORDS = {"周一": 0, "周二": 1, "周三": 2, "周四": 3, "周五": 4, "周六": 5, "周日": 6}
DARK = 18 * 60 + 30


def contradictions() -> Iterator[str]:
    for city in builtin().cities:
        for sight in city.attractions:
            yield from (f"{sight.id}: {fault}" for fault in (*_hours(sight), *_price(sight), *_place(city, sight)))
        yield from (f"{city.id}: {fault}" for fault in (*_duplicates(city), *_hubs(city)))


def _hours(sight: Attraction) -> Iterator[str]:
    for season in sight.hours.seasons:
        for weekday, intervals in zip(WEEKDAYS, season.weekly, strict=True):
            yield from (f"{weekday}: {fault}" for fault in _entry(season, intervals))
        longest = max((end - start for intervals in season.weekly for start, end in intervals), default=0)
        if longest and sight.visit_minutes.min > longest:
            yield f"a visit of {sight.visit_minutes.min} minutes, but open for {longest}"
        latest = max((end for intervals in season.weekly for _start, end in intervals), default=24 * 60)
        if tuple(sight.best_time) == ("evening",) and len(sight.hours.seasons) == 1 and latest < DARK:
            yield "best in the evening, but shut by then"
    for word, number in CLOSED_WORDS.items():
        rests = sight.hours.note.startswith((f"{word}闭馆", f"{word}休", f"每{word}闭馆"))
        if rests and all(season.weekly[number] for season in sight.hours.seasons):
            yield f"the note says {word} is a day of rest, the hours are open"


def _entry(season: Season, intervals: tuple[tuple[int, int], ...]) -> Iterator[str]:
    last = season.last_entry
    if not intervals or last is None:
        return
    start, end = intervals[0][0], intervals[-1][1]
    if last >= 0 and end <= 24 * 60 and not start <= last <= end:
        yield f"last entry at minute {last}, open {start}–{end}"
    if last < 0 and -last >= end - start:
        yield f"last entry {-last} minutes before closing, open for {end - start}"


def _price(sight: Attraction) -> Iterator[str]:
    ticket = sight.ticket
    if ticket.child is not None and ticket.child > ticket.adult:
        yield f"a child pays {ticket.child}, an adult {ticket.adult}"
    if ticket.low_season and ticket.low_season.adult > ticket.adult:
        yield f"the low season costs {ticket.low_season.adult}, the usual price is {ticket.adult}"
    if ticket.peak and ticket.peak.adult < ticket.adult:
        yield f"the peak season costs {ticket.peak.adult}, the usual price is {ticket.adult}"
    if ticket.adult and ticket.note in ("免费", "免费开放", "免票"):
        yield f"{ticket.adult} beside “{ticket.note}”"
    if not sight.reservation.required and sight.reservation.days_ahead > 0:
        yield f"no booking needed, but {sight.reservation.days_ahead} days ahead"


def _place(city: City, sight: Attraction) -> Iterator[str]:
    km = distance_km(city.point, sight.point)
    if km > 120 and not sight.day_trip:
        yield f"{km:.0f} km from the centre and no day trip"
    if sight.access and km > FAR_KM:
        speed = km / sight.access.minutes * 60
        if not SLOWEST_KMH <= speed <= FASTEST_KMH:
            yield f"{km:.0f} km in {sight.access.minutes} minutes"


def _duplicates(city: City) -> Iterator[str]:
    for a, b in combinations(city.attractions, 2):
        if distance_km(a.point, b.point) < NEAREST_KM:
            yield f"{a.id} and {b.id} are in one place"
        if {a.name_zh, *a.aliases} & {b.name_zh, *b.aliases}:
            yield f"{a.id} and {b.id} have a name in common"


def _hubs(city: City) -> Iterator[str]:
    for hub in city.hubs:
        km = distance_km(city.point, hub.point)
        if km > FAR_KM and not SLOWEST_KMH <= km / max(1, hub.minutes_to_centre) * 60 <= FASTEST_KMH:
            yield f"{hub.name_zh}: {km:.0f} km in {hub.minutes_to_centre} minutes"


def main() -> int:
    found = list(contradictions())
    sys.stdout.write("".join(f"{line}\n" for line in found) or "no contradictions\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
