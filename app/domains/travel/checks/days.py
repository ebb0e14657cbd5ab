"""Times within one day: hours, order, ways, length, meals, arrival and departure."""

from __future__ import annotations

from itertools import pairwise

from ..model.hours import DAY, Opening, format_time, is_open, opens_on, windows_on
from ..model.places import City
from ..model.trip import TripDay, TripStop
from ..model.vocabulary import DINNER_WORDS, LUNCH_WORDS, folded
from ..routing.day_route import DINNER, LUNCH, MEAL_INSIDE_VISIT, Meal
from ..routing.intercity import ARRIVAL_BUFFER, DEPARTURE_BUFFER
from ..routing.stops import PACE_LIMITS
from ..routing.transfer import MODES
from ..rules.trip_facts import Known, Way
from .report import TripReport

INTERCITY_KIND = {"flight": "air", "plane": "air", "air": "air", "train": "rail", "rail": "rail", "bus": "bus"}


def check_day(report: TripReport, day: TripDay) -> None:
    _order(report, day)
    for stop in day.stops:
        _opening(report, day, stop)
    _ways(report, day)
    _length(report, day)
    _meals(report, day)
    _arrival(report, day)


# ---------------------------------------------------------------- V03 V04 V05


def _opening(report: TripReport, day: TripDay, stop: TripStop) -> None:
    place = report.facts.place(day, stop)
    if place is None or place.hours is None or stop.start is None:
        return
    holiday = report.facts.is_holiday(day)
    report.looked_at("V04", "V05", *(["V03"] if day.date else []))
    verdict = is_open(place.hours, day.date, stop.start, stop.end, public_holiday=holiday)
    name, when = place.name, day.date.isoformat() if day.date else ""
    start = format_time(stop.start)
    if verdict is Opening.CLOSED_DAY and day.date is None:
        return
    if verdict is Opening.CLOSED_DAY:
        other = _open_day(report, place, day)
        fix = {"op": "move", "to_day": other.number} if other else {"op": "remove"}
        report.add("V03", report.say("{name} is closed on {when}", name=name, when=when), day=day, stop=stop, fix=fix)
    elif verdict is Opening.AFTER_LAST_ENTRY:
        entry = max(w.last_entry for w in windows_on(place.hours, day.date, public_holiday=holiday))
        report.add(
            "V05",
            report.say(
                "{name}: last entry {entry}, planned for {start}",
                name=name, entry=format_time(entry), start=start,
            ),
            day=day, stop=stop, fix=_retime(place, day, stop, holiday),
        )  # fmt: skip
    elif verdict is Opening.OUTSIDE_HOURS:
        hours = ", ".join(
            f"{format_time(max(0, w.start))}–{format_time(w.end)}"
            for w in windows_on(place.hours, day.date, public_holiday=holiday)
        )
        end = format_time(stop.end) if stop.end is not None else ""
        report.add(
            "V04",
            report.say(
                "{name} is open {hours}, planned for {start}–{end}",
                name=name, hours=hours, start=start, end=end,
            ),
            day=day, stop=stop, fix=_retime(place, day, stop, holiday),
        )  # fmt: skip


def _open_day(report: TripReport, known: Known, day: TripDay) -> TripDay | None:
    assert known.hours is not None
    for other in report.facts.trip.days_list:
        fits = other is not day and other.date and (other.city == day.city or known.city is None)
        if fits and opens_on(known.hours, other.date, public_holiday=report.facts.is_holiday(other)):
            return other
    return None


def _retime(known: Known, day: TripDay, stop: TripStop, holiday: bool) -> dict[str, str]:
    """The nearest start at which the visit fits its hours."""
    assert known.hours is not None
    wished = stop.start or 0
    starts = [
        min(max(wished, window.start), latest)
        for window in windows_on(known.hours, day.date, public_holiday=holiday)
        if (latest := min(window.last_entry, window.end - stop.minutes)) >= max(0, window.start)
    ]
    best = min(starts, key=lambda start: abs(start - wished), default=None)
    return {"op": "remove"} if best is None else {"op": "retime", "start": format_time(max(0, best))}


# ---------------------------------------------------------------- V06 V29


def _order(report: TripReport, day: TripDay) -> None:
    report.looked_at("V06", "V29")
    for stop in day.stops:
        if stop.start is not None and stop.end is not None and stop.end < stop.start:
            report.add(
                "V29",
                report.say(
                    "{stop} ends at {end}, before it begins at {start}",
                    stop=stop.name, end=format_time(stop.end), start=format_time(stop.start),
                ),
                day=day, stop=stop, fix={"op": "retime", "start": format_time(stop.start)},
            )  # fmt: skip
    timed = [stop for stop in day.stops if stop.start is not None and stop.end is not None]
    for before, stop in pairwise(timed):
        if before.start is None or before.end is None or stop.start is None:
            continue
        if stop.start < before.start:
            report.add(
                "V29",
                report.say(
                    "{stop} ({start}) stands after {before} ({before_start})",
                    stop=stop.name, start=format_time(stop.start),
                    before=before.name, before_start=format_time(before.start),
                ),
                day=day, stop=stop, fix={"op": "retime", "start": format_time(max(before.start, before.end))},
            )  # fmt: skip
        elif stop.start < before.end:
            report.add(
                "V06",
                report.say("{stop} overlaps {before}", stop=stop.name, before=before.name),
                day=day, stop=stop, fix={"op": "retime", "start": format_time(min(before.end, 2 * DAY))},
            )  # fmt: skip


