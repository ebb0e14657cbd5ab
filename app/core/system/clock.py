"""The time, where something depends on it: a value that tests replace by one they move themselves."""

from __future__ import annotations

import time
from datetime import date, datetime


class Clock:
    def now(self) -> float:
        """Seconds since 1970; jumps when the computer's clock is set."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that only grow, from an unknown beginning."""
        return time.monotonic()

    def today(self) -> date:
        """By the computer's time zone."""
        return datetime.now().astimezone().date()

    async def sleep(self, seconds: float) -> None:
        import asyncio  # a tenth of a second that no window waits for before its first paint

        await asyncio.sleep(seconds)


CLOCK = Clock()
