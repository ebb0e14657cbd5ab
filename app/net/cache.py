"""Answers of the last minutes, so that the same question is not asked twice. In memory only: nothing to clean up."""

from __future__ import annotations

from collections import OrderedDict

from app.core.http import HttpReply
from app.core.system.clock import CLOCK, Clock

MAX_ENTRIES = 256
MAX_BYTES = 16 * 1024 * 1024
KEEP_SECONDS = 30 * 60.0


class Cache:
    def __init__(self, *, keep: float = KEEP_SECONDS, clock: Clock = CLOCK) -> None:
        self._keep, self._clock = keep, clock
        self._entries: OrderedDict[str, tuple[float, HttpReply]] = OrderedDict()
        self._bytes = 0

    def get(self, url: str) -> HttpReply | None:
        entry = self._entries.get(url)
        if entry is None:
            return None
        until, reply = entry
        if until <= self._clock.monotonic():
            self._drop(url)
            return None
        self._entries.move_to_end(url)
        return reply

    def put(self, url: str, reply: HttpReply) -> None:
        """Only whole, good answers are worth keeping."""
        if reply.status != 200 or reply.truncated or len(reply.body) > MAX_BYTES // 4:
            return
        self._drop(url)
        self._entries[url] = (self._clock.monotonic() + self._keep, reply)
        self._bytes += len(reply.body)
        while len(self._entries) > MAX_ENTRIES or self._bytes > MAX_BYTES:
            self._drop(next(iter(self._entries)))

    def _drop(self, url: str) -> None:
        entry = self._entries.pop(url, None)
        if entry is not None:
            self._bytes -= len(entry[1].body)
