"""How a question finds passages: by its words, by what they mean where a model for vectors is set, and ranked at last.

The two rankings are made at the same time and joined by reciprocal rank fusion.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.core.errors import TriptychError
from app.core.knowledge import Hit
from app.core.text.question_words import characters_of, match_of, words_of
from app.knowledge.ranking import by_coverage, distinct, fused
from app.storage.knowledge.store import Found, KnowledgeStore

from .models import KnowledgeModels
from .vectors import PassageVectors

CANDIDATES = 40
_RERANKED = 30


class PassageSearch:
    def __init__(self, store: KnowledgeStore, vectors: PassageVectors, models: KnowledgeModels) -> None:
        self._store, self._vectors, self._models = store, vectors, models
        self.fault: TriptychError | None = None
        """Why the last search went without vectors, or without the model that ranks."""

    async def search(self, bases: Sequence[str], query: str, limit: int, folder: str = "") -> list[Hit]:
        """Best first, near-duplicates once. Works without any model."""
        if not self._models.embedding:
            words, passages, nearest = *await self._by_words(bases, query, folder, limit), list[int]()
            self.fault = None
        else:
            (words, passages), nearest = await asyncio.gather(
                self._by_words(bases, query, folder, limit), self._vectors.nearest(bases, query, CANDIDATES, folder)
            )
            self.fault = self._vectors.fault
            passages |= await self._store.passages([n for n in nearest if n not in passages])
        ranked, scores = await asyncio.to_thread(_ranked, query, words, nearest, passages)
        if self._models.reranking and len(ranked) > 1:
            ranked = await self._reranked(query, ranked, passages)
        best = max(scores.values(), default=1.0)
        hits: list[Hit] = []
        for n in await asyncio.to_thread(distinct, ((n, passages[n][3].text) for n in ranked), limit):
            base, path, place, passage = passages[n]
            hits.append(Hit(f"{path}#{place}", base, path, place, passage, round(scores[n] / best, 4)))
        return hits

    async def _by_words(
        self, bases: Sequence[str], query: str, folder: str, limit: int
    ) -> tuple[list[list[int]], Found]:
        """One or two rankings, and what they rank."""
        found = await self._store.search(bases, match_of(words_of(query)), CANDIDATES, folder)
        if len(found) >= limit:
            return [list(found)], found
        # Chinese says the same with other pairs: 结婚 and 婚假 share one character.
        more = await self._store.search(bases, match_of(characters_of(query)), CANDIDATES, folder)
        return [list(found), list(more)], found | more

    async def _reranked(self, query: str, ranked: list[int], passages: Found) -> list[int]:
        """By the model that was set for it; as they were where it fails."""
        first, rest = ranked[:_RERANKED], ranked[_RERANKED:]
        try:
            reranker = await self._models.reranker()
            assert reranker is not None, "one is set"
            order = await reranker.order(query, [passages[n][3].text for n in first])
        except TriptychError as error:
            self.fault = error
            return ranked
        return [first[place] for place in order] + rest


def _ranked(
    query: str, words: Sequence[Sequence[int]], nearest: Sequence[int], passages: Found
) -> tuple[list[int], dict[int, float]]:
    """Numbers, best first, and their scores."""
    by_words = [n for n, _ in fused(*words)]
    covering = by_coverage(query, {n: f"{passages[n][3].heading}\n{passages[n][3].text}" for n in by_words})
    scores = dict(fused(*words, covering))
    if nearest:
        scores = dict(fused(list(scores), nearest))
    return [n for n in scores if n in passages], scores
