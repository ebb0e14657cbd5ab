"""What the person thought of answers, and what Auto may learn from it: a suggestion, never a choice."""

from __future__ import annotations

from collections import defaultdict

from app.agent.modes.intent import intent_of
from app.storage.stores.ratings import Rating, RatingStore

from ..settings.settings import SettingsService
from ..tools.domains import mode_words

ENOUGH = 3
"""Ratings of a mode before it is suggested."""


class RatingService:
    def __init__(self, store: RatingStore, settings: SettingsService) -> None:
        self._store, self._settings = store, settings

    async def rate(self, message: str, value: int, *, agent: str, mode: str, query: str) -> None:
        """1, -1, or 0 to take it back."""
        await self._store.put(Rating(message, agent, mode, query, max(-1, min(1, value))))

    async def of_session(self, session: str) -> dict[str, int]:
        return await self._store.of_session(session)

    async def better_mode(self, agent: str, query: str, mode: str) -> str:
        """The mode that was rated clearly higher for questions of this kind; "" if there is none."""
        profile = self._settings.profile(agent)
        await self._settings.loaded_domain(profile)
        words = mode_words(self._settings, profile)
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
