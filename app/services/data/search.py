"""Searching all sessions, as a person asks for it. Finding within one open chat is left to the window."""

from __future__ import annotations

from app.core.session.search import SearchHit
from app.storage.stores.search import SearchStore


class SessionSearchService:
    def __init__(self, store: SearchStore) -> None:
        self._store = store

    async def search(
        self,
        query: str,
        *,
        agent: str | None = None,
        mode: str | None = None,
        since: float | None = None,
        until: float | None = None,
        limit: int = 20,
    ) -> list[SearchHit]:
        """Hits in titles first, then in messages and tool results, newest first; the bin is left out.

        All words must be found, the last one may continue; "a phrase" is in double quotes. Times
        are seconds since 1970.
        """
        return await self._store.search(query, agent, mode, since, until, limit)


__all__ = ["SearchHit", "SessionSearchService"]
