"""Sights and food of a city, filtered and sorted; and a sight's opening on a day, as a tool tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from ..wording import count_in, listed, month_name, plain, say_in, speaks_chinese, weekday_name
from .areas import concessions
from .geo import Point, distance_km
from .holiday_calendar import calendar_of, holiday_name
from .hours import Hours, Opening, Season, format_time, opens_on, windows_on
from .places import Attraction, City, Food
from .vocabulary import vocabulary


@dataclass(frozen=True)
class SightFilter:
    """What is asked of a sight; the empty query takes all."""

    categories: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    free_only: bool = False
    max_ticket: Decimal | None = None
    indoor: bool | None = None
    day: date | None = None
    near: tuple[Point, float | None] | None = None
    whom: str | None = None
    sort: str = "popular"
    only: frozenset[str] = frozenset()
    """Ids."""
    today: date | None = None
    """Decides the season of the hours that are told where no day is asked for."""

    def takes(self, sight: Attraction) -> bool:
        price = sight.ticket.adult_on(self.day)
        return (
            (not self.only or sight.id in self.only)
            and (not self.categories or sight.category in self.categories)
            and (not self.tags or bool(self.tags & set(sight.tags)))
            and not (self.free_only and price > 0)
            and (self.max_ticket is None or price <= self.max_ticket)
            and (self.indoor is None or sight.indoor == self.indoor)
            and self._within(sight)
            and suits(sight, self.whom)
        )

    def _within(self, sight: Attraction) -> bool:
        if self.near is None or self.near[1] is None:
            return True
        return distance_km(sight.point, self.near[0]) <= self.near[1]


def suits(sight: Attraction, whom: str | None) -> bool:
    match whom:
        case "child":
            return sight.child_ok
        case "elder":
            return sight.stairs != "high"
        case "wheelchair":
            return sight.wheelchair in ("yes", "partly")
        case _:
            return True


def find_sights(city: City, query: SightFilter) -> list[Attraction]:
    """In the order asked for; the order of the record is that of fame."""
    sights = [sight for sight in city.attractions if query.takes(sight)]
    if query.sort == "price":
        sights.sort(key=lambda sight: sight.ticket.adult_on(query.day))
    elif query.sort == "distance":
        origin = query.near[0] if query.near else city.point
        sights.sort(key=lambda sight: distance_km(sight.point, origin))
    return sights


def sight_row(city: City, sight: Attraction, query: SightFilter, language: str) -> dict[str, Any]:
    origin = query.near[0] if query.near else city.point
    ticket = sight.ticket
    adult, child = ticket.prices_on(query.day)
    holiday = holiday_name(calendar_of(city), query.day) is not None
    row: dict[str, Any] = {
        "id": sight.id,
        "name": sight.name(language),
        "category": sight.category,
        "category_label": vocabulary().categories.label(sight.category, language),
        "tags": list(sight.tags),
        "lat": sight.point.lat,
        "lon": sight.point.lon,
        "distance_km": round(distance_km(sight.point, origin), 1),
        "ticket": {
            "adult": plain(adult),
            "child": None if child is None else plain(child),
            "free_under_age": ticket.free_under_age,
            "currency": ticket.currency,
            "note": ticket.note,
        },
        "hours": hours_text(sight.hours, query.day, language, holiday=holiday, today=query.today),
        "reservation": asdict(sight.reservation),
        "booking": booking_text(sight, language),
        "visit_minutes": asdict(sight.visit_minutes),
        "best_time": list(sight.best_time),
        "indoor": sight.indoor,
        "stairs": sight.stairs,
        "child_ok": sight.child_ok,
        "wheelchair": sight.wheelchair,
        "as_of": sight.as_of,
        "confidence": sight.confidence,
    }
    if usual := concessions(city, sight, language):
        row["concessions"] = usual
    if query.day is not None:
        row["open_on"] = opening_on(sight.hours, query.day, holiday=holiday)
    if sight.source_url:
        row["source_url"] = sight.source_url
    return row


def booking_text(sight: Attraction, language: str) -> str:
    """The record's own remark is Chinese; in English the figure is said."""
    booking = sight.reservation
    if speaks_chinese(language) or not booking.required:
        return booking.note if speaks_chinese(language) else ""
    return count_in(language, "book {n} day ahead", "book {n} days ahead", booking.days_ahead)


