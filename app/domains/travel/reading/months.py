"""A part of a month and days of the Chinese calendar: "6月初", "mid-June", "三月最后一个周末", "腊月二十六到正月初二".

A day is set in the middle of what was said, so that season, hours and prices are right: early is the 6th, the
middle the 14th, late the 23rd; a month alone the 12th, and only where days are counted too or a plan is known.
`date_part` is how it was said.
"""

from __future__ import annotations

import calendar
import math
import re
from datetime import date, timedelta

from app.core.reading.dates import read_date
from app.core.reading.numerals import numbers
from app.core.reading.text import first_of
from app.core.slots import Slots, Surroundings, Table

from .feasts import feast_of
from .places import days_said

_DIGITS = "一二三四五六七八九十"
_MONTHS = "january february march april may june july august september october november december".split()
_NAME = rf"(?:{'|'.join(f'{m[:3]}(?:{m[3:]})?' if m != 'may' else 'may' for m in _MONTHS)}|sept)"
_ZH_MONTH = rf"(?P<rel>下下个月|下个月|下月|这个月|本月)|(?P<num>1[0-2]|[1-9]|十[一二]?|[{_DIGITS[:9]}])月份?"
_ZH_PART = re.compile(rf"(?:{_ZH_MONTH})的?(?P<part>初|上旬|头上|头|中旬|中(?!午|秋|国|山)|下旬|月底|底|末)")
_ZH_WEEKEND = re.compile(
    rf"(?:{_ZH_MONTH})的?(?:第?(?P<nth>[一二三四1-4])个?|(?P<last>最后一?个?))(?P<what>周末|星期|礼拜|周)(?![一二三四五六日天])"
)
_ZH_ALONE = re.compile(rf"(?:{_ZH_MONTH})(?!\d|[{_DIGITS}]|初|头|底|中旬|上旬|下旬|末)")
_EN_PART = re.compile(
    rf"\b(?P<part>early|mid|middle of|late|beginning of|start of|end of)[\s-]+(?:the\s+)?(?P<month>{_NAME})\b"
)
_EN_WEEKEND = re.compile(
    rf"\b(?P<nth>first|second|third|fourth|last)\s+(?:full\s+)?(?P<what>week|weekend)\s+(?:of|in)\s+(?P<month>{_NAME})\b"
)
_EN_ALONE = re.compile(rf"\b(?:in|next|this|during|around|for|to|of)\s+(?P<month>{_NAME})\b(?!\s*\d)")
_PARTS = {
    "初": 6, "上旬": 6, "头上": 6, "头": 6, "early": 6, "beginning of": 6, "start of": 6,
    "中旬": 14, "中": 14, "mid": 14, "middle of": 14,
    "下旬": 23, "late": 23, "月底": 26, "底": 26, "末": 26, "end of": 26,
}  # fmt: skip
_NTH = {"一": 1, "二": 2, "三": 3, "四": 4, "first": 1, "second": 2, "third": 3, "fourth": 4, "last": 0}
ALONE = 12
"""The day of a month of which no part is said."""


