"""A time of day as it is said: "下午3点半", "8pm", "14:30", "noon"."""

from __future__ import annotations

from app.core.reading.numerals import Number, numbers
from app.core.reading.text import contains, first_of
from app.core.slots import Table


def time_in(text: str, table: Table) -> str:
    """HH:MM of "下午3点半", "8pm", "14:30", "noon", "早上"; "" where there is none."""
    for number in numbers(text):
        if time := clock(text, number, table):
            return time
    word = next((word for word in table["times"] if contains(text, word)), None)
    return str(table["times"][word]) if word else ""


def clock(text: str, number: Number, table: Table) -> str:
    behind = text[number.end : number.end + 8].lstrip()
    minutes = _minutes(behind)
    rest = behind[3:].lstrip() if behind[:1] == ":" else behind
    half = next((word for word in ("am", "pm", "a.m", "p.m") if rest.startswith(word)), "")
    if minutes is None and not half and not _has_oclock(text, number):
        return ""
    if not number.value.is_integer() or not 0 <= number.whole <= 24:
        return ""
    before = text[max(0, number.start - 5) : number.start]
    late = half.startswith("p") or (not half and first_of(before, table["late"]) is not None)
    early = half.startswith("a") or first_of(before, table["early"]) is not None
    hour = number.whole
    if hour < 12 and (late or (not early and hour < table.get("dawn", 6) and ":" not in behind[:1])):
        hour += 12
    if hour == 12 and half.startswith("a"):
        hour = 0
    return f"{hour:02d}:{minutes or 0:02d}" if hour < 24 else ""


def _minutes(behind: str) -> int | None:
    if behind[:1] == ":" and behind[1:3].isdecimal() and int(behind[1:3]) < 60:
        return int(behind[1:3])
    if not behind.startswith("点"):
        return None
    if behind.startswith("点半"):
        return 30
    return int(behind[1:3]) if behind[1:3].isdecimal() and int(behind[1:3]) < 60 else 0


def _has_oclock(text: str, number: Number) -> bool:
    return text[number.end :].lstrip().startswith("o'clock")
