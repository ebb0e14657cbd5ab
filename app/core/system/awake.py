"""Time limits that count only while the computer is awake.

On some systems the monotonic clock goes on while the computer sleeps. Whoever measures with it would find eight hours
of a night in a limit of a minute. So the time is looked at every few seconds, and a gap between two looks counts as
one that a busy computer may have.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from .clock import CLOCK, Clock

LOOK_SECONDS = 5.0
"""How often somebody has to look."""
LONGEST_GAP = 10.0
"""Of a longer gap between two looks the rest was sleep."""


class AwakeTime:
    """Seconds since it was made, without those the computer slept."""

    def __init__(self, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self._seconds, self._last = 0.0, clock.monotonic()

    def seconds(self) -> float:
        """Also a look: right as long as somebody asks every LOOK_SECONDS."""
        now = self._clock.monotonic()
        self._seconds += min(now - self._last, LONGEST_GAP)
        self._last = now
        return self._seconds


@asynccontextmanager
async def awake_timeout(seconds: float, clock: Clock = CLOCK) -> AsyncGenerator[None, None]:
    """As `asyncio.timeout`: raises TimeoutError after so many seconds awake."""
    loop, awake = asyncio.get_running_loop(), AwakeTime(clock)
    handle: asyncio.TimerHandle | None = None
    async with asyncio.timeout(None) as limit:

        def look() -> None:
            nonlocal handle
            if (left := seconds - awake.seconds()) > 0:
                handle = loop.call_later(min(left, LOOK_SECONDS), look)
            else:
                limit.reschedule(loop.time())

        look()
        try:
            yield
        finally:
            if handle is not None:
                handle.cancel()
