"""What a record of opening hours means."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domains.travel.model.hours import (
    WEEKDAYS,
    HoursError,
    Opening,
    format_time,
    is_open,
    opens_on,
    parse_hours,
    parse_time,
    windows_on,
)
from app.domains.travel.model.places import read_ticket
from app.domains.travel.model.sights import hours_text

MONDAY = date(2026, 11, 23)


def hours(*seasons: dict[str, Any], **more: Any) -> Any:
    return parse_hours({"seasons": list(seasons), **more})


def season(intervals: list[list[str]], shut: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"weekly": {day: [] if day in shut else intervals for day in WEEKDAYS}, **more}


MUSEUM = hours(season([["09:00", "17:00"]], ("mon",), last_entry="16:00"))
BAR = hours(season([["18:00", "02:00"]], ("mon",), last_entry="01:00"))
ALWAYS = hours(season([["00:00", "24:00"]]))


@pytest.mark.parametrize(
    ("day", "start", "end", "verdict"),
    [
        (MONDAY, 600, 660, Opening.CLOSED_DAY),
        (MONDAY + timedelta(days=1), 540, 1020, Opening.OPEN),
        (MONDAY + timedelta(days=1), 539, 600, Opening.OUTSIDE_HOURS),
        (MONDAY + timedelta(days=1), 960, 1021, Opening.OUTSIDE_HOURS),
        (MONDAY + timedelta(days=1), 960, 1020, Opening.OPEN),
        (MONDAY + timedelta(days=1), 961, 1020, Opening.AFTER_LAST_ENTRY),
    ],
)
def test_a_museum_with_a_day_of_rest_and_a_last_entry(day: date, start: int, end: int, verdict: Opening) -> None:
    assert is_open(MUSEUM, day, start, end) is verdict
    assert bool(is_open(MUSEUM, day, start, end)) == (verdict is Opening.OPEN)


def test_an_evening_runs_past_midnight() -> None:
    tuesday = MONDAY + timedelta(days=1)
    assert is_open(BAR, tuesday, 23 * 60, 25 * 60)
    assert is_open(BAR, tuesday + timedelta(days=1), 30, 60)
    assert is_open(BAR, tuesday, 24 * 60 + 60, 24 * 60 + 120)
    assert is_open(BAR, tuesday, 24 * 60 + 61, 24 * 60 + 90) is Opening.AFTER_LAST_ENTRY
    assert is_open(BAR, tuesday, 25 * 60, 27 * 60) is Opening.OUTSIDE_HOURS


def test_the_small_hours_of_a_day_of_rest_belong_to_the_night_before() -> None:
    assert is_open(BAR, MONDAY, 30, 60)
    assert is_open(BAR, MONDAY, 19 * 60, 20 * 60) is Opening.CLOSED_DAY
    assert not opens_on(BAR, MONDAY)


def test_what_never_closes_can_be_visited_through_midnight() -> None:
    assert is_open(ALWAYS, MONDAY, 23 * 60, 26 * 60)
    assert is_open(ALWAYS, MONDAY, 0, 24 * 60)


def test_a_season_may_wrap_over_the_year_end() -> None:
    lodge = hours({"from": "11-01", "to": "03-31", **season([["10:00", "16:00"]])})
    for day, opened in [
        (date(2026, 10, 31), False),
        (date(2026, 11, 1), True),
        (date(2026, 12, 31), True),
        (date(2027, 1, 1), True),
        (date(2028, 2, 29), True),
        (date(2027, 3, 31), True),
        (date(2027, 4, 1), False),
    ]:
        assert opens_on(lodge, day) is opened, day


def test_the_first_season_that_holds_the_day_counts() -> None:
    both = hours({"from": "07-01", "to": "08-31", **season([["08:00", "20:00"]])}, season([["09:00", "17:00"]]))
    assert is_open(both, date(2026, 7, 15), 19 * 60, 20 * 60)
    assert not is_open(both, date(2026, 9, 15), 19 * 60, 20 * 60)


@pytest.mark.parametrize("closed", ["11-24", "2026-11-24"])
def test_single_days_can_be_closed(closed: str) -> None:
    palace = hours(season([["09:00", "17:00"]]), closed=[closed])
    assert not opens_on(palace, date(2026, 11, 24))
    assert opens_on(palace, date(2026, 11, 25))
    assert opens_on(palace, date(2027, 11, 24)) is (closed != "11-24")


def test_two_stretches_a_day_leave_a_break() -> None:
    campus = hours(season([["08:00", "12:00"], ["14:00", "18:00"]]))
    assert is_open(campus, MONDAY, 11 * 60, 12 * 60)
    assert is_open(campus, MONDAY, 11 * 60, 15 * 60) is Opening.OUTSIDE_HOURS


def test_holidays_open_or_close_only_where_a_rule_says_so() -> None:
    week = season([["09:00", "17:00"]], ("mon",))
    assert opens_on(hours(week, open_on_public_holiday=True), MONDAY, public_holiday=True)
    assert not opens_on(hours(week), MONDAY, public_holiday=True)
    tuesday = MONDAY + timedelta(days=1)
    assert not opens_on(hours(week, open_on_public_holiday=False), tuesday, public_holiday=True)


def test_without_a_date_an_ordinary_open_day_is_meant() -> None:
    assert is_open(MUSEUM, None, 600, 660)
    assert is_open(MUSEUM, None, 961, 1000) is Opening.AFTER_LAST_ENTRY


def test_one_week_for_the_whole_year_may_stand_at_the_top() -> None:
    assert is_open(parse_hours(season([["09:00", "17:00"]])), MONDAY, 600, 660)


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ([], "hours"),
        ({}, "hours.seasons"),
        ({"seasons": []}, "hours.seasons"),
        ({"seasons": [{"weekly": {"monday": []}}]}, "hours.seasons.0.weekly.monday"),
        ({"seasons": [{"weekly": {"mon": [["9", "17:00"]]}}]}, "hours.seasons.0.weekly.mon.0.0"),
        ({"seasons": [{"weekly": {"mon": [["09:00"]]}}]}, "hours.seasons.0.weekly.mon.0"),
        ({"seasons": [{"weekly": {"mon": "09:00-17:00"}}]}, "hours.seasons.0.weekly.mon"),
        ({"seasons": [{"weekly": {}, "from": "13-01"}]}, "hours.seasons.0.from"),
        ({"seasons": [{"weekly": {}, "to": 5}]}, "hours.seasons.0.to"),
        ({"seasons": [{"weekly": {}, "last_entry": "25:00"}]}, "hours.seasons.0.last_entry"),
        ({"seasons": [{"weekly": {}}], "closed": ["soon"]}, "hours.closed.0"),
    ],
)
def test_a_broken_record_says_where(raw: Any, path: str) -> None:
    with pytest.raises(HoursError) as caught:
        parse_hours(raw)
    assert caught.value.fault.place == path


@pytest.mark.parametrize("text", ["24:01", "9", "09:60", "-1:00", "0９:00", "", None, 540, "09:00:00", "١٢:00"])
def test_times_are_read_strictly(text: object) -> None:
    with pytest.raises(HoursError):
        parse_time(text)


@given(st.integers(0, 1440))
def test_times_survive_writing_and_reading(minutes: int) -> None:
    assert parse_time(format_time(minutes)) == minutes


times = st.integers(0, 1439).map(format_time)
weeks = st.fixed_dictionaries({day: st.lists(st.tuples(times, times).map(list), max_size=2) for day in WEEKDAYS})
month_days = st.dates(date(2024, 1, 1), date(2024, 12, 31)).map(lambda day: day.strftime("%m-%d"))
records = st.fixed_dictionaries(
    {
        "seasons": st.lists(
            st.fixed_dictionaries(
                {"from": month_days, "to": month_days, "weekly": weeks}, optional={"last_entry": times}
            ),
            min_size=1,
            max_size=3,
        ),
        "closed": st.lists(month_days, max_size=2),
    }
)
dates = st.dates(date(2025, 1, 1), date(2030, 12, 31))


@given(records, dates, st.integers(0, 1500), st.integers(0, 300))
def test_a_shorter_visit_at_the_same_start_is_never_worse(raw: Any, day: date, start: int, length: int) -> None:
    record = parse_hours(raw)
    if is_open(record, day, start, start + length):
        assert is_open(record, day, start, start + length // 2)


@given(records, dates, st.integers(0, 1439), st.integers(0, 120))
def test_yesterday_seen_from_today_is_the_same_moment(raw: Any, day: date, start: int, length: int) -> None:
    record = parse_hours({**raw, "closed": []})
    later = is_open(record, day, start + 1440, start + 1440 + length)
    if is_open(record, day + timedelta(days=1), start, start + length) and start + length < 1440 and later:
        assert windows_on(record, day + timedelta(days=1))
    if later and start + length <= 1440:
        assert is_open(record, day + timedelta(days=1), start, start + length)


@given(records, dates)
def test_windows_are_apart_and_in_order(raw: Any, day: date) -> None:
    windows = windows_on(parse_hours(raw), day)
    for window in windows:
        assert window.start < window.end
        assert window.start <= window.last_entry <= window.end
    for a, b in pairwise(windows):
        assert a.end < b.start


@given(records, dates, st.integers(0, 1439))
def test_a_day_with_open_doors_is_never_called_a_closed_day(raw: Any, day: date, start: int) -> None:
    record = parse_hours(raw)
    if opens_on(record, day):
        assert is_open(record, day, start) is not Opening.CLOSED_DAY


def _week(usual: list[list[str]], **other: list[list[str]]) -> dict[str, list[list[str]]]:
    return {day: other.get(day, usual) for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}


SEASONS = parse_hours(
    {
        "seasons": [
            {"from": "05-01", "to": "10-31", "weekly": _week([["09:00", "20:30"]], mon=[]), "last_entry": "20:00"},
            {"from": "11-01", "to": "04-15", "weekly": _week([["09:00", "17:00"]], mon=[])},
        ]
    }
)


def test_the_hours_told_are_those_of_the_season_one_is_in() -> None:
    winter, summer, neither = date(2026, 11, 23), date(2026, 7, 1), date(2026, 4, 20)
    assert hours_text(SEASONS, None, "zh_CN", today=winter) == "09:00–17:00，周一闭馆，11月1日–4月15日期间"
    assert hours_text(SEASONS, None, "en", today=summer) == "09:00–20:30 (last entry 20:00), closed Mon, May 1–Oct 31"
    assert hours_text(SEASONS, None, "zh_CN", today=neither) == "季节性关闭（5月1日–10月31日、11月1日–4月15日开放）"
    assert hours_text(SEASONS, winter, "zh_CN", today=summer) == "当日关闭"
    assert hours_text(SEASONS, None, "zh_CN").startswith("09:00–17:00"), "without any day the strictest season"


def test_without_a_date_the_strictest_season_counts() -> None:
    weekly = {day: [["07:00", "19:00"]] for day in WEEKDAYS}
    winter = {day: [["08:30", "17:00"]] for day in WEEKDAYS}
    both = parse_hours({"seasons": [
        {"from": "04-01", "to": "10-31", "weekly": weekly, "last_entry": "18:00"},
        {"from": "11-01", "to": "03-31", "weekly": winter, "last_entry": "-01:00"},
    ]})  # fmt: skip
    assert [(w.start, w.end, w.last_entry) for w in windows_on(both, None)] == [(510, 1020, 960)]
    assert is_open(both, None, 18 * 60) is not Opening.OPEN
    ticket = read_ticket({"adult": 60, "peak": {"from": "04-01", "to": "10-31", "adult": 80}})
    assert [int(ticket.adult_on(day)) for day in (None, date(2026, 12, 8))] == [80, 60]
