"""What the readers of slots share: numbers with a unit, bounds, refusals."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.slots import Slots, Table

from .numerals import Number
from .text import find

NEAR = 10
"""Characters within which a hint belongs to a number."""


def bounded(name: str, value: int, table: Table) -> Slots:
    """The value within the limits of the table; what was asked for is beside it where it is outside."""
    low, high = table.get("min", 1), table.get("max", 10_000)
    clamped = min(max(value, low), high)
    return {name: clamped} if clamped == value else {name: clamped, f"{name}_asked": value}


def has_unit(text: str, number: Number, units: Sequence[str]) -> bool:
    return unit_end(text, number, units) != -1


def unit_end(text: str, number: Number, units: Sequence[str]) -> int:
    """Behind the unit that follows a number, "3天", "3 days", "3-day"; -1 if none does."""
    start = number.end
    while start < len(text) and text[start] in " -个":
        start += 1
    for at in dict.fromkeys((number.end, start)):
        for unit in units:
            if text.startswith(unit, at) and find(text, unit, at) == at:
                return at + len(unit)
    return -1


def is_part_of_date(text: str, number: Number) -> bool:
    """The 3 of 5月3日 and of 第3天, and the 五 of 周五晚上."""
    before = text[: number.start]
    return before[-1:] in ("月", "第", "/", "周") or before.endswith(("年", "星期", "礼拜"))


def follows(text: str, number: Number, words: Sequence[str]) -> bool:
    """Whether a number ends a phrase like "a table for two"."""
    before = text[max(0, number.start - 2 * NEAR) : number.start].rstrip()
    return any(before.endswith(word) for word in words) and not text[number.end :].lstrip()[:1].isalpha()


def is_refused(text: str, at: int, refusals: Sequence[str]) -> bool:
    """Whether what begins at this place is behind a word such as "no" or 不去, an article between them or not."""
    before = text[max(0, at - 2 * NEAR) : at].rstrip()
    plain = before.removesuffix(" the").removesuffix(" any").rstrip()
    return any(each.endswith(word) for each in (before, plain) for word in refusals)
