"""The bin: sessions moved there, restored, deleted for good; and what the next start deletes automatically."""

from __future__ import annotations

import asyncio
import logging
import time

from app.core.errors import TriptychError
from app.core.ids import is_temporary
from app.core.session.branches import Tree
from app.core.session.summary import SessionRow
from app.storage.stores.sessions import SessionStore

from ..changes import Changes
from .session_notes import DELETED

log = logging.getLogger(__name__)

BIN_DAYS = 30
_DAY = 86_400.0
_OVER = "bin-over"
"""The note of a session in the bin: when a start first found that it had been there for more than BIN_DAYS."""


class SessionBin:
    def __init__(self, store: SessionStore, changes: Changes[str]) -> None:
        self._store, self._changes = store, changes
        self._forgetting: asyncio.Task[None] | None = None

    async def trash(self, id: str) -> None:
        await self._store.trash(id)
        self._changes.notify(id)

    async def restore(self, id: str) -> None:
        await self._store.restore(id)
        self._changes.notify(id)

    async def rows(self) -> list[SessionRow]:
        """What is in the bin, thrown away last first."""
        return await self._store.rows(trashed=True)

    async def purge(self, *ids: str) -> None:
        """For good. They are gone from every list long before this returns: their words leave the index last."""
        for id in ids:
            await self._store.purge(id)
            self._changes.notify(id)
        if not all(is_temporary(id) for id in ids):
            await self._store.forget()

    def forget_soon(self) -> None:
        """For a process that stays: what `sweep` deleted, or a process that ended meanwhile, leaves the index too."""
        self._forgetting = asyncio.create_task(self._forget(), name="forget")

    async def close(self) -> None:
        if self._forgetting is not None:
            self._forgetting.cancel()
            await asyncio.gather(self._forgetting, return_exceptions=True)

    async def _forget(self) -> None:
        try:
            await self._store.forget()
        except TriptychError as error:
            log.warning("deleted words are still in the index of the search: %s", error)

    async def sweep(self) -> None:
        """Delete for good what was hidden, and what lay in the bin for too long.

        Called when nobody can take it back any more: at the start. What cannot be read is left as it is.
        """
        over: set[str] = set()
        for row in await self.rows():
            # A time changed on the disk deletes nothing for good.
            is_over = row.trashed is not None and row.trashed < time.time() - BIN_DAYS * _DAY
            if not is_over or not await self._store.is_as_written(row.id):
                continue
            over.add(row.id)
            if await self._is_over_since_yesterday(row.id):
                await self._store.purge(row.id)
        for id in set(await self._store.notes.sessions_with(_OVER)) - over:
            await self._store.notes.put(id, _OVER, None)
        for id in await self._store.notes.sessions_with(DELETED):
            hidden = await self._store.notes.names(id, DELETED)
            tree = Tree(await self._store.messages(id), hidden)
            there = {one.id for one in await self._store.messages(id)}
            gone = {one for message in hidden if message in there for one in tree.lost_with(message)}
            await self._store.delete_messages(id, gone)
            await self._store.notes.put(id, DELETED, None)

    async def _is_over_since_yesterday(self, id: str) -> bool:
        """An earlier start, a day or more ago, has found so too: a clock that jumps for once deletes nothing."""
        found, now = await self._store.notes.get(id, _OVER), time.time()
        if isinstance(found, int | float) and found <= now:
            return now - found >= _DAY
        await self._store.notes.put(id, _OVER, now)
        return False
