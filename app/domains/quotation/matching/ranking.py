"""The order of the products that score best for a line.

The score says how much of a line a product has and what speaks against it. Of products that score within `NEAR` of the
best, those come first that are also written like the line: the same pieces of words, numbers and neighbours. How much
each of these signs counts is learned from labelled lists (`building/matching_weights.py`) and stands in `ranking.toml`.
Nothing here takes a product without asking: one that comes before another with a higher score has no lead.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from app.core.resources import domain_dir

from .index import MatchIndex
from .scoring import Score

FILE = "ranking.toml"
RANKED = 24
"""How many of the best by score are put in order."""
NEAR = 0.08
"""How far behind the best score a product may be to be put in order. With more, an upgrade or another edition that the
line does not ask for, which the score puts back, came first because it is written like the line."""
SIGNS = (
    "value", "words", "back", "conflicts", "missing", "silent", "beyond", "rival", "missing_code", "coded",
    "coded_whole", "pieces", "pieces_line", "pieces_product", "numbers_line", "numbers_product", "pairs", "first",
)  # fmt: skip
UNASKED = frozenset({"licence", "platform"})
"""Kinds for which a product that the line does not ask for is never put before one without."""
SHOWN = ("pieces", "numbers_line", "pairs")
"""Those that say how alike the two are written, 0 to 1, kept for the parts of the score."""
_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]")
_TOKEN = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[\u3400-\u9fff]")
_PIECE = 3


@dataclass(frozen=True, slots=True)
class Writing:
    """How a text is written: what can be compared without knowing what it means."""

    pieces: frozenset[str]
    """Three signs in a row of a word with a blank before and behind it."""
    numbers: frozenset[str]
    tokens: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    """Words beside each other."""
    first: str


@lru_cache(maxsize=4096)
def writing(text: str) -> Writing:
    """Of a folded text."""
    pieces: set[str] = set()
    for word in _WORD.findall(text):
        edged = f" {word} "
        pieces.update(edged[n : n + _PIECE] for n in range(len(edged) - _PIECE + 1))
    tokens = [_plain(token) for token in _TOKEN.findall(text)]
    return Writing(
        frozenset(pieces),
        frozenset(token for token in tokens if token[0].isdigit()),
        frozenset(tokens),
        frozenset(pairwise(tokens)),
        tokens[0] if tokens else "",
    )


def _plain(token: str) -> str:
    return token.rstrip("0").rstrip(".") if "." in token else token


def signs(line: Writing, product: Writing, score: Score) -> tuple[float, ...]:
    """In the order of `SIGNS`."""
    shared = len(line.pieces & product.pieces)
    numbers = len(line.numbers & product.numbers)
    return (
        score.value,
        score.words,
        score.back,
        min(2, len(score.conflicts)),
        min(3, len(score.missing)),
        min(2, len(score.silent)),
        min(2, len(score.beyond)),
        float(score.rival),
        float(score.missing_code),
        float(score.coded),
        float(score.coded and not score.missing_code),
        shared / max(1.0, (len(line.pieces) * len(product.pieces)) ** 0.5),
        shared / max(1, len(line.pieces)),
        shared / max(1, len(product.pieces)),
        numbers / len(line.numbers) if line.numbers else 1.0,
        numbers / len(product.numbers) if product.numbers else 1.0,
        len(line.pairs & product.pairs) / len(line.pairs) if line.pairs else 1.0,
        float(line.first in product.tokens),
    )


@cache
def weights() -> tuple[float, ...]:
    stored = tomllib.loads((domain_dir("quotation") / "data" / FILE).read_text("utf-8"))["weights"]
    return tuple(float(stored[sign]) for sign in SIGNS)


def near_best(scores: Sequence[Score]) -> Sequence[Score]:
    """Of `scores`, best first, those that are put in order: none that is an upgrade or for another platform where the
    best one is not and the line does not ask for it."""
    if not scores:
        return ()
    first = scores[0]
    return [
        one
        for one in scores[:RANKED]
        if first.value - one.value <= NEAR
        and not any(kind in UNASKED and kind not in first.beyond for kind in one.beyond)
    ]


def in_order(scores: Sequence[Score], line: str, index: MatchIndex) -> list[Score]:
    """`scores`, best first, in the order to show; `line` is a folded text."""
    near = near_best(scores)
    if len(near) < 2:
        return list(scores)
    written, weighed = writing(line), []
    for one in near:
        found = signs(written, writing(index.features[one.place].text), one)
        rank = round(sum(map(float.__mul__, weights(), found)), 6)
        one.alike = {sign: round(value, 3) for sign, value in zip(SIGNS, found, strict=True) if sign in SHOWN}
        weighed.append((-rank, one))
    weighed.sort(key=_rank)
    ordered = [one for _negative, one in weighed]
    for n, one in enumerate(ordered):
        one.is_raised = any(other.value > one.value for other in ordered[n + 1 :])
    is_near = {one.place for one in near}
    return [*ordered, *(one for one in scores if one.place not in is_near)]


def _rank(weighed: tuple[float, Score]) -> float:
    return weighed[0]
