"""The clock of a run stands still while the person is waited for, whoever waits and however often, and in a sleep."""

from __future__ import annotations

from app.agent.inbox import RunClock
from tests.fakes import FakeClock


def test_two_questions_at_once_stop_it_until_both_are_answered() -> None:
    time = FakeClock()
    clock = RunClock(time)
    time.time = 1.0
    clock.stop()
    clock.stop()
    time.time = 5.0
    clock.resume()
    time.time = 10.0
    assert clock.working() == 1.0
    clock.resume()
    time.time = 12.0
    assert (clock.working(), clock.elapsed()) == (3.0, 12.0)
    clock.resume()
    assert clock.working() == 3.0


def test_a_run_inside_another_stops_its_clock_too() -> None:
    time = FakeClock()
    outer = RunClock(time)
    inner = RunClock(time, outer=outer)
    inner.stop()
    time.time = 7.0
    inner.resume()
    time.time = 8.0
    assert (outer.working(), inner.working()) == (1.0, 1.0)


def test_a_night_asleep_is_no_working_time() -> None:
    time = FakeClock()
    clock = RunClock(time)
    for time.time in (5.0, 10.0, 28_810.0):
        clock.working()
    time.time = 28_815.0
    working = clock.working()
    assert working < 30.0
    clock.stop()
    time.time += 28_800.0
    clock.resume()
    assert clock.working() == working
    assert clock.elapsed() == time.time, "the times of events are those of the clock"
