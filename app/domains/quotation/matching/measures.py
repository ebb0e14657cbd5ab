"""Numbers with their meaning in a product's text: pipe sizes, inches, threads, angles, measures with units.

A size has several readings: 3/4 inch is DN20 and, on plastic pipe, an outer diameter of 25. Two sizes agree where they
share one. Upper-case DN is the nominal width, lower-case dn the outer diameter; the bare number belongs to both, since
many write either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

Reading = tuple[str, str]

_PIPES: tuple[tuple[str, int, int], ...] = (
    ("1/4", 8, 12), ("3/8", 10, 16), ("1/2", 15, 20), ("3/4", 20, 25), ("1", 25, 32), ("5/4", 32, 40), ("3/2", 40, 50),
    ("2", 50, 63), ("5/2", 65, 75), ("3", 80, 90), ("4", 100, 110), ("6", 150, 160),
)  # fmt: skip
_BY_INCH = {Fraction(inch): (str(dn), str(od)) for inch, dn, od in _PIPES}
_BY_DN = {str(dn): (Fraction(inch), str(od)) for inch, dn, od in _PIPES}
_BY_OD = {str(od): (Fraction(inch), str(dn)) for inch, dn, od in _PIPES}
_FEN = {"2": Fraction(1, 4), "3": Fraction(3, 8), "4": Fraction(1, 2), "6": Fraction(3, 4)}
"""Eighths of an inch, as Chinese plumbers say them."""

_UNITS: dict[str, tuple[str, str]] = {}
for _kind, _table in {
    "size": {"mm 毫米": "1", "cm 厘米 公分": "10", "m 米 meter meters metre metres": "1000", "μm um 微米": "0.001"},
    "area": {"mm2 mm² sqmm 平方毫米 平方": "1"},
    "mass": {
        "kg kgs kilo kilos kilogram kilograms 公斤 千克": "1000",
        "g gram grams 克 gsm": "1",
        "mg": "0.001",
        "t 吨": "1000000",
        "lb lbs pound pounds": "453.6",
        "oz ounce ounces": "28.35",
    },
    "volume": {
        "l 升 liter litre liters litres": "1000",
        "ml millilitre millilitres milliliter milliliters 毫升 cc": "1",
        "qt quart quarts": "946",
        "pint pints": "473",
        "gal gallon gallons": "3785",
        "cuft": "28317",
    },
    "voltage": {"v 伏 volt volts vac vdc": "1", "kv 千伏": "1000"},
    "power": {"w 瓦 watt watts": "1", "kw 千瓦": "1000", "hp 匹": "735"},
    "current": {"a 安 安培 amp amps": "1", "ma": "0.001"},
    "charge": {"mah": "1", "ah": "1000"},
    "pressure": {"mpa": "10", "bar": "1"},
    "frequency": {"hz": "1", "khz": "1000", "mhz": "1000000", "ghz": "1000000000"},
    "storage": {"gb g内存": "1", "tb": "1000", "mb": "0.001"},
    "light": {"lm 流明": "1"},
    "colour_kelvin": {"k": "1"},
    "cores": {"芯 核 core cores": "1"},
    "poles_number": {"p 极": "1"},
    "ways": {"位 孔 口 路 port ports way ways": "1"},
    "grit": {"目 grit #": "1"},
    "pages": {"页 张 sheets sheet": "1"},
    "pack": {"只装 个装 片装 包装 支装 抽 粒 pack packs pk ct count": "1", "dozen": "12"},
    "seats": {"user users usr usrs seat seats client clients node nodes cal cals": "1"},
    "rpm": {"rpm": "1"},
    "bags": {"bag bags teabag teabags": "1"},
    "rolls": {"roll rolls": "1"},
    "capsules": {"capsule capsules": "1"},
    "density": {"dpi": "1"},
    "speed": {"ppm": "1"},
    "tons": {"ton tons": "1"},
    "resolution": {"mp megapixel megapixels": "1"},
    "heat": {"btu": "1"},
}.items():
    for _names, _factor in _table.items():
        for _name in _names.split():
            _UNITS[_name] = (_kind, _factor)
_UNIT = "|".join(re.escape(name) for name in sorted(_UNITS, key=len, reverse=True))
_N = r"\d+(?:\.\d+)?"
_BORDER = r"(?<![A-Za-z0-9.])(?<![A-Za-z]-)"
_INCH = r"(?:\"|''|英寸|寸|-?\s?(?i:inch(?:es)?)(?![A-Za-z])|-?\s?(?i:in)(?:\.|(?=\s*$|\s*[,)])|(?=\s[a-z]{3})))"
_FEET = r"(?:'(?!')|-?\s?(?i:ft\.?|feet|foot)(?![A-Za-z]))"
_SCAN = re.compile(
    r"(?=[\d\-DdOoφΦøØ∅⌀外PpMm寸])(?:"
    rf"(?P<celsius>{_BORDER}-?{_N}\s*(?:°\s*[Cc](?![A-Za-z])|摄氏度))"
    rf"|(?P<dn>(?<![A-Za-z])[Dd][Nn]\s*-?\s*{_N})"
    rf"|(?P<od>(?:(?<![A-Za-z])(?i:de|od)\s*|[φΦøØ∅⌀]\s*|外径\s*){_N}(?:\s*mm)?)"
    rf"|(?P<pn>(?<![A-Za-z])(?i:pn)\s*-?\s*{_N})"
    rf"|(?P<half>{_BORDER}(?:{_N})?寸半)"
    rf"|(?P<fraction>{_BORDER}(?:\d+(?:\s+|-|又))?\d{{1,2}}/(?:2|4|8|16|32|64)(?!\d)\s*{_INCH}?)"
    rf"|(?P<quarter>{_BORDER}\d寸[24])"
    rf"|(?P<fen>{_BORDER}[2346]分(?!钟|之|米|贝))"
    rf"|(?P<inch>{_BORDER}{_N}\s*{_INCH})"
    rf"|(?P<feet>{_BORDER}{_N}\s*{_FEET})"
    rf"|(?P<angle>{_BORDER}{_N}\s*(?:°|度|(?i:deg(?:rees?)?)(?![A-Za-z])))"
    rf"|(?P<thread>(?<![A-Za-z0-9-])[Mm]\d{{1,3}}(?:\.\d+)?(?![A-Za-z0-9-]|\s*(?:{_UNIT})(?![A-Za-z]))"
    rf"|(?<![A-Za-z0-9])[Mm]{_N}(?=\s*x\s*\d))"
    rf"|(?P<measure>{_BORDER}{_N}\s*-?(?:(?i:{_UNIT}))(?![A-Za-z]))"
    rf"|(?P<bare>{_BORDER}{_N}(?![A-Za-z0-9%]|[./-]\w|,\d))"
    rf"|(?P<times>(?:(?<=\dx)|(?<=\"x)|(?<=mmx)){_N}(?:\s*(?:(?i:{_UNIT}))(?![A-Za-z]))?))"
)
_NUMBER = re.compile(_N)


@dataclass(frozen=True, slots=True)
class Size:
    shown: str
    readings: frozenset[Reading]
    is_bare: bool = False

    @property
    def literal(self) -> str:
        return next((value for kind, value in self.readings if kind == "n"), self.shown)


@dataclass(slots=True)
class Measures:
    sizes: list[Size]
    quantities: dict[str, frozenset[str]]
    """Kind and values in its base unit: angle, voltage, mass …"""
    rest: str
    """The text with a blank in the place of what was read."""


def measures(text: str) -> Measures:
    """Of a text after `unified`."""
    sizes: list[Size] = []
    quantities: dict[str, set[str]] = {}

    def take(found: re.Match[str]) -> str:
        kind = str(found.lastgroup)
        piece = found.group()
        if kind in ("bare", "times") and (_keeps(piece) and kind == "bare"):
            return piece
        for what in _read(kind, piece):
            if isinstance(what, Size):
                sizes.append(what)
            else:
                quantities.setdefault(what[0], set()).add(what[1])
        return " "

    rest = _SCAN.sub(take, text)
    return Measures(sizes, {kind: frozenset(values) for kind, values in quantities.items()}, rest)


@lru_cache(maxsize=1 << 14)
def _read(kind: str, piece: str) -> tuple[Size | tuple[str, str], ...]:
    return tuple(_READERS[kind](piece))


def _keeps(piece: str) -> bool:
    """A long number is a code, no size; so is one that begins with a zero."""
    digits = piece.replace(".", "")
    return len(digits) > 5 or (len(digits) > 1 and piece[0] == "0" and piece[1] != ".")


def plain(number: str | Decimal) -> str:
    value = Decimal(number).normalize()
    return f"{value:f}"


def _first(piece: str) -> str:
    match = _NUMBER.search(piece)
    return plain(match.group()) if match else ""


def inch_size(inches: Fraction, shown: str) -> Size:
    readings: set[Reading] = {("in", str(inches))}
    if inches in _BY_INCH:
        dn, od = _BY_INCH[inches]
        readings |= {("DN", dn), ("od", od)}
    return Size(shown, frozenset(readings))


def _dn(piece: str) -> Iterator[Size]:
    number = _first(piece)
    readings: set[Reading] = {("n", number)}
    if piece[:2] == "DN":
        readings.add(("DN", number))
        if number in _BY_DN:
            inch, od = _BY_DN[number]
            readings |= {("in", str(inch)), ("od", od)}
        yield Size(f"DN{number}", frozenset(readings))
        return
    readings.add(("od", number))
    if number in _BY_OD:
        inch, dn = _BY_OD[number]
        readings |= {("in", str(inch)), ("DN", dn)}
    yield Size(f"dn{number}", frozenset(readings))


def _od(piece: str) -> Iterator[Size]:
    number = _first(piece)
    yield Size(f"φ{number}", frozenset({("od", number), ("mm", number), ("n", number)}))


def _inches(piece: str) -> Fraction:
    whole = re.match(r"(\d+)(?:\s+|-|又)(\d+)/(\d+)", piece)
    if whole:
        return int(whole[1]) + Fraction(int(whole[2]), int(whole[3]))
    part = re.match(r"(\d+)/(\d+)", piece)
    return Fraction(int(part[1]), int(part[2])) if part else Fraction(_first(piece))


def _inch(piece: str) -> Iterator[Size]:
    inches = _inches(piece)
    yield inch_size(inches, f'{inches}"')


def _feet(piece: str) -> Iterator[Size]:
    """A single stroke is as often written for inches: of screens it always is."""
    number = _first(piece)
    readings: set[Reading] = {("ft", number), ("mm", plain(Decimal(number) * Decimal("304.8")))}
    if piece.endswith("'"):
        readings.add(("in", str(Fraction(number))))
    yield Size(f"{number}'", frozenset(readings))


def _half(piece: str) -> Iterator[Size]:
    yield inch_size(Fraction(_first(piece) or "1") + Fraction(1, 2), piece)


def _quarter(piece: str) -> Iterator[Size]:
    yield inch_size(int(piece[0]) + (Fraction(1, 4) if piece[-1] == "2" else Fraction(1, 2)), piece)


def _fen(piece: str) -> Iterator[Size]:
    yield inch_size(_FEN[piece[0]], piece)


def _thread(piece: str) -> Iterator[Size]:
    number = _first(piece)
    yield Size(f"M{number}", frozenset({("M", number)}))


def _measure(piece: str) -> Iterator[Size | tuple[str, str]]:
    match = _NUMBER.match(piece)
    assert match is not None, "the pattern begins with a number"
    unit = piece[match.end() :].strip(" -").lower()
    kind, factor = _UNITS[unit]
    number = Decimal(match.group())
    if unit == "mb" and number and not number % 1024:
        number = number / 1024 * 1000
    value = plain(number * Decimal(factor))
    if kind == "size":
        readings = {("mm", value), ("n", plain(match.group()))}
        yield Size(f"{value}mm", frozenset(readings))
    elif kind == "area":
        yield Size(f"{value}mm²", frozenset({("mm2", value), ("n", value)}))
    else:
        yield kind, value


def _bare(piece: str) -> Iterator[Size]:
    number = _first(piece)
    yield Size(number, frozenset({("n", number)}), is_bare=True)


def _times(piece: str) -> Iterator[Size | tuple[str, str]]:
    yield from _bare(piece) if piece[-1].isdigit() else _measure(piece)


_READERS: dict[str, Callable[[str], Iterator[Size | tuple[str, str]]]] = {
    "celsius": lambda piece: iter([("celsius", _first(piece))]),
    "dn": _dn,
    "od": _od,
    "pn": lambda piece: iter([("pressure", _first(piece))]),
    "half": _half,
    "fraction": _inch,
    "quarter": _quarter,
    "fen": _fen,
    "inch": _inch,
    "feet": _feet,
    "angle": lambda piece: iter([("angle", _first(piece))]),
    "thread": _thread,
    "measure": _measure,
    "bare": _bare,
    "times": _times,
}
