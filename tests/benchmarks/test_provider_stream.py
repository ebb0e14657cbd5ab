"""The smoke alarm of P3 and P4: the short form, with twice the goal, because test machines are busy."""

from __future__ import annotations

import pytest

from tests.benchmarks.provider_stream import measure


@pytest.mark.parametrize("which", ["p3", "p4"])
def test_reading_and_sending_stay_cheap(which: str) -> None:
    for figure in measure(which, short=True):
        assert figure.ratio <= 2 * figure.goal, figure
