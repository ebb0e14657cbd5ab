"""A hole in a stream is never hidden: no message is whole, and no call can be run, after an event nobody can read.

What is a hole is found by a reading of its own (`tests/rigs/holes.py`). 200 here with a fixed seed, 20,000 under
`soak`; the same over a real connection, as whole runs, stands in `tests/agent/test_damaged.py`.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.rigs.holes import Holed, holed
from tests.rigs.replay import is_event_stream, own_streams, replay

GOOD = [
    data
    for _, data, expected in own_streams(Path(__file__).resolve().parents[1] / "data" / "streams")
    if is_event_stream(data) and "error" not in expected
]


def hidden(streams: list[Holed], seed: int) -> list[str]:
    """Of these, the holes that nobody was told of, and the streams without one that were not believed."""
    chance, wrong = random.Random(seed), []
    for stream in streams:
        outcome = replay(stream.data, chance.choice([1, 7, 4096]))
        if stream.has_hole and outcome.finished is not None:
            wrong.append(f"hidden ({stream.how}): {stream.data[:300]!r}")
        if not stream.how and outcome.finished is None:
            wrong.append(f"noise taken for damage: {outcome.error!r} {stream.data[:300]!r}")
    return wrong


def test_no_hole_is_hidden_and_no_noise_is_a_hole() -> None:
    streams = list(holed(GOOD, 200, seed=38))
    assert 100 < sum(stream.has_hole for stream in streams) < 190
    assert hidden(streams, 38) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_hole_of_twenty_thousand_is_hidden() -> None:
    assert hidden(list(holed(GOOD, 20_000, seed=3_800)), 39) == []
