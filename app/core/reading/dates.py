"""When: months, days, weekends, feasts with a fixed date, and from one day to another."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

from app.core.slots import Slots, Surroundings, Table

from .numerals import Number, numbers
from .text import contains, find, spans
from .units import bounded

WEEKDAYS_ZH = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "末": 5, "日": 6, "天": 6}
WEEKDAYS_EN = {"monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "weekend": 5, "sunday": 6}  # fmt: skip # noqa: E501
MONTHS = "january february march april may june july august september october november december".split()
WEEK = "周"
"""Of 周末 alone nobody knows which week is meant."""
BARE = ("周", "星期", "礼拜", "on")
"""Before a weekday, without saying of which week."""
JOINTS = ("到", "至", "-", "--", "–", "—", "~", "to", "until", "till", "through", "- ")
_DAY_NAME = re.compile(
    r"\b(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?\b\.?,?(?= ?(?:the )?\d)"
    r"|(?<=[日号])\(?(?:周|星期|礼拜)[一二三四五六日天]\)?(?=到|至|-)|(?<=[到至-])(?:周|星期|礼拜)[一二三四五六日天](?=\d)"
)
"""Beside a written date: "Mon 7 Dec to Fri 11 Dec"."""
_CLOCK = re.compile(r" ?(?:[ap]\.?m\b|:\d|o'clock)")
"""Behind the 7 of "6 Dec 7pm"."""
LONGEST = 60
"""Days between two dates that are still taken for one journey."""


def read_month(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    for word, months in table.get("relative", {}).items():
        if contains(text, word):
            return {name: (around.today.month - 1 + months) % 12 + 1}
    for number in numbers(text):
        after = text[number.end : number.end + 1]
        if after == "月" and 1 <= number.value <= 12 and number.value.is_integer():
            return {name: number.whole}
    return next(({name: month} for word, month in table.get("words", {}).items() if contains(text, word)), {})


def read_date(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """2026-12-01, 2026年12月1日, 12月1日 (the next one), "Dec 1", 明天, 下周六, 五一.

    With `span` the slot of that name gets the days from the first date to the last: "10月1日到3日", "Dec 24-27".
    """
    if written := _written_out(text, around.today):
        first, last = written
        found: Slots = {name: first.isoformat()}
        if last and table.get("span"):
            found.update(bounded(table["span"], (last - first).days + 1, table))
        return found
    for word, offset in table.get("words", {}).items():
        if contains(text, word):
            return {name: (around.today + timedelta(days=offset)).isoformat()}
    if table.get("weeks") and (day := _weekday(text, table, around.today)):
        return {name: day.isoformat()}
    for word, month_and_day in table.get("feasts", {}).items():
        if contains(text, word):
            month, number = map(int, month_and_day.split("-"))
            feast = _day(0, month, number, today=around.today)
            return {name: feast.isoformat()} if feast else {}
    return {}


def _written_out(text: str, today: date) -> tuple[date, date | None] | None:
    """The first date of the text, and the last one of a span that begins with it."""
    text = _DAY_NAME.sub(_blank, text)
    amounts = list(numbers(text))
    for n in range(len(amounts)):
        if parts := _date_parts(text, amounts[n : n + 3]):
            year, month, day, used = parts
            first = _day(year, month, day, today=today)
            return (first, _last(text, amounts[n + used :], amounts[n + used - 1], first)) if first else None
    return _in_english(text, amounts, today)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _date_parts(text: str, parts: list[Number]) -> tuple[int, int, int, int] | None:
    """(year or 0, month, day, numbers used) if these numbers stand as a date."""
    gaps = [text[a.end : b.start] for a, b in pairwise(parts)]
    if len(parts) == 3 and gaps in (["-", "-"], ["/", "/"], ["年", "月"]) and parts[0].value > 1_000:
        return parts[0].whole, parts[1].whole, parts[2].whole, 3
    if len(parts) >= 2 and gaps[0] == "月":
        behind = text[parts[1].end : parts[1].end + 1]
        to_a_day = len(parts) == 3 and gaps[1] in JOINTS and text[parts[2].end : parts[2].end + 1] in ("日", "号")
        if behind in ("日", "号") or to_a_day:
            return 0, parts[0].whole, parts[1].whole, 2
    return None


def _last(text: str, rest: list[Number], before: Number, first: date) -> date | None:
    """The end of "10月1日到3日", "12月24日-12月27日"."""
    if not rest:
        return None
    gap = text[before.end : rest[0].start].strip("日号 ")
    if gap not in JOINTS:
        return None
    if parts := _date_parts(text, rest[:3]):
        return _later(first, parts[1], parts[2])
    return _later(first, first.month, rest[0].whole) if text[rest[0].end : rest[0].end + 1] in ("日", "号") else None


def _in_english(text: str, found: list[Number], today: date) -> tuple[date, date | None] | None:
    named = sorted(
        (start, end, month)
        for month, word in enumerate(MONTHS, 1)
        for form in dict.fromkeys((word, word[:3], f"{word[:3]}.", "sept" if month == 9 else word))
        for start, end in spans(text, form)
    )
    for start, end, month in named:
        behind = next(
            (
                each
                for each in found
                if text[end : each.start] in ("", " ", ". ")
                and end <= each.start
                and each.whole <= 31
                and not _CLOCK.match(text, each.end)
            ),
            None,
        )
        if behind and (first := _day(0, month, behind.whole, today=today)):
            return first, _last_in_english(text, found, named, behind, first)
        ahead = next((number for number in reversed(found) if number.end <= start), None)
        if ahead and ahead.whole <= 31 and text[ahead.end : start].strip() in ("", "st", "nd", "rd", "th", "st of", "nd of", "rd of", "th of", "of"):  # fmt: skip # noqa: E501
            earlier = next((number for number in reversed(found) if number.end <= ahead.start), None)
            if earlier and _gap(text, earlier.end, ahead.start) in JOINTS and earlier.whole <= 31:
                first = _day(0, month, earlier.whole, today=today)
                return (first, _later(first, month, ahead.whole)) if first else None
            first = _day(0, month, ahead.whole, today=today)
            return (first, _last_behind_month(text, found, named, end, first)) if first else None
    return None


def _last_in_english(
    text: str, found: list[Number], named: list[tuple[int, int, int]], before: Number, first: date
) -> date | None:
    after = next((number for number in found if number.start > before.start), None)
    if after is None or after.whole > 31:
        return None
    gap = _gap(text, before.end, after.start)
    month = next((month for start, end, month in named if start >= before.end and end <= after.start), None)
    if month:
        words = gap.split()
        return _later(first, month, after.whole) if len(words) == 2 and words[0] in JOINTS else None
    return _later(first, first.month, after.whole) if gap in JOINTS else None


def _last_behind_month(
    text: str, found: list[Number], named: list[tuple[int, int, int]], end: int, first: date
) -> date | None:
    """The end of "7 Dec to 11 Dec", "7 Dec - 11": `end` is behind the first month."""
    after = next((number for number in found if number.start >= end), None)
    if after is None or after.whole > 31 or text[end : after.start].strip(" ,") not in JOINTS:
        return None
    named_behind = next((each for each in named if each[0] >= after.end), None)
    beside = named_behind is not None and _gap(text, after.end, named_behind[0]) in ("", "of")
    return _later(first, named_behind[2] if named_behind and beside else first.month, after.whole)


def _gap(text: str, start: int, end: int) -> str:
    """What stands between two numbers, without the ending of an ordinal."""
    gap = text[start:end].strip()
    for ending in ("st", "nd", "rd", "th"):
        gap = gap.removeprefix(ending)
    return gap.strip().removesuffix(" the").strip()


def _later(first: date, month: int, day: int) -> date | None:
    last = _day(0, month, day, today=first)
    return last if last and 0 < (last - first).days < LONGEST else None


def _weekday(text: str, table: Table, today: date) -> date | None:
    """下周六, 这周末, "next Friday": by the week in which they lie; a weekday alone is the coming one."""
    for word, weeks in table["weeks"].items():
        at = text.find(word)
        while at != -1:
            number = None if word == WEEK and text[at + 1 : at + 2] == "末" else _weekday_behind(text, at + len(word))
            if number is not None:
                day = _of_week(today, weeks, number)
                # One who means today does not name its weekday.
                return day + timedelta(days=7) if day == today and word in BARE else day
            at = text.find(word, at + 1)
    return None


def _weekday_behind(text: str, at: int) -> int | None:
    if text[at : at + 1] in WEEKDAYS_ZH:
        return WEEKDAYS_ZH[text[at]]
    rest = text[at:].lstrip()
    return next((number for word, number in WEEKDAYS_EN.items() if find(rest, word) == 0), None)


def _of_week(today: date, weeks: int, weekday: int) -> date:
    day = today - timedelta(days=today.weekday()) + timedelta(days=7 * weeks + weekday)
    return day if day >= today else day + timedelta(days=7)


def _day(year: int, month: int, day: int, *, today: date) -> date | None:
    try:
        if year:
            return date(year, month, day)
        this_year = date(today.year, month, day)
        return this_year if this_year >= today else date(today.year + 1, month, day)
    except ValueError:
        return None
