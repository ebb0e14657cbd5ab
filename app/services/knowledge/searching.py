"""How a question finds passages: by its words, all of them and any of them, and by how much of it a passage covers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.core.knowledge import Hit
from app.core.text.question_words import characters_of, match_of, words_of
from app.knowledge.ranking import CONSTANT, by_coverage, distinct, fused
from app.storage.knowledge.store import KnowledgeStore

CANDIDATES = 60


class PassageSearch:
    def __init__(self, store: KnowledgeStore) -> None:
        self._store = store

    async def search(self, bases: Sequence[str], query: str, limit: int, folder: str = "") -> list[Hit]:
        """Best first, near-duplicates once. Works without any model."""
        rankings = await self._by_words(bases, query, folder, limit)
        ranked = fused(*rankings)
        passages = await self._store.passages(n for n, _ in ranked)
        texts = {n: f"{passages[n][3].heading}\n{passages[n][3].text}" for n, _ in ranked if n in passages}
        covering = await asyncio.to_thread(by_coverage, query, texts)
        ranked = fused(*rankings, covering)
        kept = await asyncio.to_thread(distinct, ((n, passages[n][3].text) for n, _ in ranked if n in passages), limit)
        scores, best = dict(ranked), 3 / (CONSTANT + 1)
        hits = []
        for n in kept:
            base, path, place, passage = passages[n]
            hits.append(Hit(f"{path}#{place}", base, path, place, passage, round(scores[n] / best, 4)))
        return hits

    async def _by_words(self, bases: Sequence[str], query: str, folder: str, limit: int) -> list[list[int]]:
        words = words_of(query)
        found = await self._store.search(bases, match_of(words), CANDIDATES, folder)
        pairs = [word for word in words if len(word) > 1]
        whole = await self._store.search(bases, _all_of(pairs), CANDIDATES, folder) if len(pairs) > 1 else []
        rankings = [found, whole]
        if len(found) < limit:
            # Chinese says the same with other pairs: 结婚 and 婚假 share one character.
            rankings.append(await self._store.search(bases, match_of(characters_of(query)), CANDIDATES, folder))
        return rankings


def _all_of(words: Sequence[str]) -> str:
    return match_of(words).replace(" OR ", " AND ")
