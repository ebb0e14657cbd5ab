"""Which findings stay errors: a slip of an author happens once or twice.

What is found again and again is the book's way, or was read wrongly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..model.project import Book
from .finding import ContinuityFinding

_MOST_SLIPS = 3
_OFTEN = ("N02", "N03")


def weighed(findings: Sequence[ContinuityFinding], carded: Book) -> Iterator[ContinuityFinding]:
    """`carded`: the book with the author's own cards alone."""
    times = Counter(_slip(one) for one in findings if one.code in _OFTEN)
    shown: set[tuple[str, str, str]] = set()
    names = {name for who in carded.characters for name in who.names} | {n for w in carded.world for n in w.names}
    for one in findings:
        if one.code in _OFTEN and times[_slip(one)] > _MOST_SLIPS:
            if _slip(one) not in shown:
                yield replace(one, level="warn")
            shown.add(_slip(one))
        elif one.code == "N11" and one.subject not in names and one.level == "error":
            yield replace(one, level="warn")
        else:
            yield one


def _slip(one: ContinuityFinding) -> tuple[str, str, str]:
    return one.code, one.subject, str(one.values.get("attribute", ""))
