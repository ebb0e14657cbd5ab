"""Ranks joined and near-duplicates collapsed: pure lists."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from app.core.text.likeness import marks_of

K = TypeVar("K", bound=Hashable)
CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""
ALIKE = 0.9


def fused(*rankings: Sequence[K]) -> list[tuple[K, float]]:
    """Keys of several rankings, best first, each with the sum of 1 / (CONSTANT + its rank)."""
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (CONSTANT + rank)
    return sorted(scores.items(), key=lambda item: -item[1])


def distinct(texts: Iterable[tuple[K, str]], limit: int) -> list[K]:
    """The first of each group of texts that say almost the same, at most `limit` keys."""
    kept: list[tuple[K, frozenset[str]]] = []
    for key, text in texts:
        marks = marks_of(text, 1_000)
        if all(not _alike(marks, other) for _, other in kept):
            kept.append((key, marks))
        if len(kept) >= limit:
            break
    return [key for key, _ in kept]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    whole = len(one | other)
    return whole > 0 and len(one & other) / whole >= ALIKE
