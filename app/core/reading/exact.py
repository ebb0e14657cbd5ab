"""A whole text as one value: a number, a day, a time – or nothing, where it has none or more than one meaning.

The offline rules look for values inside sentences (`numerals`, `dates`) and may choose the likelier reading. Here what
has two meanings is nothing: "3/4" is no day, "三四" no number, "3点" no time, "next Friday" no day before the weekend.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

from .dates import MONTHS, WEEKDAYS_EN, WEEKDAYS_ZH
from .numerals import DIGITS, UNITS, chinese_value

LONGEST = 60
"""Characters of a text that may be a value."""

# ---------------------------------------------------------------- numbers

_PLAIN = re.compile(r"[+-]?\d+(\.\d+)?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_SCALED = re.compile(r"([+-]?\d+(?:\.\d+)?)\s?(百|千|万|亿|k|w)")
_SCALES = {"百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000, "k": 1_000, "w": 10_000}
_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}


def folded(text: str) -> str:
    """Half-width, lower case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def number_of(text: str) -> int | float | None:
    """3, -3, 1,500, 1.5万, 8k, 三, 一万五, twenty-five; a fraction of exactly three digits is none."""
    if len(text) > LONGEST:
        return None
    word = folded(text)
    if _GROUPED.fullmatch(word):
        return _whole(float(word.replace(",", "")))
    if _PLAIN.fullmatch(word):
        fraction = word.partition(".")[2]
        is_grouping = len(fraction) == 3 and len(word.partition(".")[0].lstrip("+-")) <= 3
        return None if is_grouping else _whole(float(word)) if "." in word else int(word)
    if scaled := _SCALED.fullmatch(word):
        return _whole(round(float(scaled[1]) * _SCALES[scaled[2]], 6))
    return _chinese(word) if word and all(c in DIGITS or c in UNITS for c in word) else _english(word)


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _chinese(word: str) -> int | None:
    digits = [char in DIGITS for char in word]
    if len(word) > 1 and all(digits):
        return None if not set(word) & {"零", "〇"} else int("".join(str(DIGITS[char]) for char in word))
    doubled = any(a and b and "零〇".find(x) < 0 for a, b, x in zip(digits, digits[1:], word, strict=False))
    return None if doubled else chinese_value(word)


def _english(word: str) -> int | None:
    parts = word.replace("-", " ").replace(" and ", " ").split()
    if not parts or len(parts) > 8:
        return None
    total = group = 0
    before = ""
    for place, part in enumerate(parts):
        if part in ("a", "an") and place == 0 and len(parts) > 1 and parts[1] in ("hundred", "thousand", "dozen"):
            group = 1
        elif part == "dozen" and group and place == len(parts) - 1:
            group *= 12
        elif part == "hundred" and 0 < group < 10:
            group *= 100
        elif part == "thousand" and 0 < group < 1_000:
            total, group = total + group * 1_000, 0
        elif part in _WORDS and _may_follow(before, part):
            group += _WORDS[part]
        else:
            return None
        before = part
    return total + group


def _may_follow(before: str, part: str) -> bool:
    """ "twenty five", "hundred five", not "five five" or "two three"."""
    if before in _TENS:
        return part in _ONES[1:10]
    return before in ("", "hundred", "thousand")


def amount_of(text: str, units: tuple[str, ...]) -> int | float | None:
    """A number with one of the units behind it, or a sign before it: "5000元", "¥1,200", "3 days"."""
    word = folded(text[:LONGEST])
    for unit in sorted(map(folded, units), key=len, reverse=True):
        if word.endswith(unit) and (found := number_of(word.removesuffix(unit).rstrip(" 个"))) is not None:
            return found
        if word.startswith(unit) and (found := number_of(word.removeprefix(unit).strip())) is not None:
            return found
    return None


# ---------------------------------------------------------------- days