def opening_on(hours: Hours, day: date, *, holiday: bool = False) -> dict[str, Any]:
    open_ = opens_on(hours, day, public_holiday=holiday)
    windows = windows_on(hours, day, public_holiday=holiday) if open_ else ()
    return {
        "date": day.isoformat(),
        "open": bool(windows),
        "hours": [[format_time(max(0, window.start)), format_time(window.end)] for window in windows],
        "last_entry": format_time(windows[-1].last_entry) if windows else None,
        "reason": None if windows else Opening.CLOSED_DAY.value,
    }


def hours_text(
    hours: Hours, day: date | None, language: str, *, holiday: bool = False, today: date | None = None
) -> str:
    """One line a person reads: that day's hours, or the week of the season (of `today`) with its closing days."""
    on = day or today
    season = hours.season_of(on) if on else hours.seasons[0]
    if day is not None and not opens_on(hours, day, public_holiday=holiday):
        return say_in(language, "closed that day")
    if season is None:
        seasons_text = listed(language, [_span(each, language) for each in hours.seasons])
        text = say_in(language, "closed for the season")
        return text if day else text + say_in(language, " (open {seasons_text})", seasons_text=seasons_text)
    windows = windows_on(hours, day, public_holiday=holiday)
    if day is None and today is not None and (usual := _usual_day(hours, season, today)):
        windows = windows_on(hours, usual)
    if windows and windows[0].start <= 0 and windows[-1].end >= 24 * 60:
        text = say_in(language, "always open")
    else:
        text = ", ".join(f"{format_time(max(0, window.start))}–{format_time(window.end)}" for window in windows)
    if windows and windows[-1].last_entry < windows[-1].end:
        last = format_time(windows[-1].last_entry)
        text += say_in(language, " (last entry {last})", last=last)
    shut = [i for i, intervals in enumerate(season.weekly) if not intervals]
    if day is None and shut:
        days = [weekday_name(language, i) for i in shut]
        text += say_in(language, ", closed {days}", days=listed(language, days))
    if day is None and today is not None and len(hours.seasons) > 1:
        text += say_in(language, ", {season}", season=_span(season, language))
    return text


def _span(season: Season, language: str) -> str:
    ends = [tuple(map(int, each.split("-"))) for each in (season.first, season.last)]
    return "–".join(
        say_in(language, "{month} {day}", month=month_name(language, month), day=day) for month, day in ends
    )


def _usual_day(hours: Hours, season: Season, today: date) -> date | None:
    """A day of this season on which it opens as on most of its open days."""
    usual = Counter(intervals for intervals in season.weekly if intervals).most_common(1)
    days = (today + timedelta(days=n) for n in range(8))
    fitting = (each for each in days if hours.season_of(each) == season and opens_on(hours, each))
    regular_days = [each for each in fitting if usual and season.weekly[each.weekday()] == usual[0][0]]
    return regular_days[0] if regular_days else None


def find_foods(
    city: City,
    *,
    diet: Sequence[str] = (),
    without: Sequence[str] = (),
    price_max: float | None = None,
    kind: str | None = None,
) -> list[Food]:
    """Foods with every trait of `diet` and none of `without`."""
    return [
        food
        for food in city.foods
        if all(_has(food, trait) for trait in diet)
        and not any(_has(food, trait) for trait in without)
        and (price_max is None or food.price_low <= price_max)
        and (kind is None or food.kind == kind)
    ]


IMPLIED = {"veg": ("vegan",), "seafood": ("fish", "shellfish"), "nut": ("peanut",)}
"""Who says the first also means the others: no nuts is no peanuts, to be on the safe side."""


def _has(food: Food, trait: str) -> bool:
    return trait in food.diet or any(other in food.diet for other in IMPLIED.get(trait, ()))


def food_row(food: Food, language: str) -> dict[str, Any]:
    return {
        "id": food.id,
        "name": food.name(language),
        "what": food.what,
        "price_low": food.price_low,
        "price_high": food.price_high,
        "where_hint": food.where_hint,
        "diet": list(food.diet),
        "diet_labels": [vocabulary().diet.label(trait, language) for trait in food.diet],
        "kind": food.kind,
    }
