"""The timeouts of one request: waiting ends, and a keep-alive of the provider does not count as an answer.

`with watch:` guards one await at a time. One timer of the loop serves the whole request and is moved on when it fires
too early, so a guarded read costs two assignments.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Literal

from app.core.errors import ModelTimeout
from app.core.run.chat_model import ModelTraits
from app.core.system.clock import CLOCK, Clock

Phase = Literal["first_byte", "bytes", "content", "total", "rest"]

CONNECT_SECONDS: Final = 10.0
SLEPT_SECONDS: Final = 5.0
"""A gap from which on the computer is taken to have slept."""
AWAKE_SECONDS: Final = 10.0
"""What an open stream has to show life after a sleep."""
LOOK_EVERY: Final = 5.0


@dataclass(frozen=True, slots=True)
class RequestTimeouts:
    """Seconds. `rest` is the patience for usage and end marker after the finish reason has come."""

    connect: float = CONNECT_SECONDS
    first_byte: float = 60.0
    bytes: float = 120.0
    content: float = 90.0
    total: float = 30 * 60.0
    rest: float = 10.0


def limits_for(traits: ModelTraits) -> RequestTimeouts:
    """Local servers load a model first, reasoning models think first."""
    return RequestTimeouts(first_byte=300.0, bytes=300.0, content=300.0) if traits.local else RequestTimeouts()


class SleepSense:
    """Notices that the computer slept or the clock was set: the wall clock moved and the monotonic clock did not."""

    def __init__(self, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self._apart = clock.now() - clock.monotonic()

    def slept(self) -> float:
        """Seconds since it was last asked; 0 for less than a few."""
        apart = self._clock.now() - self._clock.monotonic()
        gone, self._apart = abs(apart - self._apart), apart
        return gone if gone > SLEPT_SECONDS else 0.0


class Watch:
    """Raises `ModelTimeout` out of a guarded await when a clock has run out. Time outside the guard is ours."""

    def __init__(self, limits: RequestTimeouts, clock: Clock = CLOCK) -> None:
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._sense = SleepSense(clock)
        self._planned = 0.0
        now = self._loop.time()
        self._dues: dict[Phase, float] = {"first_byte": now + limits.first_byte, "total": now + limits.total}
        self._handle: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._left_at = now
        self.expired: Phase | None = None

    # ------------------------------------------------------------ what the reader reports

    def saw_bytes(self, *, content: bool) -> None:
        now = self._loop.time()
        first = self._dues.pop("first_byte", None) is not None
        self._dues["bytes"] = now + self._limits.bytes
        if (content or first) and "rest" not in self._dues:
            self._dues["content"] = now + self._limits.content

    def saw_finish(self) -> None:
        """The answer is whole; only usage and the end marker may still come."""
        if "rest" not in self._dues:
            self._dues["rest"] = self._loop.time() + self._limits.rest

    # ------------------------------------------------------------ the guard

    def __enter__(self) -> None:
        now = self._loop.time()
        away = now - self._left_at
        if away > 0.05:
            # Whoever takes the chunks was slow; that time is not the provider's.
            self._dues = {phase: due + away for phase, due in self._dues.items()}
        self._task = asyncio.current_task()
        self._cancelling = self._task.cancelling() if self._task else 0
        if self._handle is None:
            self._plan(min(self._dues.values()))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._task = self._task, None
        self._left_at = self._loop.time()
        if self.expired is None or task is None:
            return
        if task.uncancel() <= self._cancelling and kind is not None and issubclass(kind, asyncio.CancelledError):
            raise self._timeout(self.expired) from None

    def close(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _tick(self) -> None:
        self._handle = None
        if self._task is None:
            return
        now = self._loop.time()
        late = now - self._planned
        if max(self._sense.slept(), late) > SLEPT_SECONDS:
            self._woke(now, late)
        phase, due = min(self._dues.items(), key=lambda item: item[1])
        if due <= now:
            self.expired = phase
            self._task.cancel()
        else:
            self._plan(due)

    def _plan(self, due: float) -> None:
        """Looks in between as well: after a sleep an idle clock would run for long."""
        self._planned = min(due, self._loop.time() + LOOK_EVERY)
        self._handle = self._loop.call_at(self._planned, self._tick)

    def _woke(self, now: float, late: float) -> None:
        """The sleep was nobody's silence; but a connection that outlived it shows so soon, or it did not.

        `late`: seconds of the sleep that the loop's clock has counted.
        """
        self._dues["total"] += late
        for phase in ("first_byte", "bytes", "content"):
            if phase in self._dues:
                self._dues[phase] = now + min(AWAKE_SECONDS, getattr(self._limits, phase))

    def _timeout(self, phase: Phase) -> ModelTimeout:
        seconds = {
            "first_byte": self._limits.first_byte,
            "bytes": self._limits.bytes,
            "content": self._limits.content,
            "total": self._limits.total,
            "rest": self._limits.rest,
        }[phase]
        return ModelTimeout(f"no {phase.replace('_', ' ')} for {seconds:g} s", phase=phase, seconds=seconds)
