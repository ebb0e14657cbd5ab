"""Watched knowledge bases: their folders are looked at again and again, and what has changed is read.

By looking, not by notices of the system: those do not come from network drives, and a large folder needs more of them
than there are. The larger the folders, the rarer the looks: they never take more than a twentieth of the time.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Protocol

from app.core.errors import TriptychError
from app.core.knowledge import KnowledgeBase

log = logging.getLogger(__name__)

SECONDS = 30.0
"""Between two looks."""
_SHARE = 20


class WatchedBases(Protocol):
    async def bases(self) -> list[KnowledgeBase]: ...

    async def has_changed(self, base: KnowledgeBase) -> bool:
        """Compares the disk with what is stored."""

    def read_anew(self, id: str) -> AsyncGenerator[object, None]: ...


class FolderWatch:
    def __init__(self, knowledge: WatchedBases, *, seconds: float = SECONDS) -> None:
        self._knowledge, self._seconds = knowledge, seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """For a process that stays."""
        if self._task is None:
            self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _watch(self) -> None:
        pause = self._seconds
        while True:
            await asyncio.sleep(pause)
            pause = max(self._seconds, _SHARE * await self.look())

    async def look(self) -> float:
        """Once at every watched base; returns how many seconds the looking took, without the reading."""
        taken = 0.0
        try:
            for base in await self._knowledge.bases():
                if not base.watched:
                    continue
                started = time.monotonic()
                is_new = await self._knowledge.has_changed(base)
                taken += time.monotonic() - started
                if is_new:
                    async with aclosing(self._knowledge.read_anew(base.id)) as states:
                        async for _state in states:
                            pass
        except (TriptychError, OSError) as error:
            # The page shows what is wrong with a base; here the next look tries again.
            log.warning("a watched knowledge base could not be read: %s", type(error).__name__)
        return taken
