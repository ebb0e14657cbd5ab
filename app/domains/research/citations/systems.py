"""Which form of reference a draft uses: brackets, or (1), ①, raised digits, roman numerals, author and year.

Brackets are references wherever they stand. The other forms mean many things in ordinary text (points of an
enumeration, years, units), so one of them counts only where it leads to more of the listed sources than brackets do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .listing import SourceEntry, SourceList
from .marks import Mark, expanded, marks_in, raised
from .roman import CIRCLED, ROMAN, circled_number, roman_number

_NEAR = 12
"""A number in round brackets that is further above the last source is a figure."""
_FEWEST = 2
"""Sources that a form has to lead to."""
_NUMBERS = r"\d{1,3}(?:[ ]{0,2}[-~,;、][ ]{0,2}\d{1,3}){0,30}"
_PARENS = re.compile(rf"(?:(?<=\b[12]\d{{3}})|(?<![0-9_])(?<!\b[A-Za-z]))\(({_NUMBERS})\)")
_CIRCLED = re.compile(rf"[{CIRCLED}]")
_ROMAN = re.compile(rf"(?<![-*+] )[\[(]((?:{ROMAN})(?:[ ]?[,;、-][ ]?(?:{ROMAN})){{0,20}})[\])]", re.IGNORECASE)
_CLOSES = re.compile(rf"[ ]{{0,2}}(?:$|[.,;:!?。！？、)\]\n|”’」』\"*_(【{CIRCLED}])")
"""What follows a reference and not the number of a point."""
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?![\d%])")
_IN_PARENS = re.compile(r"[(\[]([^()\[\]\n]{4,300})[)\]]")
_TRAILING = re.compile(
    r"(?:(?<=[^\W\d_][.!?,;:。！？])|(?<=[)”’\"%\]][.!?,;:。])|(?<=\b(?:19|20)\d\d[.,;]))"
    r"(\d{1,3}(?:, ?\d{1,3}){0,10})(?=[\s*_|]|$)"
)
"""Raised numbers that a copy has set down, as in “grew last year.14 Then”."""
_ATTACHED = re.compile(
    r"(?:(?<=[a-z]{3})|(?<=[)”’\"]))(\d{1,3}(?:, ?\d{1,3}){0,10})(?=[.,;:!?](?:[\s*_|]|$)|[ ]{0,2}\|)"
)
"""The same before the full stop: “ten of them3.”"""
_CARET = re.compile(rf"(?<=[^\s\d])\^({_NUMBERS})\^")
_HEAD = 160
"""Characters of an entry in which its authors and year stand."""
_MOST_WORDS = 40
_MOST_NAMESAKES = 4
"""Entries of one author and year."""


def references(body: str, listing: SourceList) -> list[Mark]:
    """The references of a text without its lists and code, in the order of their places."""
    marks = marks_in(body)
    sources = listing.sources
    if not sources:
        return marks or raised(body)
    numbered = [source.number for source in sources if source.number]
    listed = set(numbered) or set(range(1, len(sources) + 1))
    forms = [raised(body), _plain_numbers(body, _CARET)]
    if numbered:
        beyond = max(listed) + _NEAR
        forms += [
            [mark for mark in _parens(body) if max(mark.numbers) <= beyond],
            _circled(body, everywhere=listing.style == "circled"),
        ]
        for form in (_TRAILING, _ATTACHED):
            forms.append([mark for mark in _plain_numbers(body, form) if listed.issuperset(mark.numbers)])
    if listing.style == "roman":
        forms.append(_roman(body))
    best = max(forms, key=lambda form: _reach(form, listed))
    if _reach(best, listed) >= _FEWEST and _reach(best, listed) > _reach(marks, listed):
        loose_marks = [replace(mark, is_loose=True) for mark in marks if not mark.note and not mark.target.isdigit()]
        return _in_order([*best, *loose_marks, *(mark for mark in marks if mark.note)])
    if not numbered and not any(mark.note for mark in marks):
        by_name = list(_author_years(body, sources))
        if len({place for mark in by_name for place in mark.named}) > _reach(marks, listed):
            return by_name
    return marks


def _reach(marks: Sequence[Mark], listed: set[int]) -> int:
    """How many of the listed sources they lead to for certain."""
    return len({number for mark in marks if not mark.is_loose for number in mark.numbers} & listed)


def _in_order(marks: list[Mark]) -> list[Mark]:
    """Each place once: (1) in [(1)] is one reference."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.at, -mark.end)):
        if not kept or mark.at >= kept[-1].end:
            kept.append(mark)
    return kept


