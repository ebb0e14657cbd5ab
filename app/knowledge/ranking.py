"""Ranks joined and near-duplicates collapsed: pure lists."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from app.core.text.compatible import nfkc
from app.core.text.likeness import marks_of
from app.core.text.question_words import characters_of, words_of

K = TypeVar("K", bound=Hashable)
CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""
ALIKE = 0.9
_SENTENCES = re.compile(r"(?<=[。！？；])|(?<=[.!?;])\s|\n\n")
_LINES = re.compile(r"(?<=[。！？；])|(?<=[.!?;])\s|\n")


def fused(*rankings: Sequence[K]) -> list[tuple[K, float]]:
    """Keys of several rankings, best first, each with the sum of 1 / (CONSTANT + its rank)."""
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (CONSTANT + rank)
    return sorted(scores.items(), key=lambda item: -item[1])


def by_coverage(query: str, texts: Mapping[K, str]) -> list[K]:
    """Best first by how many of the question's different words, pairs and characters each text has, rare ones first.

    The index weighs how often a word is in a passage; a passage that has every word once answers better than one
    that repeats one of them.
    """
    wanted = [_stem(word) for word in [*words_of(query), *characters_of(query)]]
    plain = {key: nfkc(text).lower() for key, text in texts.items()}
    having = {word: {key for key, text in plain.items() if word in text} for word in wanted}
    weights = {word: math.log(1 + len(plain) / len(keys)) * min(len(word), 2) for word, keys in having.items() if keys}
    scores = {key: sum(weight for word, weight in weights.items() if key in having[word]) for key in plain}
    return sorted((key for key in plain if scores[key] > 0), key=lambda key: -scores[key])


def best_line(query: str, text: str, *, is_wrapped: bool = False) -> str:
    """The sentence or line of a text that has most of what is asked for; "" where none has any of it.

    `is_wrapped`: a line ends where the page does, as in a PDF, and says nothing of sentences.
    """
    lines = [line.strip() for line in (_SENTENCES if is_wrapped else _LINES).split(text) if line.strip()]
    ranked = by_coverage(query, dict(enumerate(lines)))
    return lines[ranked[0]] if ranked else ""


def _stem(word: str) -> str:
    """Without the ends that English words lose in the index too."""
    for end in ("ing", "ies", "es", "ed", "s"):
        if word.isascii() and len(word) > len(end) + 3 and word.endswith(end):
            return word[: -len(end)]
    return word


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
    few, many = len(one), len(other)
    if few > many:
        few, many = many, few
    if few < many * ALIKE or not many:  # not even if all of the smaller one were in the other
        return False
    common = len(one & other)
    return common / (few + many - common) >= ALIKE
