"""Values stored with a session beside its messages: the queue, what requests leave out, whether it was imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.storage.stores.sessions import SessionStore

from ..changes import Changes

CHOICES, DELETED, QUEUE, LEFT_OUT, IMPORTED = "choices", "deleted", "queue", "left_out", "imported"
PLAN_DRAFT = "plan_draft"
"""The kinds of notes in the store."""


class SessionNotes:
    def __init__(self, store: SessionStore, changes: Changes[str]) -> None:
        self._store, self._changes = store, changes

    async def queue(self, id: str) -> list[str]:
        """Messages written while a run went on, in the order they are to be sent."""
        return await self._store.notes.names(id, QUEUE)

    async def set_queue(self, id: str, texts: Sequence[str]) -> None:
        await self._store.notes.put(id, QUEUE, list(texts) or None)

    async def plan_draft(self, id: str) -> Mapping[str, Any]:
        """What a person has changed in a plan that waits, and not handed in; empty if there is nothing."""
        draft = await self._store.notes.get(id, PLAN_DRAFT)
        return draft if isinstance(draft, Mapping) else {}

    async def set_plan_draft(self, id: str, draft: Mapping[str, Any]) -> None:
        await self._store.notes.put(id, PLAN_DRAFT, dict(draft) or None)

    async def is_imported(self, id: str) -> bool:
        """What is in it was not written here: its runs are careful from the first word on (T38)."""
        return bool(await self._store.notes.get(id, IMPORTED))

    async def left_out(self, id: str) -> frozenset[str]:
        """Ids of messages and tool calls, references of files: what requests of this session leave out."""
        return frozenset(await self._store.notes.names(id, LEFT_OUT))

    async def set_left_out(self, id: str, ids: Iterable[str]) -> None:
        await self._store.notes.put(id, LEFT_OUT, sorted(set(ids)) or None)
        self._changes.notify(id)
