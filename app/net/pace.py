"""How often a host may be asked: at least so many seconds between two requests, for all tools together."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from app.core.errors import ToolError
from app.core.system.clock import CLOCK, Clock
from app.core.text.i18n import N_

DEFAULT_GAP = 0.2
LONGEST_WAIT = 8.0


class Pace:
    """Gives out the turns in the order they are asked for; `gaps` are the seconds that hosts with rules of their own
    want."""

    def __init__(
        self,
        gaps: Mapping[str, float],
        *,
        default: float = DEFAULT_GAP,
        clock: Clock = CLOCK,
    ) -> None:
        self._gaps, self._default, self._clock = gaps, default, clock
        self._next: dict[str, float] = {}
        self._held: dict[str, float] = {}

    async def turn(self, host: str) -> None:
        """Waits for a turn; raises ToolError RATE_LIMITED where that would take too long."""
        now = self._clock.monotonic()
        at = max(now, self._next.get(host, now))
        if at - now > LONGEST_WAIT:
            is_held = self._held.get(host, 0.0) > now
            message = N_("{host} has asked for a pause") if is_held else N_("too many requests to {host} are waiting")
            values = {"host": host, "seconds": ceil(at - now)}
            hint = N_("ask again in {seconds} s")
            raise ToolError("RATE_LIMITED", message, hint=hint, retryable=True, values=values)
        self._next[host] = at + self._gaps.get(host, self._default)
        if at > now:
            await self._clock.sleep(at - now)

    def hold(self, host: str, seconds: float) -> None:
        """The host asked for a pause (Retry-After)."""
        self._held[host] = self._clock.monotonic() + seconds
        self._next[host] = max(self._next.get(host, 0.0), self._held[host])
