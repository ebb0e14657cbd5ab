"""R01, R13: the window is killed while an answer streams and somebody types; what was seen is on the disk, all but its
last half second."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from tests.rigs.kill_lag import killed

MOST = 0.5
"""Seconds; what the child itself stood still for, on a busy machine, comes on top."""

needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no way to kill a process on this system")


def _assert_little_is_lost(folder: Path, kills: int) -> None:
    chance = random.Random(kills)
    losses = [killed(folder / str(n), chance.uniform(0.5, 3.0)) for n in range(kills)]
    too_much = [loss for loss in losses if max(loss.answer, loss.draft) > MOST + 2 * loss.stall]
    assert not too_much, too_much


@needs_kill
def test_R01_a_killed_window_has_lost_no_more_than_a_moment(tmp_path: Path) -> None:
    _assert_little_is_lost(tmp_path, 1)


@needs_kill
@pytest.mark.soak
@pytest.mark.timeout(0)
def test_R01_a_window_killed_at_two_hundred_moments(tmp_path: Path) -> None:
    _assert_little_is_lost(tmp_path, 200)
