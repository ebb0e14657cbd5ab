"""The smoke alarm of P1: the short form, with twice the goal, because test machines are busy."""

from __future__ import annotations

from tests.benchmarks.run_overhead import measure
from tests.floor import alarm


def test_a_step_costs_no_more_than_one_written_by_hand() -> None:
    alarm(lambda: measure(short=True), lambda figure: figure.ratio <= 2 * figure.goal)
