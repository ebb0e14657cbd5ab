"""The clock of a run stands still while the person is waited for, whoever waits and however often."""

from __future__ import annotations

from app.agent.inbox import RunClock


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_two_questions_at_once_stop_it_until_both_are_answered() -> None:
    time = Time()
    clock = RunClock(time)
    time.now = 1.0
    clock.stop()
    clock.stop()
    time.now = 5.0
    clock.go_on()
    time.now = 10.0
    assert clock.working() == 1.0
    clock.go_on()
    time.now = 12.0
    assert (clock.working(), clock.elapsed()) == (3.0, 12.0)
    clock.go_on()
    assert clock.working() == 3.0


def test_a_run_inside_another_stops_its_clock_too() -> None:
    time = Time()
    outer = RunClock(time)
    inner = RunClock(time, outer=outer)
    inner.stop()
    time.now = 7.0
    inner.go_on()
    time.now = 8.0
    assert (outer.working(), inner.working()) == (1.0, 1.0)
