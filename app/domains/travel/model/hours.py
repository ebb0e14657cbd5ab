"""Opening hours: what a record of hours means on a given day.

    {"seasons": [{"from": "04-01", "to": "10-31", "weekly": {"mon": [], "tue": [["08:30", "17:00"]], …},
                  "last_entry": "16:10"}],
     "closed": ["02-17", "2026-12-24"], "open_on_public_holiday": true, "note": ""}

`last_entry` is a time, or as "-01:00" how long before closing. An empty list is a closed day. "24:00" is the end of
a day, an interval whose end is not after its start runs past midnight, a season may wrap over the year end, and the
first season that holds a day counts; a day in no season is closed. `is_open` is the one judge: search, route and
checks all ask it. Times are minutes from midnight of the day asked about, so 1:30 of the next morning is 1530.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from functools import lru_cache
from typing import Any

from app.core.text.i18n import N_
from app.core.text.value_faults import ValueFault

DAY = 24 * 60
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def month_day(day: date) -> str:
    """ "MM-DD". The planner asks so often that `strftime`, which looks its module up at each call, was slow."""
    return f"{day.month:02}-{day.day:02}"


class HoursError(ValueError):
    """A record of hours cannot be read; its fault says where and why."""

    def __init__(self, path: str, words: str, **values: object) -> None:
        self.fault = ValueFault(path, words, values)
        super().__init__(self.fault.sentence())


class Opening(Enum):
    """The verdict on a visit. True in a condition when the visit is possible."""

    OPEN = "OPEN"
    CLOSED_DAY = "CLOSED_DAY"
    OUTSIDE_HOURS = "OUTSIDE_HOURS"
    AFTER_LAST_ENTRY = "AFTER_LAST_ENTRY"

    def __bool__(self) -> bool:
        return self is Opening.OPEN


@dataclass(frozen=True, slots=True)
class Window:
    """One stretch of being open, in minutes of the day asked about."""

    start: int
    end: int
    last_entry: int
    """The latest minute one is let in; `end` where no rule says earlier."""


@dataclass(frozen=True, slots=True)
class Season:
    first: str
    last: str
    weekly: tuple[tuple[tuple[int, int], ...], ...]
    """Seven days from Monday; an end above 1440 is past midnight."""
    last_entry: int | None = None
    """A time of day; below zero, minutes before closing."""

    def holds(self, day: date) -> bool:
        key = month_day(day)
        if self.first <= self.last:
            return self.first <= key <= self.last
        return key >= self.first or key <= self.last


@dataclass(frozen=True, slots=True)
class Hours:
    seasons: tuple[Season, ...]
    closed: frozenset[str] = frozenset()
    open_on_public_holiday: bool | None = None
    """True: a public holiday opens even a weekday of rest. False: public holidays are closed. None: no such rule."""
    note: str = ""

    def season_of(self, day: date) -> Season | None:
        return next((season for season in self.seasons if season.holds(day)), None)


def is_open(
    hours: Hours, day: date | None, start: int, end: int | None = None, *, public_holiday: bool = False
) -> Opening:
    """Whether one can visit from `start` to `end` (None: just enter) on `day` (None: an ordinary open day)."""
    finish = start if end is None else end
    late = False
    for window in windows_on(hours, day, public_holiday=public_holiday):
        if window.start <= start and finish <= window.end and start < window.end:
            if start <= window.last_entry:
                return Opening.OPEN
            late = True
    if not opens_on(hours, day, public_holiday=public_holiday):
        return Opening.CLOSED_DAY
    return Opening.AFTER_LAST_ENTRY if late else Opening.OUTSIDE_HOURS


@lru_cache(maxsize=4096)
def opens_on(hours: Hours, day: date | None, *, public_holiday: bool = False) -> bool:
    """Whether it opens its doors on `day` at all; the small hours left over from the night before do not count."""
    return bool(_ordinary_day(hours) if day is None else _own_windows(hours, day, public_holiday))


@lru_cache(maxsize=4096)
def windows_on(hours: Hours, day: date | None, *, public_holiday: bool = False) -> tuple[Window, ...]:
    """When it is open on `day`, joined to the tail of the night before and the run into the next day."""
    if day is None:
        return _ordinary_day(hours)
    own = _own_windows(hours, day, public_holiday)
    before = _own_windows(hours, _shifted(day, -1), False)
    after = _own_windows(hours, _shifted(day, 1), False)
    around = [_moved(window, -DAY) for window in before] + own + [_moved(window, DAY) for window in after]
    joined = _joined(around)
    return tuple(window for window in joined if window.end > 0 and window.start < DAY)


def _ordinary_day(hours: Hours) -> tuple[Window, ...]:
    """What one plans with when no date is known: what is open on the commonest day of every season it has.

    Where its seasons have no hour in common, the commonest open day of the first one.
    """
    usual = [windows for season in hours.seasons if (windows := _commonest(season))]
    if not usual:
        return ()
    shared = usual[0]
    for windows in usual[1:]:
        shared = [
            Window(start, end, min(a.last_entry, b.last_entry, end))
            for a in shared
            for b in windows
            if (start := max(a.start, b.start)) < (end := min(a.end, b.end))
        ]
    return tuple(shared or usual[0])


def _commonest(season: Season) -> list[Window]:
    days = Counter(intervals for intervals in season.weekly if intervals)
    return _joined([_window(season, *interval) for interval in days.most_common(1)[0][0]]) if days else []


def _own_windows(hours: Hours, day: date, public_holiday: bool) -> list[Window]:
    season = hours.season_of(day)
    if season is None or month_day(day) in hours.closed or day.isoformat() in hours.closed:
        return []
    if public_holiday and hours.open_on_public_holiday is False:
        return []
    intervals = season.weekly[day.weekday()]
    if not intervals and public_holiday and hours.open_on_public_holiday:
        intervals = next((other for other in season.weekly if other), ())
    return _joined([_window(season, start, end) for start, end in intervals])


def _window(season: Season, start: int, end: int) -> Window:
    last = end
    if season.last_entry is not None and season.last_entry < 0:
        last = max(start, end + season.last_entry)
    elif season.last_entry is not None:
        for minute in (season.last_entry, season.last_entry + DAY):
            if start <= minute <= end:
                last = minute
                break
    return Window(start, end, last)


def _joined(windows: list[Window]) -> list[Window]:
    """Windows that touch are one; the rule of last entry is the later one's."""
    joined: list[Window] = []
    for window in sorted(windows, key=lambda item: (item.start, item.end)):
        if joined and window.start <= joined[-1].end:
            longest = max(joined[-1], window, key=lambda item: item.end)
            joined[-1] = Window(joined[-1].start, longest.end, longest.last_entry)
        else:
            joined.append(window)
    return joined


