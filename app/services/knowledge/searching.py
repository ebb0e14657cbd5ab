"""How a question finds passages: by its words, by what they mean where a model for vectors is set, and ranked at last.

The two rankings are made at the same time and joined by reciprocal rank fusion.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.core.errors import TriptychError
from app.core.knowledge import Hit, Passage
from app.core.text.question_words import characters_of, match_of, words_of
from app.knowledge.ranking import by_coverage, distinct, fused
from app.storage.knowledge.store import KnowledgeStore

from .models import KnowledgeModels
from .vectors import PassageVectors

CANDIDATES = 60
_RERANKED = 30

Found = dict[int, tuple[str, str, int, Passage]]
"""By number: base, path, place and passage."""


class PassageSearch:
    def __init__(self, store: KnowledgeStore, vectors: PassageVectors, models: KnowledgeModels) -> None:
        self._store, self._vectors, self._models = store, vectors, models
        self.fault: TriptychError | None = None
        """Why the last search went without vectors, or without the model that ranks."""

    async def search(self, bases: Sequence[str], query: str, limit: int, folder: str = "") -> list[Hit]:
        """Best first, near-duplicates once. Works without any model."""
        (words, passages), nearest = await asyncio.gather(
            self._by_words(bases, query, folder, limit), self._vectors.nearest(bases, query, CANDIDATES, folder)
        )
        self.fault = self._vectors.fault
        passages |= await self._store.passages(n for n in nearest if n not in passages)
        scores = dict(fused(words, nearest) if nearest else fused(words))
        ranked = [n for n in scores if n in passages]
        if self._models.reranking and len(ranked) > 1:
            ranked = await self._reranked(query, ranked, passages)
        kept = await asyncio.to_thread(distinct, ((n, passages[n][3].text) for n in ranked), limit)
        best = max(scores.values(), default=1.0)
        hits = []
        for n in kept:
            base, path, place, passage = passages[n]
            hits.append(Hit(f"{path}#{place}", base, path, place, passage, round(scores[n] / best, 4)))
        return hits

    async def _by_words(self, bases: Sequence[str], query: str, folder: str, limit: int) -> tuple[list[int], Found]:
        words = words_of(query)
        found = await self._store.search(bases, match_of(words), CANDIDATES, folder)
        pairs = [word for word in words if len(word) > 1]
        whole = await self._store.search(bases, _all_of(pairs), CANDIDATES, folder) if len(pairs) > 1 else []
        rankings = [found, whole]
        if len(found) < limit:
            # Chinese says the same with other pairs: 结婚 and 婚假 share one character.
            rankings.append(await self._store.search(bases, match_of(characters_of(query)), CANDIDATES, folder))
        numbers = [n for n, _ in fused(*rankings)]
        passages = await self._store.passages(numbers)
        texts = {n: f"{passages[n][3].heading}\n{passages[n][3].text}" for n in numbers if n in passages}
        covering = await asyncio.to_thread(by_coverage, query, texts)
        return [n for n, _ in fused(*rankings, covering)], passages

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


def _all_of(words: Sequence[str]) -> str:
    return match_of(words).replace(" OR ", " AND ")