_DAYS_AWAY = {
    "前天": -2, "昨天": -1, "今天": 0, "今日": 0, "明天": 1, "明日": 1, "后天": 2, "大后天": 3, "yesterday": -1,
    "today": 0, "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
_FEASTS = {
    "元旦": (1, 1), "五一": (5, 1), "劳动节": (5, 1), "国庆节": (10, 1), "国庆": (10, 1), "圣诞节": (12, 25),
    "圣诞": (12, 25), "new year's day": (1, 1), "christmas": (12, 25), "christmas day": (12, 25),
}  # fmt: skip
_WEEKS = {
    "下下周": 2, "下下个周": 2, "下下星期": 2, "下周": 1, "下个周": 1, "下星期": 1, "下个星期": 1, "下礼拜": 1,
    "下个礼拜": 1, "本周": 0, "这周": 0, "这个周": 0, "这星期": 0, "这个星期": 0, "这礼拜": 0,
}  # fmt: skip
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[t ]00:00(?::00)?z?)?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_WRITTEN = re.compile(r"(?:(\d{4})\s?年\s?)?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]?")
_MONTH = "|".join(f"{month}|{month[:3]}\\.?" for month in MONTHS) + r"|sept\.?"
_MONTH_FIRST = re.compile(rf"({_MONTH})\s(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(\d{{4}}))?")
_DAY_FIRST = re.compile(rf"(?:the\s)?(\d{{1,2}})(?:st|nd|rd|th)?(?:\sof)?\s({_MONTH})(?:,?\s(\d{{4}}))?")
_NEXT_MONTH = re.compile(r"下个?月\s?(\d{1,2})\s?[日号]")
_AHEAD = re.compile(r"(?:in )?(.{1,12}?)\s?(天后|天之后|日后|days from now|days later|days|周后|星期后|weeks|week)")


def day_of(text: str, today: date) -> date | None:
    """2026-12-05, 2026年12月5日, 12月5日 (the next one), Dec 5, 明天, 下周五, 3天后, in two weeks."""
    if len(text) > LONGEST:
        return None
    word = folded(text)
    if written := _ISO.fullmatch(word):
        return _day(int(written[1]), int(written[3]), int(written[4]))
    if compact := _COMPACT.fullmatch(word):
        return _day(*(int(part) for part in compact.groups()))
    if away := _DAYS_AWAY.get(word.removeprefix("on ")):
        return today + timedelta(days=away)
    if word in ("今天", "今日", "today"):
        return today
    if month_and_day := _FEASTS.get(word):
        return _coming(today, *month_and_day)
    return _by_month(word, today) or _by_week(word, today) or _ahead(word, today)


def _by_month(word: str, today: date) -> date | None:
    if match := _WRITTEN.fullmatch(_arabic(word)):
        year, month, day = match.groups()
        return _day(int(year), int(month), int(day)) if year else _coming(today, int(month), int(day))
    if match := _NEXT_MONTH.fullmatch(_arabic(word)):
        first = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
        return _day(first.year, first.month, int(match[1]))
    plain = word.removeprefix("on ")
    match = _MONTH_FIRST.fullmatch(plain)
    name, day, year = match.groups() if match else ("", "", "")
    if not match and (match := _DAY_FIRST.fullmatch(plain)):
        day, name, year = match.groups()
    if not match:
        return None
    month = next(n for n, each in enumerate(MONTHS, 1) if each.startswith(name.rstrip(".")[:3]))
    return _day(int(year), month, int(day)) if year else _coming(today, month, int(day))


def _arabic(word: str) -> str:
    """十二月五日 → 12月5日."""

    def value(found: re.Match[str]) -> str:
        number = _chinese(found[0])
        return found[0] if number is None else str(number)

    return re.sub(f"[{''.join(DIGITS)}十]+(?=[年月日号])", value, word)