def _moved(window: Window, minutes: int) -> Window:
    return Window(window.start + minutes, window.end + minutes, window.last_entry + minutes)


def _shifted(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


def parse_time(text: object, path: str = "time") -> int:
    """Minutes of "HH:MM", up to 24:00."""
    if isinstance(text, str) and text.isascii():
        head, colon, tail = text.partition(":")
        if colon and head.isdigit() and tail.isdigit() and 1 <= len(head) <= 2 and len(tail) == 2:
            minutes = int(head) * 60 + int(tail)
            if int(tail) < 60 and minutes <= DAY:
                return minutes
    raise HoursError(path, N_("not a time HH:MM: {given}"), given=repr(text))


def format_time(minutes: int) -> str:
    """As HH:MM, with "+1" for the next day."""
    if minutes == DAY:
        return "24:00"
    days, rest = divmod(minutes, DAY)
    return f"{rest // 60:02d}:{rest % 60:02d}" + (f"+{days}" if days else "")


def parse_hours(raw: object, path: str = "hours") -> Hours:
    """Read the JSON form; a record with `weekly` at its top is one season of the whole year."""
    record = _mapping(raw, path)
    seasons = record.get("seasons", [record] if "weekly" in record else None)
    if not isinstance(seasons, list) or not seasons:
        raise HoursError(f"{path}.seasons", N_("needs at least one season"))
    holiday = record.get("open_on_public_holiday")
    closed = record.get("closed") or []
    if not isinstance(closed, list):
        raise HoursError(f"{path}.closed", N_("must be a list of dates"))
    return Hours(
        tuple(_season(season, f"{path}.seasons.{i}") for i, season in enumerate(seasons)),
        frozenset(_closed_day(item, f"{path}.closed.{i}") for i, item in enumerate(closed)),
        holiday if isinstance(holiday, bool) else None,
        str(record.get("note") or ""),
    )


def _season(raw: object, path: str) -> Season:
    record = _mapping(raw, path)
    weekly = _mapping(record.get("weekly"), f"{path}.weekly")
    for name in weekly:
        if name not in WEEKDAYS:
            raise HoursError(f"{path}.weekly.{name}", N_("not one of {expected}"), expected=", ".join(WEEKDAYS))
    last_entry = record.get("last_entry")
    return Season(
        _month_day(record.get("from", "01-01"), f"{path}.from"),
        _month_day(record.get("to", "12-31"), f"{path}.to"),
        tuple(_intervals(weekly.get(name), f"{path}.weekly.{name}") for name in WEEKDAYS),
        None if last_entry is None else _last_entry(last_entry, f"{path}.last_entry"),
    )


def _last_entry(raw: object, path: str) -> int:
    if isinstance(raw, str) and raw.startswith("-"):
        return -parse_time(raw[1:], path)
    return parse_time(raw, path)


def _intervals(raw: object, path: str) -> tuple[tuple[int, int], ...]:
    if raw is None:
        return ()
    if not isinstance(raw, list):
        raise HoursError(path, N_("must be a list of [from, to]"))
    intervals = []
    for i, pair in enumerate(raw):
        if not isinstance(pair, list) or len(pair) != 2:
            raise HoursError(f"{path}.{i}", N_("must be [from, to]"))
        start, end = parse_time(pair[0], f"{path}.{i}.0"), parse_time(pair[1], f"{path}.{i}.1")
        intervals.append((start, end if end > start else end + DAY))
    return tuple(sorted(intervals))


def _month_day(raw: object, path: str) -> str:
    if isinstance(raw, str) and _is_date(f"2024-{raw}"):
        return raw
    raise HoursError(path, N_("not a day MM-DD: {given}"), given=repr(raw))


def _closed_day(raw: object, path: str) -> str:
    if isinstance(raw, str) and (_is_date(raw) or _is_date(f"2024-{raw}")):
        return raw
    raise HoursError(path, N_("not a day MM-DD or YYYY-MM-DD: {given}"), given=repr(raw))


def _is_date(text: str) -> bool:
    try:
        return len(text) == 10 and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _mapping(raw: object, path: str) -> Mapping[str, Any]:
    if isinstance(raw, Mapping):
        return raw
    raise HoursError(path, N_("must be an object"))
