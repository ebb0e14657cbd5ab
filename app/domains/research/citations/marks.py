"""References in running text: [1], [1, 2], [1-3], [1][2], [[1]](url), 【1】, [^note], <sup>1</sup>; `raised`: ¹."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_PREFIX = (
    r"(?:(?:sources?|refs?|references?|citations?|webpage|document|doc|来源|参考资料|参考文献|参考|文献|资料|引用|网页|文档)"
    r"[ .:#_]{0,3})?"
)
_LOOSE_PREFIX = r"(?:(?:s|no|nos|note|see|#|注|注释|见|参见|链接)[ .:#_]{0,3})?"
_PLACE = (
    r"(?:[ ]?[,;:][ ]?(?:(?:pp?|pages?|ch|chap|chapter|secs?|section|figs?|figure|tables?|tab|para|lines?|ll?|vol|app)"
    r"[. ]{1,2}[\w.,-]{1,16}|第[^\[\]\n]{1,10}|[页表图节章附][^\[\]\n]{0,8}|§{1,2}[ ]?[\w.-]{1,10})"
    r"|:[ ]?\d{1,4}(?:-\d{1,4})?|:[ ][^\[\]\n]{1,60}|\.)"
)
"""Where in the source, as in [1, p. 3] and [1: 23-25], or whose it is: [1: Smith]."""
_BETWEEN = r"(?:[ ]{0,2}[-~,;、][ ]{0,2}|[ ](?:and|&|to)[ ]|[ ]?[和与及至到][ ]?)"
_NUMBERS = rf"\d{{1,4}}(?:{_BETWEEN}\^?\d{{1,4}}){{0,60}}"
_MARK = re.compile(rf"\\?\[(\^?){_PREFIX}({_NUMBERS})\^?(?:†[^\[\]\n]{{0,80}})?\\?\]", re.IGNORECASE)
_LOOSE = re.compile(
    rf"\\?\[[ ]{{0,2}}(?:(?:{_PREFIX}|{_LOOSE_PREFIX})({_NUMBERS})({_PLACE})?)[ ]{{0,2}}\\?\]", re.IGNORECASE
)
"""Forms that are references where the source is listed, and anything else where it is not."""
_NOTE = re.compile(r"\[\^([^\[\]\s^]{1,60})\]")
_SUP = re.compile(
    rf"<sup>[ ]{{0,2}}(?:<a\b[^<>]{{0,400}}>)?[ ]{{0,2}}({_NUMBERS})[ ]{{0,2}}(?:</a>)?[ ]{{0,2}}</sup>", re.IGNORECASE
)
_RAISED = re.compile(
    r"(?:(?<=[^\x00-\x2f\x3a-\x40A-Za-z0-9]|[.,;:!?)\]\"'% ])|(?<=[A-Za-z]{4})|(?<=\b[12]\d{3}))"
    r"[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,⁻][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,10}"
)
_RAISED_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TARGET = re.compile(r"\]?\(<?([^()\s<>]{0,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,2000})?)")
_INTERVAL = re.compile(r"(?:\bCI|区间|范围|interval|range|∈|=|between|within)[ ]?[:=]?[ ]?$", re.IGNORECASE)
_VALUE = re.compile(r"[\"'][ ]?:[ ]?$")
"""Before a list in JSON."""
WIDEST_RANGE = 200
NO_REFERENCE_FROM = 1000
"""A number in brackets that no source has is a year or a figure from here on."""


@dataclass(frozen=True, slots=True)
class Mark:
    at: int
    end: int
    numbers: tuple[int, ...] = ()
    note: str = ""
    """The label of a footnote."""
    target: str = ""
    """Where it links to, as in `[1](url)`."""
    is_loose: bool = False
    """It may just as well be something else: the bounds of an interval, part of an array."""
    named: tuple[int, ...] = ()
    """Places of the entries that author and year name."""


def marks_in(text: str) -> list[Mark]:
    """`text` is folded, with lists of sources and code blanked. In the order of their places."""
    marks = [*_bracketed(text), *_labelled(text)]
    strict = {mark.at for mark in marks}
    marks += [mark for mark in _loose(text) if mark.at not in strict]
    marks += (Mark(match.start(), match.end(), expanded(match.group(1))) for match in _SUP.finditer(text))
    return _with_ranges(text, sorted(marks, key=lambda mark: mark.at))


def _with_ranges(text: str, marks: list[Mark]) -> list[Mark]:
    """`[1]–[3]` names the second source too."""
    expanded_marks = []
    for place, mark in enumerate(marks):
        numbers, following = mark.numbers, marks[place + 1] if place + 1 < len(marks) else None
        if (
            following is not None
            and len(numbers) == len(following.numbers) == 1
            and text[mark.end : following.at] == "-"
        ):
            numbers = expanded(f"{numbers[0]}-{following.numbers[0]}")[:-1] or numbers
        expanded_marks.append(replace(mark, numbers=numbers))
    return expanded_marks


def _bracketed(text: str) -> Iterator[Mark]:
    for match in _MARK.finditer(text):
        begin, end = match.span()
        if text[max(0, begin - 1) : begin] == "!" or text[end : end + 1] == "=":
            continue  # a picture; a subscript in an address or in code
        if _VALUE.search(text, max(0, begin - 4), begin):
            continue
        link = _TARGET.match(text, end)
        numbers, caret = match.group(2), match.group(1)
        note = numbers if caret and numbers.isdigit() and text[end - 2 : end - 1] != "^" else ""
        pair = numbers.count(",") + numbers.count("-") == 1
        before = text[max(0, begin - 14) : begin]
        yield Mark(
            begin, link.end() if link else end, expanded(numbers), note, link.group(1) if link else "",
            (pair and _INTERVAL.search(before) is not None) or text[begin - 1 : begin] == text[end : end + 1] == '"',
        )  # fmt: skip


def _loose(text: str) -> Iterator[Mark]:
    for match in _LOOSE.finditer(text):
        before = text[max(0, match.start() - 4) : match.start()]
        if not before.endswith("!") and not _VALUE.search(before):
            yield Mark(match.start(), match.end(), expanded(match.group(1)), is_loose=True)


def _labelled(text: str) -> Iterator[Mark]:
    for match in _NOTE.finditer(text):
        label = match.group(1)
        if any(map(str.isalnum, label)) and (not label[0].isdigit() or not _MARK.match(match.group())):
            yield Mark(match.start(), match.end(), note=match.group(1))


def raised(text: str) -> list[Mark]:
    """Raised digits behind a letter or two are units (km²), not references."""
    return [
        Mark(match.start(), match.end(), expanded(match.group().translate(_RAISED_DIGITS)))
        for match in _RAISED.finditer(text)
    ]


def expanded(numbers: str) -> tuple[int, ...]:
    """`1, 3-5` → 1, 3, 4, 5. A range too wide or the wrong way round is its two ends."""
    found: list[int] = []
    plain = re.sub(r"[~至到]|to", "-", numbers.replace("^", "").replace(" ", ""))
    for part in re.split(r"[,;、和与及&]|and", plain):
        ends = [int(end) for end in part.split("-") if end]
        if len(ends) == 2 and 0 < ends[1] - ends[0] <= WIDEST_RANGE and ends[1] < NO_REFERENCE_FROM:
            found += range(ends[0], ends[1] + 1)
        else:
            found += ends
    return tuple(found)
