"""The numbers of headings: 12, １２, 十二, 一二, 廿三, 壹佰, twelve, twenty-one, XII."""

from __future__ import annotations

import re
import unicodedata

from app.core.reading.exact import number_of

_DIGITS = dict(zip("零〇○一二三四五六七八九", (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)) | dict(
    zip("两兩壹贰叁肆伍陆柒捌玖貳參陸", (2, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 6), strict=True)
)
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000, "万": 10_000, "萬": 10_000}
_TENS = {"廿": "二十", "卅": "三十", "卌": "四十"}
CHINESE = "".join(_DIGITS) + "".join(_UNITS) + "".join(_TENS)
ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})", re.IGNORECASE)
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}
_ORDINALS = {
    word: n
    for n, word in enumerate(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
        fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split(),
        1,
    )
}
LONGEST = 30


def heading_number(written: str) -> int | None:
    """None: no number that a heading could have."""
    word = unicodedata.normalize("NFKC", written).strip().rstrip(".").strip()
    if not word or len(word) > LONGEST:
        return None
    if word.isdecimal():
        return int(word) if len(word) <= 6 else None
    if all(sign in CHINESE for sign in word):
        return _chinese(word)
    if ROMAN.fullmatch(word):
        return _roman(word.upper())
    low = " ".join(word.lower().replace("-", " ").split())
    if low in _ORDINALS:
        return _ORDINALS[low]
    value = number_of(low)
    return int(value) if value is not None and value == int(value) and 0 <= value < 1_000_000 else None


def _chinese(word: str) -> int:
    for sign, tens in _TENS.items():
        word = word.replace(sign, tens)
    if not any(sign in _UNITS for sign in word):
        return int("".join(str(_DIGITS[sign]) for sign in word))
    total = section = 0
    digit: int | None = None
    for sign in word:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif _UNITS[sign] == 10_000:
            total, section, digit = (total + section + (digit or 0)) * 10_000, 0, None
        else:
            section, digit = section + (1 if digit is None or digit == 0 else digit) * _UNITS[sign], None
    # 一百二 counts in tens in speech; a heading 第一百二章 is rarely that, and 第一百零二章 is always this.
    return total + section + (digit or 0)


def _roman(word: str) -> int:
    values = [_ROMAN[sign] for sign in word]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
