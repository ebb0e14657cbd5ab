"""Facts that fit a question: words for the index, then a rank by relevance and age.

The index is searched for any of the words (`match_of`), since a question and its fact share few of them. Words of one
subject count as equal (`resources/memory/related_words.toml`): a question about restaurants recalls a nut allergy.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from app.core.memory import MemoryFact, Recalled
from app.core.resources import resource_dir
from app.core.text.question_words import CJK, LONGEST_QUERY, STOP, TOKEN

HALF_LIFE = 180 * 86_400.0
"""Seconds after which a fact's recency counts half."""
RECENCY = 0.2
"""The share of the score that is recency; the rest is relevance."""
RELATED = 0.35
"""What a word of the same subject counts beside one of the question itself."""
MEANT = 0.9
"""What being nearest in meaning counts beside the question's own words."""
CANDIDATES = 120


@cache
def _subjects() -> tuple[frozenset[str], ...]:
    path = resource_dir() / "memory" / "related_words.toml"
    groups: Mapping[str, Sequence[str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(frozenset(words) for words in groups.values())


def related(query: str) -> list[str]:
    """Words of the subjects that the question touches, without its own words; and its single Chinese characters."""
    plain = unicodedata.normalize("NFKC", query[:LONGEST_QUERY]).lower()
    own = set(TOKEN.findall(plain))
    touched = [group for group in _subjects() if any(_touches(word, plain, own) for word in group)]
    characters = dict.fromkeys(char for char in plain if CJK.match(char) and char not in STOP)
    characters |= dict.fromkeys(word for group in touched for word in sorted(group) if not _touches(word, plain, own))
    return list(characters)


def _touches(word: str, plain: str, own: set[str]) -> bool:
    if CJK.match(word):
        return word in plain
    return word in own or f"{word}s" in own


def rank(
    direct: Mapping[str, float],
    near: Mapping[str, float],
    facts: Mapping[str, MemoryFact],
    now: float,
    limit: int,
    *,
    meant: Mapping[str, float] | None = None,
) -> list[Recalled]:
    """`direct` and `near` are relevances by id of a fact, for the question's own words and those of its subjects.

    `meant` says from 0 to 1 how near a fact is to the question in meaning, where a model for that is set. Of the others
    higher is better (FTS5's bm25 with its sign turned). Facts that are not true any more are left out.
    """
    best, best_near = max(direct.values(), default=0.0) or 1.0, max(near.values(), default=0.0) or 1.0
    scored = []
    for id, fact in facts.items():
        if not fact.is_current:
            continue
        relevance = max(direct.get(id, 0.0) / best, RELATED * near.get(id, 0.0) / best_near)
        relevance = max(relevance, MEANT * (meant or {}).get(id, 0.0))
        age = max(0.0, now - fact.valid_from)
        score = (1 - RECENCY) * relevance + RECENCY * 0.5 ** (age / HALF_LIFE)
        scored.append(Recalled(fact, round(score, 4)))
    return sorted(scored, key=lambda one: (-one.score, -one.fact.valid_from, one.fact.id))[:limit]