# ---------------------------------------------------------------- V07


def _ways(report: TripReport, day: TripDay) -> None:
    """Between two stops whose places are known lie perhaps meals somewhere; the time left over must hold the way."""
    before: TripStop | None = None
    between: list[TripStop] = []
    for stop in day.stops:
        if stop.start is None or stop.end is None or stop.kind == "intercity":
            before, between = None, []
            continue
        if report.facts.key(day, stop) is None:
            between.append(stop)
            continue
        _way(report, day, before, stop, between)
        before, between = stop, []


def _way(report: TripReport, day: TripDay, before: TripStop | None, stop: TripStop, between: list[TripStop]) -> None:
    facts = report.facts
    stated = next((s.way for s in [*between, stop] if s.way and s.way.minutes), stop.way)
    mode = stated.mode if stated else "transit"
    if mode and mode not in MODES and mode in INTERCITY_KIND:
        return
    origin = facts.end_of(day, before) if before else facts.home(day)
    way = facts.way(origin, facts.end_of(day, stop), mode) if origin else None
    if way is not None and (stated or before):
        report.looked_at("V07")
        if stated and stated.minutes < way.least and not _same_place(before, stop):
            _too_short(report, day, stop, stated.minutes, way, before)
            return
    if before is None or before.end is None or stop.start is None:
        return
    report.looked_at("V07")
    free = stop.start - before.end - sum(each.minutes for each in between)
    needed = max(way.least if way else 0, sum(s.way.minutes for s in [*between, stop] if s.way))
    if way and not stated:
        needed = way.least
    # A stop that begins before the last one ends is an overlap, not a short way.
    if free < needed and stop.start >= before.end:
        _too_short(report, day, stop, max(0, free), way or Way(mode, needed, needed, None, given=False), before)


def _same_place(before: TripStop | None, stop: TripStop) -> bool:
    return before is not None and before.label == stop.label


def _too_short(report: TripReport, day: TripDay, stop: TripStop, free: int, way: Way, before: TripStop | None) -> None:
    origin = before.name if before else "…"
    start = (before.end if before and before.end is not None else stop.start or 0) + way.typical
    report.add(
        "V07",
        report.say(
            "{origin} → {stop}: {free} minutes, at least {least} are needed",
            origin=origin, stop=stop.name, free=free, least=way.least,
        ),
        day=day, stop=stop, fix={"op": "retime", "start": format_time(start)},
    )  # fmt: skip


# ---------------------------------------------------------------- V08


def _length(report: TripReport, day: TripDay) -> None:
    trip, sights = report.facts.trip, day.sights
    pace = report.asked.pace or (None if trip.max_stops else trip.pace)
    if trip.max_stops and not report.asked.pace:
        return
    report.looked_at("V08")
    stops, minutes = PACE_LIMITS[pace or "packed"]
    visiting = sum(stop.minutes for stop in sights)
    if len(sights) > 1 and visiting > minutes:
        report.add(
            "V08",
            report.say(
                "day {day}: {visiting} minutes of visits, more than {minutes}",
                day=day.number, visiting=visiting, minutes=minutes,
            ),
            day=day, fix={"op": "remove", "stop": sights[-1].label, "seq": sights[-1].seq},
        )  # fmt: skip
    elif pace and len(sights) > stops:
        report.add(
            "V08",
            report.say(
                "day {day} has {count} stops, at this pace {stops} at most",
                day=day.number, count=len(sights), stops=stops,
            ),
            day=day, fix={"op": "remove", "stop": sights[-1].label, "seq": sights[-1].seq},
        )  # fmt: skip


# ---------------------------------------------------------------- V09


