"""Public holidays, days off that were moved, and the weekend days worked for them.

The facts are those of the `holidays` library, imported at the first question. For China the moved days are published
once a year; a year without them is known by its statutory days only, and `moved_days_known` says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from .places import City

OF_CITIES = {
    "hongkong": "HK", "macau": "MO", "taipei": "TW", "barcelona": "ES-CT", "sydney": "AU-NSW", "london": "GB-ENG",
    "kuala_lumpur": "MY-14", "new_york": "US-NY", "san_francisco": "US-CA",
}  # fmt: skip
"""Cities whose public holidays are not those of the whole country: a code, or one with its part behind a dash."""

MOVES_DAYS = frozenset({"CN"})
"""Countries that make up for long holidays by working on weekends, announced year by year."""


class CountryUnknown(Exception):
    """The library has no calendar of this country."""


class YearUnknown(Exception):
    """The calendar of the country does not reach this year; `first` and `last` say how far it goes."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(f"{first}–{last}")
        self.first, self.last = first, last


@dataclass(frozen=True)
class Year:
    names: dict[date, str]
    worked: frozenset[date]
    """Days of a weekend that are worked."""
    moved_days_known: bool


@dataclass(frozen=True, slots=True)
class CalendarDay:
    date: date
    holiday: str | None
    adjusted_workday: bool

    @property
    def is_free(self) -> bool:
        return self.holiday is not None or (self.date.weekday() >= 5 and not self.adjusted_workday)


def calendar_of(city: City) -> str:
    return OF_CITIES.get(city.id, city.country)


@lru_cache(maxsize=128)
def year_of(calendar: str, year: int, language: str) -> Year:
    """`calendar` is a country, or a part of one as in `OF_CITIES`."""
    import holidays

    country, _dash, part = calendar.partition("-")
    supported = holidays.list_supported_countries()
    if country not in supported or (part and part not in supported[country]):
        raise CountryUnknown(calendar)
    kind = getattr(holidays, country)
    if not kind.start_year <= year <= kind.end_year:
        raise YearUnknown(kind.start_year, kind.end_year)
    spoken = "zh_CN" if language.startswith("zh") else "en_US"
    holidays_of_year = holidays.country_holidays(
        country, subdiv=part or None, years=year, language=spoken if spoken in kind.supported_languages else None
    )
    worked = frozenset(day for day in getattr(holidays_of_year, "weekend_workdays", ()) if day.year == year)
    return Year(dict(holidays_of_year.items()), worked, country not in MOVES_DAYS or bool(worked))


def known_until(calendar: str, year: int, language: str) -> date | None:
    """The last day up to that year whose moved days are known too; None where no year is."""
    for each in range(year, year - 20, -1):
        try:
            if year_of(calendar, each, language).moved_days_known:
                return date(each, 12, 31)
        except YearUnknown:
            continue
    return None


def days_between(calendar: str, first: date, last: date, language: str) -> list[CalendarDay]:
    """Raises CountryUnknown and YearUnknown."""
    days = []
    for offset in range((last - first).days + 1):
        day = first + timedelta(days=offset)
        year = year_of(calendar, day.year, language)
        days.append(CalendarDay(day, year.names.get(day), day in year.worked))
    return days


def holiday_name(calendar: str, day: date | None, language: str = "en") -> str | None:
    """None also where nothing is known: who plans a day must not fail for want of a calendar."""
    if day is None:
        return None
    try:
        return year_of(calendar, day.year, language).names.get(day)
    except (CountryUnknown, YearUnknown):
        return None
