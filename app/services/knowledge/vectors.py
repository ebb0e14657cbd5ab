"""Vectors of the passages: computed after reading, a batch at a time, and compared with that of a question.

Every round is stored before the next is asked for, so a break costs one round. Text search never waits for any of
this and never fails of it: what went wrong is kept in `fault` until it works again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

from app.core.errors import EmbeddingFailed, TriptychError
from app.core.knowledge import Embedder
from app.core.passages import PassageVectorStore
from app.providers.vectors.embeddings import dimension_changed

from .models import KnowledgeModels

ROUND = 256
"""Passages that are asked for at once, in AT_ONCE requests."""
AT_ONCE = 4
LEAST = 0.2
"""The cosine below which a passage has nothing to do with the question."""
_QUERY_SECONDS = 10.0


class PassageVectors:
    def __init__(self, store: PassageVectorStore, models: KnowledgeModels) -> None:
        self._store, self._models = store, models
        self.fault: TriptychError | None = None
        """Why the last search or the last reading went on without vectors."""

    async def state(self, base: str) -> tuple[int, int]:
        """How many passages have a vector of the model that is set, and how many there are; (0, 0) without a model."""
        ref = self._models.embedding
        return await self._store.counts(base, ref, await self._store.dimension(ref)) if ref else (0, 0)

    async def fill(self, base: str) -> AsyncGenerator[tuple[int, int], None]:
        """(done, all) after each round. Raises TriptychError; what was stored stays.

        The model is asked first how long its vectors are: if that has changed, all are computed again.
        """
        embedder = await self._models.embedder()
        if embedder is None:
            return
        dimension = len((await embedder.embed(["."]))[0]) // 4
        done, whole = await self._store.counts(base, embedder.ref, dimension)
        last = 0
        while rows := await self._store.missing(base, embedder.ref, dimension, last, ROUND):
            last = rows[-1][0]
            done += await self._round(embedder, rows, dimension)
            yield min(done, whole), whole

    async def _round(self, embedder: Embedder, rows: Sequence[tuple[int, str]], dimension: int) -> int:
        size = -(-len(rows) // AT_ONCE)
        parts = [rows[start : start + size] for start in range(0, len(rows), size)]
        results = await asyncio.gather(
            *(embedder.embed([text for _, text in part]) for part in parts), return_exceptions=True
        )
        faults: list[BaseException] = []
        vectors: list[tuple[int, bytes]] = []
        for part, result in zip(parts, results, strict=True):
            if isinstance(result, BaseException):
                faults.append(result)
            elif len(result[0]) // 4 != dimension:
                faults.append(dimension_changed(embedder.ref, dimension, len(result[0]) // 4))
            else:
                vectors += [(n, vector) for (n, _), vector in zip(part, result, strict=True)]
        await self._store.put(embedder.ref, dimension, vectors)
        if faults:
            raise faults[0]
        return len(vectors)

    async def nearest(self, bases: Sequence[str], query: str, limit: int, folder: str = "") -> list[int]:
        """Passages by how near their vectors are to the question's; [] without a model, or where it fails: `fault`."""
        if not self._models.embedding:
            self.fault = None
            return []
        try:
            embedder = await self._models.embedder()
            assert embedder is not None, "one is set"
            async with asyncio.timeout(_QUERY_SECONDS + 5):
                (vector,) = await embedder.embed([query], seconds=_QUERY_SECONDS, tries=1)
            neighbours = await self._store.search(bases, embedder.ref, vector, limit, folder)
            stored = await self._store.dimension(embedder.ref)
        except TimeoutError:
            self.fault = EmbeddingFailed("no answer in time", model=self._models.embedding, reason="SLOW")
            return []
        except TriptychError as error:
            self.fault = error
            return []
        now = len(vector) // 4
        is_stale = not neighbours and stored not in (0, now)
        self.fault = _stale(embedder.ref, stored, now) if is_stale else None
        return [n for n, likeness in neighbours if likeness >= LEAST]


def _stale(ref: str, before: int, now: int) -> EmbeddingFailed:
    message = f"{ref} gives vectors of {now} numbers now and gave {before} before"
    return EmbeddingFailed(message, model=ref, reason="STALE", before=before, now=now)
