"""Time that the computer sleeps is in no limit, also where the clock of the loop goes on meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from app.core import detached
from app.core.system import awake
from app.core.system.awake import AwakeTime, awake_timeout
from app.core.system.clock import CLOCK, Clock
from tests.fakes import FakeClock


def test_a_gap_of_hours_counts_as_a_busy_moment() -> None:
    time = FakeClock(100.0)
    measured = AwakeTime(time)
    for time.time in (104.0, 109.0, 28_909.0, 28_912.0):
        measured.seconds()
    assert measured.seconds() == 4.0 + 5.0 + awake.LONGEST_GAP + 3.0


class Ahead(Clock):
    """The loop's time, and what the computer slept."""

    slept = 0.0

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time() + self.slept


async def test_a_limit_outlives_a_sleep_and_ends_what_takes_its_time_awake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(awake, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(awake, "LONGEST_GAP", 0.05)
    time = Ahead()
    async with awake_timeout(10.0, time):
        time.slept = 28_800.0
        await asyncio.sleep(0.03)
    with pytest.raises(TimeoutError):
        async with awake_timeout(0.02, time):
            await asyncio.sleep(30)


async def test_a_tool_is_not_timed_out_by_a_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(awake, "LOOK_SECONDS", 0.01)
    monotonic, slept = CLOCK.monotonic, 0.0
    monkeypatch.setattr(Clock, "monotonic", lambda _clock: monotonic() + slept)

    async def work() -> str:
        nonlocal slept
        slept = 28_800.0
        await asyncio.sleep(0.03)
        return "done"

    assert await detached.within(work(), 60.0, grace=1.0) == "done"
