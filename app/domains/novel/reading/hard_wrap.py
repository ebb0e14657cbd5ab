"""Texts whose lines are broken at a width, as books without copyright often come: a paragraph becomes one line."""

from __future__ import annotations

import re
from statistics import median

_WIDTHS = (50, 85)
_ENOUGH = 40
_SHORTEST = 30
_PARAGRAPH = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|$))+")


def unwrapped(text: str) -> str:
    """The same text where its lines are not broken at one width, or are not of an alphabet."""
    if not _is_wrapped(text):
        return text
    return _PARAGRAPH.sub(_in_one_line, text)


def _is_wrapped(text: str) -> bool:
    """Most lines that another one of their paragraph follows are about as long as each other."""
    if "\n\n" not in text:
        return False
    inner = [
        len(line)
        for paragraph in _PARAGRAPH.findall(text[:400_000])
        for line in paragraph.rstrip("\n").split("\n")[:-1]
    ]
    letters = sum(sign.isascii() for sign in text[:20_000])
    if len(inner) < _ENOUGH or letters * 10 < min(len(text), 20_000) * 9:
        return False
    near = sum(_WIDTHS[0] <= length <= _WIDTHS[1] for length in inner)
    return near * 10 >= len(inner) * 8 and median(inner) <= _WIDTHS[1]


def _in_one_line(match: re.Match[str]) -> str:
    """Verses, lists and headings have short lines or are indented: they stay."""
    whole = match[0]
    end = "\n" if whole.endswith("\n") else ""
    lines = whole.rstrip("\n").split("\n")
    if len(lines) < 2 or any(len(line) < _SHORTEST or line.startswith(("  ", "\t")) for line in lines[:-1]):
        return whole
    return " ".join(line.rstrip() for line in lines) + end
