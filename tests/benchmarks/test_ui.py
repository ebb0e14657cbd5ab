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

_EACH = """
import importlib, json, sys
for name, program in zip(sys.argv[1::2], sys.argv[2::2]):
    print(json.dumps(importlib.import_module(program).measure(name, short=True)), flush=True)
"""


def measured(*names: str) -> list[dict[str, Any]]:
    """The short forms one after the other, in a process of their own."""
    programs = {figure.name: figure.program for figure in FIGURES}
    wanted = [part for name in names for part in (name.lower(), programs[name])]
    command = [sys.executable, "-c", _EACH, *wanted]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=280, check=False)
    results = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(results) == len(names), done.stderr
    return results


def test_the_window_answers_and_opens_within_twice_its_goals() -> None:
    """P9, P14 and P7; what was well once is not measured again."""
    left = ["P9", "P14", "P7"]

    def measure_left() -> list[dict[str, Any]]:
        results = measured(*left)
        left[:] = [result["name"] for result in results if not is_well(result)]
        return results

    def is_well(result: dict[str, Any]) -> bool:
        if result["name"] == "P9":
            return bool(result["ratio"] <= 2 * result["goal"])
        slow = slowness()  # the other goals are a number of milliseconds
        if result["name"] == "P14":
            return bool(result["ratio"] <= 2 * slow * result["goal"])
        # Where the usual 4 ms of a flush take 16, every beat is late, and only the longest tells anything.
        most = 2 if slow < 2 else float("inf")
        return bool(result["ours"] <= most and result["full_speed_ms"] <= 100 * slow)

    alarm(measure_left, lambda _: not left)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["P5", "P6"])
def test_a_token_costs_within_twice_its_goal(name: str) -> None:
    alarm(lambda: measured(name)[0], lambda result: result["ratio"] <= 2 * result["goal"])


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_P13_a_step_of_the_wheel_takes_less_than_two_frames() -> None:
    wide = 2 * slowness()
    alarm(lambda: measured("P13")[0], lambda result: result["ours"] <= wide * result["goal"])


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_P12_the_window_rests_when_nobody_does_anything() -> None:
    def rests(result: dict[str, Any]) -> bool:
        most = max(2 * result["idle_goal"], 3 * result["idle_floor"])
        return bool(result["ratio"] <= 2 * result["goal"] and result["idle_percent"] <= most)

    alarm(lambda: measured("P12")[0], rests)


def test_every_figure_of_the_window_is_measured_by_the_bench() -> None:
    assert {figure.name for figure in FIGURES} >= OF_THE_WINDOW
