"""The smoke alarm of the window's figures: the short forms, with twice the goal, because test machines are busy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli.bench import FIGURES
from tests.floor import alarm, slowness

ROOT = Path(__file__).resolve().parents[2]
OF_THE_WINDOW = {"P5", "P6", "P7", "P9", "P12", "P13", "P14"}


def measured(name: str) -> dict[str, Any]:
    """In a process of its own, as `triptych bench` does it."""
    figure = next(one for one in FIGURES if one.name == name)
    command = [sys.executable, "-m", figure.program, name.lower(), "--json", "--short"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=280, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert lines, done.stderr
    result: dict[str, Any] = json.loads(lines[-1])
    return result


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "name", [pytest.param("P5", marks=pytest.mark.soak), pytest.param("P6", marks=pytest.mark.soak), "P9", "P14"]
)
def test_a_ratio_stays_within_twice_its_goal(name: str) -> None:
    wide = 2 * (slowness() if name == "P14" else 1)  # the floor of P14 is a number of milliseconds
    alarm(lambda: measured(name), lambda result: result["ratio"] <= wide * result["goal"])


@pytest.mark.timeout(900)
def test_P7_no_beat_is_late_while_text_comes() -> None:
    slow = slowness()
    # Where the usual 4 ms of a flush take 16, every beat is late, and only the longest tells anything.
    most = 2 if slow < 2 else float("inf")
    alarm(lambda: measured("P7"), lambda result: result["ours"] <= most and result["full_speed_ms"] <= 100 * slow)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_P13_a_step_of_the_wheel_takes_less_than_two_frames() -> None:
    wide = 2 * slowness()
    alarm(lambda: measured("P13"), lambda result: result["ours"] <= wide * result["goal"])


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_P12_the_window_rests_when_nobody_does_anything() -> None:
    def rests(result: dict[str, Any]) -> bool:
        most = max(2 * result["idle_goal"], 3 * result["idle_floor"])
        return bool(result["ratio"] <= 2 * result["goal"] and result["idle_percent"] <= most)

    alarm(lambda: measured("P12"), rests)


def test_every_figure_of_the_window_is_measured_by_the_bench() -> None:
    assert {figure.name for figure in FIGURES} >= OF_THE_WINDOW