def _plain_numbers(body: str, form: re.Pattern[str]) -> list[Mark]:
    return [
        Mark(found.start(), found.end(), expanded(next(group for group in found.groups() if group)))
        for found in form.finditer(body)
    ]


def _parens(body: str) -> list[Mark]:
    return [
        Mark(found.start(), found.end(), expanded(found.group(1)), is_loose=not _CLOSES.match(body, found.end()))
        for found in _PARENS.finditer(body)
    ]


def _circled(body: str, *, everywhere: bool) -> list[Mark]:
    return [
        Mark(
            found.start(), found.end(), (circled_number(found.group()),),
            is_loose=not everywhere and not _CLOSES.match(body, found.end()),
        )
        for found in _CIRCLED.finditer(body)
    ]  # fmt: skip


def _roman(body: str) -> list[Mark]:
    marks = []
    for found in _ROMAN.finditer(body):
        arabic = re.sub(ROMAN, lambda numeral: str(roman_number(numeral.group())), found.group(1), flags=re.IGNORECASE)
        marks.append(Mark(found.start(), found.end(), expanded(arabic)))
    return marks


# ---------------------------------------------------------------- author and year


def _author_years(body: str, sources: Sequence[SourceEntry]) -> Iterator[Mark]:
    """(Smith, 2020; Lee et al. 2019), Smith (2020), （王明等，2020）: by a name and a year that one entry has."""
    known: dict[tuple[str, str], list[int]] = {}
    dated: dict[str, None] = {}
    for source in sources:
        head = source.text[:_HEAD]
        for year in _YEAR.findall(head):
            dated[year] = None
            for word in _words(head):
                places = known.setdefault((year, word), [])
                if len(places) < _MOST_NAMESAKES and source.at not in places:
                    places.append(source.at)
    for found in _IN_PARENS.finditer(body):
        inside = found.group(1)
        named: dict[int, None] = {}
        has_year = False
        for part in inside.split(";"):
            years = _YEAR.findall(part)
            has_year = has_year or bool(years)
            # Smith (2020): the name stands before the bracket.
            words = _words(part) or _words(body[max(0, found.start() - 40) : found.start()])
            for year in years:
                places = next((known[year, word] for word in words if (year, word) in known), [])
                named |= dict.fromkeys(places)
        if named or (has_year and any(year in dated for year in _YEAR.findall(inside)) and _words(inside)):
            yield Mark(found.start(), found.end(), named=tuple(named))


def _words(text: str) -> list[str]:
    """Latin words of two letters and more, initials of several of them, pairs of Chinese characters."""
    latin = re.findall(r"[^\W\d_\u2e80-\u9fff]{2,30}", text)[:_MOST_WORDS]
    chinese = [
        run[at : at + 2] for run in re.findall(r"[\u2e80-\u9fff]{2,20}", text)[:8] for at in range(min(len(run) - 1, 8))
    ]
    initials = "".join(word[0] for word in latin[:8] if word[0].isupper())
    names = [word.casefold() for word in latin if word.casefold() not in _NO_NAMES]
    return [*names, *chinese, *([initials.casefold()] if len(initials) > 2 else [])]


_NO_NAMES = frozenset("al and et the of in see also by as of since for from to journal ibid eds ed vol pp".split())
