"""The questions a run asks the person, and the clock that stops while it waits for the answers."""

from __future__ import annotations

import asyncio
from typing import Any

from app.core.system.awake import AwakeTime
from app.core.system.clock import CLOCK, Clock

from .plan_control import PlanControl


class Inbox:
    """Where a run waits for the person, and what they have asked for meanwhile."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self.answer_now = False
        self.extra_rounds = 0
        self.said: list[str] = []
        """What the person said meanwhile, for the next request."""
        self.plan = PlanControl()
        self.hurry = asyncio.Event()
        """The person does not want to wait for the next attempt."""

    async def wait(self, id: str) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[id] = future
        try:
            return await future
        finally:
            self._waiting.pop(id, None)

    def reply(self, id: str, value: Any) -> bool:
        """False if nobody waits for it (any more)."""
        future = self._waiting.get(id)
        if future is None or future.done():
            return False
        future.set_result(value)
        return True


class RunClock:
    """Seconds since the run began, without the time it waited for the person or the computer slept.

    Several answers may be pending; the clock stops until all of them are given. A run inside another one also stops the
    clock of the outer run (`outer`).
    """

    def __init__(self, clock: Clock = CLOCK, *, outer: RunClock | None = None) -> None:
        self._clock, self._outer = clock, outer
        self._stops = 0
        self._began, self._awake = self._clock.monotonic(), AwakeTime(self._clock)
        self._waited = 0.0
        self._stopped_at: float | None = None

    def elapsed(self) -> float:
        """Since the beginning, waiting and sleep included: the `t` of events."""
        return self._clock.monotonic() - self._began

    def working(self) -> float:
        """What limits are compared with."""
        awake = self._awake.seconds()
        waiting = awake - self._stopped_at if self._stopped_at is not None else 0.0
        return awake - self._waited - waiting

    def whole(self) -> float:
        """The working time of the outermost run."""
        return self._outer.whole() if self._outer is not None else self.working()

    async def sleep(self, seconds: float) -> None:
        await (self._outer or self._clock).sleep(seconds)

    def stop(self) -> None:
        self._stops += 1
        if self._stopped_at is None:
            self._stopped_at = self._awake.seconds()
        if self._outer is not None:
            self._outer.stop()

    def resume(self) -> None:
        self._stops = max(self._stops - 1, 0)
        if self._outer is not None:
            self._outer.resume()
        if self._stops == 0 and self._stopped_at is not None:
            self._waited += self._awake.seconds() - self._stopped_at
            self._stopped_at = None
