"""How much two texts have in common, by their words: cheap, the same every time, in both scripts."""

from __future__ import annotations

import re
from operator import add

_WORDS = re.compile("[^\\W_\u2e80-\U0010ffff]{2,}")
_RUNS = re.compile("[^\\W_\u0000-\u2e7f]{2,}")
"""Letters and digits of scripts that put no space between words."""


def likeness(one: str, other: str) -> float:
    """0 to 1: common words, for Chinese common pairs of characters; the same both ways."""
    left, right = marks_of(one), marks_of(other)
    if not left or not right:
        return 0.0
    return len(left & right) / len(left | right)


def marks_of(text: str, limit: int = 500) -> frozenset[str]:
    """The words of the first `limit` characters; of Chinese every two characters that stand together."""
    plain = text.casefold()[:limit]
    words = set(_WORDS.findall(plain))
    for run in _RUNS.findall(plain):
        words.update(map(add, run, run[1:]))
    return frozenset(words)
