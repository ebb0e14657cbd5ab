"""What needs care but is no fault: rain, holiday crowds, detours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.daylight import EVENING, dusk
from ..model.holiday_calendar import holiday_name
from ..model.hours import DAY, Window, windows_on
from ..model.trip import TripDay, TripStop
from ..routing.day_route import DINNER, LUNCH, MAX_STOPS, DayProblem, Meal, Visit, solve
from ..routing.stops import NOON
from .report import TripReport

WET_PERCENT, WET_MM, STORM_CODE = 60, 5.0, 95
DETOUR = 1.3


def check_outlook(report: TripReport) -> None:
    for day in report.facts.trip.days_list:
        _weather(report, day)
        _holiday(report, day)
        _zigzag(report, day)


def _weather(report: TripReport, day: TripDay) -> None:
    forecast = day.raw.get("weather")
    forecasts = [forecast] if isinstance(forecast, Mapping) else []
    forecasts += [w for w in report.asked.weather if day.date and w.get("date") == day.date.isoformat()]
    outside = [stop for stop in day.sights if (known := report.facts.place(day, stop)) and known.sight and not known.sight.indoor]  # fmt: skip # noqa: E501
    for weather in forecasts:
        report.looked_at("V23")
        if outside and _is_bad(weather):
            names = "、".join(stop.name for stop in outside[:3])
            report.add(
                "V23",
                report.say("day {day} may be wet, and {names} lies outdoors", day=day.number, names=names),
                day=day,
            )


def _is_bad(weather: Mapping[str, Any]) -> bool:
    def number(name: str) -> float:
        value = weather.get(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0

    return number("rain_prob") >= WET_PERCENT or number("rain_mm") >= WET_MM or number("code") >= STORM_CODE


def _holiday(report: TripReport, day: TripDay) -> None:
    if day.date is None:
        return
    report.looked_at("V24")
    name = holiday_name(report.facts.calendar_of(day), day.date, report.facts.language)
    if name and day.sights:
        report.add(
            "V24",
            report.say("{date} is a holiday ({name}): expect crowds and book early", date=day.date, name=name),
            day=day,
        )


def _zigzag(report: TripReport, day: TripDay) -> None:
    """The way through the day's sights against the shortest one that still keeps their hours."""
    facts, sights = report.facts, [stop for stop in day.sights if stop.timed]
    keys = [facts.end_of(day, stop) for stop in sights]
    if not 3 <= len(sights) <= MAX_STOPS or len({key for key, _ in keys}) < len(keys):
        return
    mode = next((stop.way.mode for stop in sights if stop.way), "transit")
    home, goal = facts.home(day), facts.goal(day)

    def minutes(a: tuple[str, Any] | None, b: tuple[str, Any] | None) -> int | None:
        if a is None or b is None:
            return 0
        way = facts.way(a, b, mode)
        return way.typical if way else None

    leave = [minutes(home, key) for key in keys]
    back = [minutes(key, goal) for key in keys]
    go = [[minutes(a, b) if a != b else 0 for b in keys] for a in keys]
    if any(way is None for row in (leave, back, *go) for way in row):
        return
    report.looked_at("V25")
    # A better order is one that neither begins earlier nor comes home later than this one.
    first, last = min(stop.start or 0 for stop in sights), max(stop.end or 0 for stop in sights)
    start = max(0, first - (leave[0] or 0)) if day.start is None else min(day.start, first)
    end = max(day.end or 0, last + (back[-1] or 0))
    problem = DayProblem(
        [_visit(report, day, stop, i) for i, stop in enumerate(sights)],
        [way or 0 for way in leave], [[way or 0 for way in row] for row in go], [way or 0 for way in back],
start=start,
        end=end,
        meals=tuple(meal for meal in (LUNCH, DINNER) if _eats(day, meal)),
    )  # fmt: skip
    best = solve(problem)
    walked = (leave[0] or 0) + sum(go[i][i + 1] or 0 for i in range(len(keys) - 1)) + (back[-1] or 0)
    if len(best.order) == len(sights) and walked > DETOUR * best.travel and walked - best.travel >= 10:
        order = " → ".join(sights[i].name for i in best.order)
        report.add(
            "V25",
            report.say(
                "day {day} zigzags: {minutes} minutes; {order} takes about {best}",
                day=day.number,
                minutes=walked,
                order=order,
                best=best.travel,
            ),
            day=day,
        )


def _eats(day: TripDay, meal: Meal) -> bool:
    """Whether the day has this meal as an item of its own."""
    return any(
        stop.kind == "meal" and stop.start is not None and meal.start <= stop.start < meal.end for stop in day.stops
    )


def _visit(report: TripReport, day: TripDay, stop: TripStop, index: int) -> Visit:
    place = report.facts.place(day, stop)
    hours = place.hours if place else None
    windows = windows_on(hours, day.date, public_holiday=report.facts.is_holiday(day)) if hours else ()
    windows = windows or (Window(0, 2 * DAY, 2 * DAY),)
    best = place.sight.best_time if place and place.sight else ()
    if best == ("evening",) and (stop.start or 0) >= EVENING:
        earliest = min(stop.start or 0, dusk(report.facts.city_of(day), day.date))
        windows = tuple(
            Window(max(w.start, earliest), w.end, w.last_entry) for w in windows if w.last_entry >= earliest
        )
    elif best == ("morning",) and (stop.start or 0) <= NOON:
        windows = tuple(Window(w.start, w.end, min(w.last_entry, NOON)) for w in windows if w.start <= NOON)
    return Visit(f"{index:02d}", stop.minutes, windows)
