"""How a question finds passages: by its words, by what they mean where a model for vectors is set, and ranked at last.

The two rankings are made at the same time and joined by reciprocal rank fusion.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app.core.errors import KnowledgeServerFailed, TriptychError
from app.core.knowledge import Hit, Passage
from app.core.passages import Found
from app.core.text.question_words import characters_of, words_of
from app.knowledge.ranking import by_coverage, distinct, fused

from .models import KnowledgeModels
from .places import KnowledgePlace, KnowledgePlaces

CANDIDATES = 40
_RERANKED = 30

Key = tuple[int, int]
"""Number of the place, number of the passage there."""
_Texts = dict[Key, tuple[str, str, int, Passage]]


class PassageSearch:
    def __init__(self, places: KnowledgePlaces, models: KnowledgeModels) -> None:
        self._places, self._models = places, models
        self.fault: TriptychError | None = None
        """Why the last search went without vectors, the server, or the model that ranks."""

    async def search(self, bases: Sequence[str], query: str, limit: int, folder: str = "") -> list[Hit]:
        """Best first, near-duplicates once. Works without any model.

        Raises KnowledgeServerFailed where all the bases are on a server that does not answer.
        """
        self.fault = None
        rankings: list[list[Key]] = []
        nearest: list[list[Key]] = []
        passages: _Texts = {}
        places = await self._places.split(bases)
        for number, (place, ids) in enumerate(places):
            try:
                words, texts, near = await self._of_place(place, ids, query, limit, folder)
            except KnowledgeServerFailed as error:
                if len(places) == 1:
                    raise
                self.fault = error
                continue
            rankings += [[(number, n) for n in ranking] for ranking in words]
            nearest += [[(number, n) for n in near]] if near else []
            passages |= {(number, n): one for n, one in texts.items()}
        ranked, scores = await asyncio.to_thread(_ranked, query, rankings, nearest, passages)
        if self._models.reranking and len(ranked) > 1:
            ranked = await self._reranked(query, ranked, passages)
        best = max(scores.values(), default=1.0)
        hits: list[Hit] = []
        for key in await asyncio.to_thread(distinct, ((key, passages[key][3].text) for key in ranked), limit):
            base, path, position, passage = passages[key]
            hits.append(Hit(f"{path}#{position}", base, path, position, passage, round(scores[key] / best, 4)))
        return hits

    async def _of_place(
        self, place: KnowledgePlace, bases: Sequence[str], query: str, limit: int, folder: str
    ) -> tuple[list[list[int]], Found, list[int]]:
        """Rankings by words, what is in any ranking, and the passages whose vectors are near."""
        if not self._models.embedding:
            words, passages = await _by_words(place, bases, query, folder, limit)
            return words, passages, []
        (words, passages), nearest = await asyncio.gather(
            _by_words(place, bases, query, folder, limit), place.vectors.nearest(bases, query, CANDIDATES, folder)
        )
        self.fault = place.vectors.fault or self.fault
        passages |= await place.store.passages([n for n in nearest if n not in passages])
        return words, passages, nearest

    async def _reranked(self, query: str, ranked: list[Key], passages: _Texts) -> list[Key]:
        """By the model that was set for it; as they were where it fails."""
        first, rest = ranked[:_RERANKED], ranked[_RERANKED:]
        try:
            reranker = await self._models.reranker()
            assert reranker is not None, "one is set"
            order = await reranker.order(query, [passages[key][3].text for key in first])
        except TriptychError as error:
            self.fault = error
            return ranked
        return [first[place] for place in order] + rest


async def _by_words(
    place: KnowledgePlace, bases: Sequence[str], query: str, folder: str, limit: int
) -> tuple[list[list[int]], Found]:
    """One or two rankings, and what they rank."""
    hits = await place.store.search(bases, words_of(query), CANDIDATES, folder)
    if len(hits) >= limit:
        return [list(hits)], hits
    # Chinese says the same with other pairs: 结婚 and 婚假 share one character.
    more = await place.store.search(bases, characters_of(query), CANDIDATES, folder)
    return [list(hits), list(more)], hits | more


def _ranked(
    query: str, words: Sequence[Sequence[Key]], nearest: Sequence[Sequence[Key]], passages: _Texts
) -> tuple[list[Key], dict[Key, float]]:
    """Keys, best first, and their scores."""
    by_words = [key for key, _score in fused(*words)]
    covering = by_coverage(query, {key: f"{passages[key][3].heading}\n{passages[key][3].text}" for key in by_words})
    scores = dict(fused(*words, covering))
    if nearest:
        scores = dict(fused(list(scores), *nearest))
    return [key for key in scores if key in passages], scores