def read_month_part(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """start_date (the slot `of`), and `name` as it was said. A date that is written out goes before it."""
    if read_date(text, "day", {}, around):
        return {}
    for pattern in (_ZH_WEEKEND, _EN_WEEKEND):
        if match := pattern.search(text):
            first = _month(match, around.today)
            return _found(_nth(match, first), match, name, table, around.today) if first else {}
    for pattern in (_ZH_PART, _EN_PART):
        if match := pattern.search(text):
            first = _month(match, around.today)
            return _found(first.replace(day=_PARTS[match["part"]]), match, name, table, around.today) if first else {}
    if not days_said(text, table) and not first_of(text, table.get("weeks", ())) and "plan" not in around.known:
        return {}
    for pattern in (_ZH_ALONE, _EN_ALONE):
        if match := pattern.search(text):
            first = _month(match, around.today)
            if first and first.replace(day=ALONE) < around.today and _is_next_year(around):
                first = first.replace(year=first.year + 1)
            return _found(first.replace(day=ALONE), match, name, table, around.today) if first else {}
    return {}


def _is_next_year(around: Surroundings) -> bool:
    """Whether a plan of next year was spoken of."""
    return str(around.known.get("start_date") or "")[:4] > str(around.today.year)


def _found(day: date, match: re.Match[str], name: str, table: Table, today: date) -> Slots:
    """A part of the present month begins tomorrow at the earliest."""
    if day <= today and (day.year, day.month) == (today.year, today.month):
        day = today + timedelta(days=1)
    return {str(table["of"]): day.isoformat(), name: match[0].strip()}


def _month(match: re.Match[str], today: date) -> date | None:
    """The first day of the month, the next one of its name."""
    groups = match.groupdict()
    if groups.get("rel"):
        ahead = {"下下": 2, "下个": 1, "下月": 1}.get(groups["rel"][:2], 0)
        year, month = divmod(today.month - 1 + ahead, 12)
        return date(today.year + year, month + 1, 1)
    if groups.get("num"):
        number = next(numbers(groups["num"]), None)
        month = number.whole if number else 0
    else:
        month = next(n for n, word in enumerate(_MONTHS, 1) if word.startswith(groups["month"][:3]))
    if not 1 <= month <= 12:
        return None
    last = calendar.monthrange(today.year, month)[1]
    return date(today.year + (date(today.year, month, last) <= today), month, 1)


def _nth(match: re.Match[str], first: date) -> date:
    """Saturday of a weekend, Monday of a week; the second week is that of the 8th."""
    groups = match.groupdict()
    nth = (
        0
        if groups.get("last")
        else _NTH.get(groups["nth"], 0) or (int(groups["nth"]) if groups["nth"].isdecimal() else 0)
    )
    weekend = groups["what"] in ("周末", "weekend")
    if not weekend and nth:
        return first + timedelta(days=7 * (nth - 1))
    weekday = 5 if weekend else 0
    start = first + timedelta(days=(weekday - first.weekday()) % 7)
    if nth:
        return start + timedelta(days=7 * (nth - 1))
    while (start + timedelta(days=7)).month == first.month:
        start += timedelta(days=7)
    return start


# ---------------------------------------------------------------- the Chinese calendar

_LUNAR = re.compile(rf"(?P<month>腊月|正月|大年|过年|年)?(?P<early>初|廿)?(?P<day>[{_DIGITS}]{{1,3}}|\d{{1,2}})")
_JOINT = re.compile(r"^(?:到|至|-|–|—|~)$")
_UNITS = (
    "天",
    "岁",
    "个",
    "月",
    "年",
    "点",
    "人",
    "晚",
    "中",
    "班",
    "家",
    "口",
    "号",
    "日",
    "位",
    "块",
    "元",
    "千",
    "百",
    "大",
)


def read_lunar(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """start_date of "腊月二十八", "大年初三"; with `span` the days to a second one."""
    days = _lunar_days(text, around.today)
    if not days:
        return {}
    found: Slots = {str(table["of"]): days[0][2].isoformat()}
    if len(days) > 1 and _JOINT.match(text[days[0][1] : days[1][0]].strip()):
        count = (days[1][2] - days[0][2]).days + 1
        if 1 < count <= table.get("max", 21):
            found[str(table["span"])] = count
    return found


def _lunar_days(text: str, today: date) -> list[tuple[int, int, date]]:
    found: list[tuple[int, int, date]] = []
    for match in _LUNAR.finditer(text):
        behind = text[match.end() : match.end() + 1]
        joined = bool(found) and _JOINT.match(text[found[-1][1] : match.start()].strip()) is not None
        if behind in _UNITS or not (match["month"] or (match["early"] and joined)):
            continue
        if match["month"] in ("过年", "年") and not match["early"]:
            continue
        number = next(numbers(match["day"]), None)
        value = (number.whole if number else 0) + (20 if match["early"] == "廿" else 0)
        if not 1 <= value <= 30:
            continue
        is_twelfth = match["month"] == "腊月" or (match["month"] in ("大年", "年") and value == 30)
        if day := _lunar(12 if is_twelfth else 1, value, today if not found else found[-1][2]):
            found.append((match.start(), match.end(), day))
    return found


def _lunar(month: int, day: int, after: date) -> date | None:
    """A day of the first or the twelfth month, the next one."""
    for year in (after.year, after.year + 1, after.year + 2):
        spring = feast_of("spring_festival", year)
        if spring is None:
            continue
        if month == 1:
            found = spring + timedelta(days=day - 1)
        else:
            begin = _new_moon_before(spring)
            found = min(begin + timedelta(days=day - 1), spring - timedelta(days=1))
        if found >= after:
            return found
    return None


def _new_moon_before(spring: date) -> date:
    """The first day of the month before this new moon, by the day in China (the largest terms of Meeus, ch. 49)."""
    k = round((spring.year + (spring.timetuple().tm_yday - 1) / 365.25 - 2000) * 12.3685) - 1
    t = k / 1236.85
    mean = 2451550.09766 + 29.530588861 * k + 0.00015437 * t * t
    sun = math.radians(2.5534 + 29.10535670 * k)
    moon = math.radians(201.5643 + 385.81693528 * k)
    node = math.radians(160.7108 + 390.67050284 * k)
    day = mean - 0.40720 * math.sin(moon) + 0.17241 * math.sin(sun) + 0.01608 * math.sin(2 * moon)
    day += 0.01039 * math.sin(2 * node) + 0.00739 * math.sin(moon - sun) - 0.00514 * math.sin(moon + sun)
    return date.fromordinal(math.floor(day + 0.5 + 8 / 24) - 1721425)
