"""Quotations of a draft with the references behind them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from .marks import Mark
from .text import Draft

_QUOTE = re.compile(
    r"“([^“”\n]{6,600})”|「([^「」\n]{6,600})」|『([^『』\n]{6,600})』|(?<![\w=])\"([^\"\n]{6,600})\"(?!\w)"
)
_FEWEST = 12
"""Shorter words between quotation marks are names and terms; a Chinese character counts for two."""
_NEAR = 120
"""Characters between a quotation and its reference."""


def quotations(draft: Draft, body: str, marks: Sequence[Mark]) -> Iterator[tuple[int, str, list[Mark]]]:
    """Place, words and the references that follow it within its sentence; those without any are left out."""
    starts = [mark.at for mark in marks]
    for found in _QUOTE.finditer(body):
        words = next(group for group in found.groups() if group is not None)
        if sum(2 if char >= "\u2e80" else 1 for char in words if char.isalnum()) < _FEWEST:
            continue
        begin, limit = found.end(), found.end() + _NEAR
        stop = _sentence_end(body, begin, limit)
        near = list(marks[bisect_left(starts, begin) : bisect_left(starts, stop)])
        if near:
            yield found.start(), draft.text[found.start() + 1 : found.end() - 1], near


def _sentence_end(body: str, begin: int, limit: int) -> int:
    """Up to the next quotation or paragraph, so that a reference is not taken for that of another one."""
    ends = [place for mark in "\n“「『" if (place := body.find(mark, begin, limit)) >= 0]
    return min(ends, default=limit)
