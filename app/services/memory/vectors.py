"""How near facts are to a question in meaning, if a model for vectors is set; otherwise words decide alone."""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Mapping, Sequence

from app.core.errors import TriptychError
from app.core.memory import MemoryFact
from app.storage.knowledge.vectors import VectorStore

from ..knowledge.models import KnowledgeModels

_AT_ONCE = 256
"""Facts that are given vectors in one recall; the others wait for the next."""
_SECONDS = 6.0
_PAUSE = 60.0
"""Seconds after a fault in which the model is not asked: a question must not wait for it again and again."""
_ENOUGH, _USUAL = 8, 0.4
"""From so many facts on, what they have in common with any question is seen; below it is taken to be _USUAL."""
_FEW_WIDTH = 0.4
_LEAST_WIDTH = 0.02
_CROWD, _CLEAR = 2.5, 3.5
"""Widths of the crowd: those that chance reaches, and those beyond them that make a fact the one that is meant."""


class FactVectors:
    def __init__(self, store: VectorStore, models: KnowledgeModels) -> None:
        self._store, self._models = store, models
        self._silent_until = 0.0

    async def likeness(self, query: str, facts: Sequence[MemoryFact]) -> dict[str, float]:
        """0 to 1 by id, of those nearer to the question than most; {} without a model, or where it fails."""
        if not facts or not query.strip() or not self._models.embedding or time.monotonic() < self._silent_until:
            return {}
        try:
            cosines = await self._cosines(query, facts)
        except TriptychError:
            self._silent_until = time.monotonic() + _PAUSE
            return {}
        return spread(cosines)

    async def _cosines(self, query: str, facts: Sequence[MemoryFact]) -> dict[str, float]:
        embedder = await self._models.embedder()
        assert embedder is not None, "one is set"
        (vector,) = await embedder.embed([query], seconds=_SECONDS, tries=1)
        dimension = len(vector) // 4
        texts = {fact.id: fact.text for fact in facts}
        hashes = {id: hashlib.sha256(text.encode()).hexdigest()[:16] for id, text in texts.items()}
        missing = (await self._store.facts_missing(embedder.ref, dimension, hashes))[:_AT_ONCE]
        if missing:
            vectors = await embedder.embed([texts[id] for id in missing], seconds=_SECONDS, tries=1)
            rows = [(id, hashes[id], vector) for id, vector in zip(missing, vectors, strict=True)]
            await self._store.put_facts(embedder.ref, len(vectors[0]) // 4, rows)
        return await self._store.nearest_facts(embedder.ref, vector, texts)

    async def forget(self, ids: Sequence[str]) -> None:
        await self._store.forget_facts(ids)


def spread(cosines: Mapping[str, float]) -> dict[str, float]:
    """Models differ in how near unrelated texts are; what counts is how far a fact stands out from the others.

    Of texts that have nothing to do with one another the nearest lie two or three widths of the crowd from its middle:
    what is not farther out says nothing, however good or bad the model is.
    """
    if len(cosines) < _ENOUGH:
        return {id: min(1.0, (cosine - _USUAL) / _FEW_WIDTH) for id, cosine in cosines.items() if cosine > _USUAL}
    common = statistics.median(cosines.values())
    width = max(1.4826 * statistics.median(abs(cosine - common) for cosine in cosines.values()), _LEAST_WIDTH)
    apart = {id: (cosine - common) / width - _CROWD for id, cosine in cosines.items()}
    return {id: min(1.0, far / _CLEAR) for id, far in apart.items() if far > 0}
