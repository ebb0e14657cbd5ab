"""Numbers in a question: 3, 1,500, 1.5万, 三, 两, 十二, three, 5k."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}
SUFFIXES = {"百": 100, "千": 1_000, "万": 10_000, "k": 1_000, "w": 10_000}
"""What may follow written digits."""
_COUNTING = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
WORDS = {word: value for value, word in enumerate(_COUNTING.split(), 1)}
LONGEST = 15
"""Characters of a number; what is longer is none of ours."""


@dataclass(frozen=True, slots=True)
class Number:
    value: float
    start: int
    end: int

    @property
    def whole(self) -> int:
        return int(self.value)


def numbers(text: str) -> Iterator[Number]:
    """Every number of a normalised text, left to right."""
    at = 0
    while at < len(text):
        number = _read(text, at)
        if number is None:
            at = _next_start(text, at)
            continue
        if number.end - number.start <= LONGEST:
            yield number
        at = number.end


def _read(text: str, at: int) -> Number | None:
    char = text[at]
    if "0" <= char <= "9":
        return _digits(text, at)
    if char in DIGITS or char == "十":
        return _chinese(text, at)
    return _word(text, at)


def _next_start(text: str, at: int) -> int:
    """Behind the Latin word that begins here, else one further."""
    end = at
    while end < len(text) and "a" <= text[end] <= "z":
        end += 1
    return max(end, at + 1)


def _digits(text: str, start: int) -> Number:
    end, shown = start, ""
    while end < len(text) and (text[end] in "0123456789" or _is_separator(text, end, shown)):
        shown += text[end] if text[end] != "," else ""
        end += 1
    value = float(shown) if len(shown) <= LONGEST else 0.0
    if end < len(text) and text[end] in SUFFIXES and not _letter(text, end + 1):
        unit = SUFFIXES[text[end]]
        value *= unit
        end += 1
        if unit in UNITS.values() and _tenths(text, end):
            # 1万5, as 一万五, is 15,000.
            value += (DIGITS.get(text[end]) or int(text[end])) * unit // 10
            end += 1
    return Number(value, start, end)


def _tenths(text: str, at: int) -> bool:
    """Whether one digit stands here, and no more of a number behind it."""
    char, after = text[at : at + 1], text[at + 1 : at + 2]
    is_digit = char in DIGITS or "0" <= char <= "9"
    return (
        bool(char)
        and is_digit
        and after not in UNITS
        and not (after in DIGITS or after.isdecimal() or (after != "" and after in "天日晚"))
    )


def _is_separator(text: str, at: int, shown: str) -> bool:
    if text[at] == ".":
        return "." not in shown and text[at + 1 : at + 2].isdecimal()
    return text[at] == "," and text[at + 1 : at + 4].isdecimal() and len(text[at + 1 : at + 4]) == 3


def _letter(text: str, at: int) -> bool:
    return at < len(text) and "a" <= text[at] <= "z"


def _chinese(text: str, start: int) -> Number:
    end = start
    while end < len(text) and (text[end] in DIGITS or text[end] in UNITS):
        end += 1
    return Number(float(_value(text[start:end])), start, end)


def _value(run: str) -> int:
    if all(char in DIGITS for char in run):
        # 三四天 is a range: the later one. Longer runs are read digit by digit (二零二六).
        return DIGITS[run[-1]] if len(run) == 2 else int("".join(str(DIGITS[char]) for char in run[:LONGEST]))
    return chinese_value(run)


def chinese_value(run: str) -> int:
    """Of digits and units; the last digit behind 百, 千 or 万 counts in tenths of it: 一万五 is 15,000."""
    total = section = digit = 0
    for char in run:
        if char in DIGITS:
            digit = DIGITS[char]
        elif char == "万":
            total, section, digit = (total + section + digit) * UNITS[char], 0, 0
        else:
            section, digit = section + (digit or 1) * UNITS[char], 0
    if digit and len(run) > 1 and run[-2] in UNITS and run[-2] != "十":
        digit *= UNITS[run[-2]] // 10
    return total + section + digit


def _word(text: str, start: int) -> Number | None:
    if start and "a" <= text[start - 1] <= "z":
        return None
    end = _next_start(text, start)
    value = WORDS.get(text[start:end])
    return Number(float(value), start, end) if value is not None else None
