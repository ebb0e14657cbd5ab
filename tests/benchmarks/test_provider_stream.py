"""The smoke alarm of P3 and P4: the short form, with twice the goal, because test machines are busy."""

from __future__ import annotations

import pytest

from tests.benchmarks.provider_stream import measure
from tests.floor import alarm


@pytest.mark.parametrize("which", ["p3", "p4"])
def test_reading_and_sending_stay_cheap(which: str) -> None:
    alarm(lambda: measure(which, short=True), lambda figures: all(one.ratio <= 2 * one.goal for one in figures))