def _meals(report: TripReport, day: TripDay) -> None:
    if not report.facts.trip.meals:
        return
    timed = [stop for stop in day.stops if stop.timed]
    report.looked_at("V09")
    for stop in timed:
        for meal, words in ((LUNCH, LUNCH_WORDS), (DINNER, DINNER_WORDS)):
            if stop.kind == "meal" and any(word in folded(stop.name) for word in words) and not _within(stop, meal):
                window = f"{format_time(meal.start)}–{format_time(meal.end)}"
                report.add(
                    "V09",
                    report.say("{stop} is not within {window}", stop=stop.name, window=window),
                    day=day, stop=stop, fix={"op": "retime", "start": format_time(meal.start)},
                )  # fmt: skip
    if not day.sights or not timed:
        return
    begin = _arrived(timed) or min(stop.start or 0 for stop in timed)
    finish = max(stop.end or 0 for stop in timed)
    due_meals = [meal for meal in (LUNCH, DINNER) if min(meal.end, finish) - max(meal.start, begin) >= 120]
    if due_meals and not any(_is_fed(stop) for stop in timed):
        text = report.say("day {day} has no meal", day=day.number)
        report.add("V09", text, day=day, severity="warn")
    lunch, dinner = report.say("day {day} leaves no time for lunch"), report.say("day {day} leaves no time for dinner")
    for meal, name, text in ((LUNCH, "lunch", lunch), (DINNER, "dinner", dinner)):
        due = min(meal.end, finish) - max(meal.start, begin) >= 120
        if due and not _can_eat(timed, meal):
            report.add(
                "V09",
                text.format(day=day.number),
                day=day, fix={"op": "add", "kind": "meal", "name": name, "start": format_time(meal.start + 30)},
            )  # fmt: skip


def _arrived(timed: list[TripStop]) -> int | None:
    """When a day that begins on the way from another city really begins."""
    return timed[0].end if timed[0].kind == "intercity" else None


def _within(stop: TripStop, meal: Meal) -> bool:
    return stop.start is not None and stop.end is not None and meal.start <= stop.start and stop.end <= meal.end


def _is_fed(stop: TripStop) -> bool:
    return stop.kind in ("meal", "free", "intercity") or stop.minutes >= MEAL_INSIDE_VISIT


def _can_eat(timed: list[TripStop], meal: Meal) -> bool:
    """A meal in its hours, an hour free, or a visit long enough to eat inside."""
    for stop in timed:
        shared = min(stop.end or 0, meal.end) - max(stop.start or 0, meal.start)
        if stop.kind in ("meal", "free", "intercity") and shared >= 30:
            return True
        if stop.minutes >= MEAL_INSIDE_VISIT and shared >= meal.minutes:
            return True
    for before, stop in pairwise(timed):
        way = stop.way.minutes if stop.way else 0
        if min(stop.start or 0, meal.end) - max(before.end or 0, meal.start) - way >= meal.minutes:
            return True
    return False


# ---------------------------------------------------------------- V15


def _arrival(report: TripReport, day: TripDay) -> None:
    trip, facts = report.facts.trip, report.facts
    city = facts.city_of(day)
    active = [stop for stop in day.stops if stop.timed and stop.kind in ("sight", "meal")]
    if trip.arrival:
        report.looked_at("V15")
        ready = trip.arrival.time + ARRIVAL_BUFFER.get(_hub_kind(city, trip.arrival.place), 0)
        early = [s for s in active if day.number < trip.arrival.day or (day.number == trip.arrival.day and (s.start or 0) < ready)]  # fmt: skip # noqa: E501
        if early:
            _in_a_hurry(report, day, early[0], format_time(ready))
    if trip.departure:
        report.looked_at("V15")
        leave = trip.departure.time - DEPARTURE_BUFFER.get(_hub_kind(city, trip.departure.place), 0)
        late = [s for s in active if day.number > trip.departure.day or (day.number == trip.departure.day and (s.end or 0) > leave)]  # fmt: skip # noqa: E501
        if late:
            _in_a_hurry(report, day, late[0], format_time(max(0, leave)), after=True)
    for before, stop in pairwise([stop for stop in day.stops if stop.timed]):
        kind = INTERCITY_KIND.get(_intercity_mode(before), "rail")
        if before.kind == "intercity" and stop.kind != "intercity" and before.raw.get("door_to_door") is not True:
            report.looked_at("V15")
            if (stop.start or 0) - (before.end or 0) < ARRIVAL_BUFFER[kind]:
                _in_a_hurry(report, day, stop, format_time((before.end or 0) + ARRIVAL_BUFFER[kind]))
        kind = INTERCITY_KIND.get(_intercity_mode(stop), "rail")
        if stop.kind == "intercity" and before.kind in ("sight", "meal"):
            report.looked_at("V15")
            if (stop.start or 0) - (before.end or 0) < DEPARTURE_BUFFER[kind]:
                leave = (stop.start or 0) - DEPARTURE_BUFFER[kind]
                _in_a_hurry(report, day, before, format_time(max(0, leave)), after=True)


def _intercity_mode(stop: TripStop) -> str:
    return str(stop.raw.get("mode") or (stop.way.mode if stop.way else ""))


def _hub_kind(city: City | None, place: str) -> str:
    for hub in city.hubs if city else ():
        if folded(place) in (folded(hub.name_zh), folded(hub.name_en)):
            return hub.kind
    return ""


def _in_a_hurry(report: TripReport, day: TripDay, stop: TripStop, limit: str, *, after: bool = False) -> None:
    late = report.say("{name} must end by {limit} to leave in time", name=stop.name, limit=limit)
    early = report.say("{name} cannot begin before {limit}", name=stop.name, limit=limit)
    fix = {"op": "remove"} if after else {"op": "retime", "start": limit}
    report.add("V15", late if after else early, day=day, stop=stop, fix=fix)