def _by_week(word: str, today: date) -> date | None:
    """下周五 by the week it is in; a weekday alone, or with "next", only where all readings are one day."""
    monday = today - timedelta(days=today.weekday())
    for lead, weeks in sorted(_WEEKS.items(), key=lambda each: -len(each[0])):
        rest = word.removeprefix(lead)
        if rest != word and rest in WEEKDAYS_ZH and rest != "末":
            day = monday + timedelta(days=7 * weeks + WEEKDAYS_ZH[rest])
            return day if day >= today else None
    for lead in ("星期", "礼拜", "周"):
        rest = word.removeprefix(lead)
        if rest != word and rest in WEEKDAYS_ZH and rest != "末":
            return _ahead_this_week(today, WEEKDAYS_ZH[rest])
    plain = word.removeprefix("on ").removeprefix("this ").removeprefix("coming ")
    if plain in WEEKDAYS_EN and plain != "weekend":
        return _ahead_this_week(today, WEEKDAYS_EN[plain])
    after = word.removeprefix("next ")
    if after != word and after in WEEKDAYS_EN and after != "weekend":
        coming = today + timedelta(days=(WEEKDAYS_EN[after] - today.weekday() - 1) % 7 + 1)
        return coming if coming >= monday + timedelta(days=7) else None
    return None


def _ahead_this_week(today: date, weekday: int) -> date | None:
    return today + timedelta(days=weekday - today.weekday()) if weekday > today.weekday() else None


def _ahead(word: str, today: date) -> date | None:
    match = _AHEAD.fullmatch(word)
    if not match or (word[:3] != "in " and match[2] in ("days", "weeks", "week")):
        return None
    count = 1 if match[1] == "a" else number_of(match[1].removesuffix("个"))
    if not isinstance(count, int) or not 0 < count <= 1_000:
        return None
    return today + timedelta(days=count * (7 if match[2] in ("周后", "星期后", "weeks", "week") else 1))


def _coming(today: date, month: int, day: int) -> date | None:
    this_year = _day(today.year, month, day)
    return this_year if this_year and this_year >= today else _day(today.year + 1, month, day)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


# ---------------------------------------------------------------- times

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::00)?\s?(am|pm|a\.m\.|p\.m\.)?")
_HALF_DAY = re.compile(r"(\d{1,2})\s?(am|pm|a\.m\.|p\.m\.)")
_OCLOCK = re.compile(r"(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s?(\d{1,2})\s?[点时:](半|\d{1,2}|整)?分?")
_SPANS = {
    "凌晨": (0, 5), "清晨": (4, 8), "早上": (5, 11), "早晨": (5, 11), "上午": (5, 11), "中午": (11, 13),
    "下午": (12, 18), "傍晚": (17, 20), "晚上": (18, 23), "夜里": (21, 23),
}  # fmt: skip
"""From and to which hour a word for a part of the day reaches."""


def time_of(text: str) -> str | None:
    """09:00 of 9:00, 下午3点, 3:30 pm, 15点半, noon; an hour below thirteen without its half of the day is nothing."""
    word = _arabic_hour(folded(text[:LONGEST]))
    if word in ("noon", "12 noon", "正午"):
        return "12:00"
    if match := _CLOCK.fullmatch(word):
        return _time(_hour(int(match[1]), match[3] or ""), int(match[2]))
    if match := _HALF_DAY.fullmatch(word):
        return _time(_hour(int(match[1]), match[2]), 0)
    match = _OCLOCK.fullmatch(word)
    if not match:
        return None
    part, hour, rest = match[1], int(match[2]), match[3] or ""
    minutes = 30 if rest == "半" else int(rest) if rest.isdecimal() else 0
    if part is None:
        return _time(hour, minutes) if hour > 12 else None
    low, high = _SPANS[part]
    fitting = [each for each in dict.fromkeys((hour, hour + 12)) if low <= each <= high]
    return _time(fitting[0], minutes) if len(fitting) == 1 else None


def _arabic_hour(word: str) -> str:
    def value(found: re.Match[str]) -> str:
        number = _chinese(found[0])
        return found[0] if number is None else str(number)

    return re.sub(f"[{''.join(DIGITS)}十]+(?=[点时分])", value, word)


def _hour(hour: int, half: str) -> int:
    if not half:
        return hour
    if not 1 <= hour <= 12:
        return -1
    return hour % 12 + (12 if half.startswith("p") else 0)


def _time(hour: int, minute: int) -> str | None:
    is_time = 0 <= minute < 60 and (0 <= hour < 24 or (hour, minute) == (24, 0))
    return f"{hour:02d}:{minute:02d}" if is_time else None
