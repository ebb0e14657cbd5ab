"""Numbers that are not written in digits: i, ii, iii and ①, ②, ③."""

from __future__ import annotations

ROMAN = r"(?:x{1,3}(?:ix|iv|v?i{1,3}|v)?|ix|iv|v?i{1,3}|v)"
"""From 1 to 39, as lists of sources have them; for a pattern that ignores case."""
CIRCLED = "①-⑳㉑-㉟㊱-㊿❶-❿⓵-⓾"
"""For a class of characters."""
_VALUES = {"i": 1, "v": 5, "x": 10}


def roman_number(numeral: str) -> int:
    total = 0
    digits = [_VALUES[char] for char in numeral.casefold()]
    for place, value in enumerate(digits):
        total += -value if place + 1 < len(digits) and digits[place + 1] > value else value
    return total


def circled_number(char: str) -> int:
    for first, number in (("①", 1), ("㉑", 21), ("㊱", 36), ("❶", 1), ("⓵", 1)):
        place = ord(char) - ord(first)
        if 0 <= place < (20 if first == "①" else 15 if first in "㉑㊱" else 10):
            return number + place
    raise ValueError(char)
