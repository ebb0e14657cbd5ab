"""What the person thought of answers, and what Auto may learn from it: a suggestion, never a choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from app.agent.modes.intent import intent_of
from app.core.run.mode_words import ModeWords
from app.storage.stores.ratings import Rating, RatingStore

ENOUGH = 3
"""Ratings of a mode before it is suggested."""


class RatingService:
    def __init__(self, store: RatingStore, words: Callable[[str], ModeWords]) -> None:
        """`words`: by which Auto chooses for an agent."""
        self._store, self._words = store, words

    async def rate(self, message: str, value: int, *, agent: str, mode: str, query: str) -> None:
        """1, -1, or 0 to take it back."""
        await self._store.put(Rating(message, agent, mode, query, max(-1, min(1, value))))

    async def of_session(self, session: str) -> dict[str, int]:
        return await self._store.of_session(session)

    async def better_mode(self, agent: str, query: str, mode: str) -> str:
        """The mode that was rated clearly higher for questions of this kind; "" if there is none."""
        words = self._words(agent)
        kind = intent_of(query, words)
        values: dict[str, list[int]] = defaultdict(list)
        for rating in await self._store.all(agent):
            if intent_of(rating.query, words) == kind:
                values[rating.mode].append(rating.value)
        means = {one: sum(given) / len(given) for one, given in values.items() if len(given) >= ENOUGH}
        means.pop(mode, None)
        best = max(means, key=lambda one: means[one], default="")
        own = values.get(mode, [])
        return best if best and means[best] > max(0.0, sum(own) / len(own) if own else 0.0) else ""

    async def reset(self) -> None:
        await self._store.clear()
