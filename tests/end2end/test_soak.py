"""The whole program for hours: it holds at the end what it held at the beginning, and has lost nothing.

`TRIPTYCH_SOAK_HOURS=24 make soak ARGS="tests/end2end/test_soak.py"`; without it some minutes.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from app.compose import build

# Read when the file is: no test sees the variables of a developer.
HOURS = float(os.environ.get("TRIPTYCH_SOAK_HOURS") or 0.05)
ROOT = Path(__file__).resolve().parents[2]
SILENCE = 600.0
"""Seconds without a lap after which it counts as hung."""


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process holds is read from /proc")
def test_R34_at_work_for_hours_it_holds_no_more_and_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    with (tmp_path / "log").open("wb") as log:
        laps, stored = _soaked(tmp_path, log)
    warm = laps[len(laps) // 5 :]
    assert len(warm) >= 10, "too few laps to tell"
    first, last = warm[: len(warm) // 3], warm[-(len(warm) // 3) :]
    drift = {name: _middle(last, name) - _middle(first, name) for name in ("megabytes", "files", "threads")}
    assert drift["megabytes"] <= 50, (drift, laps[0], laps[-1])
    assert abs(drift["files"]) <= 5, (drift, laps[0], laps[-1])
    assert abs(drift["threads"]) < 1, (drift, laps[0], laps[-1])
    assert (tmp_path / "log").stat().st_size <= 20_000_000
    assert list((tmp_path / "tmp").iterdir()) == [], "nothing is left where temporary files are"
    asyncio.run(_nothing_is_lost(tmp_path / "data", stored))


def _soaked(folder: Path, log: Any) -> tuple[list[dict[str, float]], dict[str, int]]:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(folder / "tmp"),
        "TRIPTYCH_OFFLINE": "1",
    }
    command = [sys.executable, "-m", "tests.rigs.soak_window", str(folder), str(HOURS)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    lines: list[dict[str, Any]] = []
    watchdog = threading.Timer(SILENCE, process.kill)
    watchdog.start()
    with process.stdout, (folder / "laps").open("w") as laps:
        for line in process.stdout:
            watchdog.cancel()
            watchdog = threading.Timer(SILENCE, process.kill)
            watchdog.start()
            laps.write(line)
            if line.startswith("{"):
                lines.append(json.loads(line))
    code = process.wait()
    watchdog.cancel()
    assert code == 0, (folder / "log").read_text("utf-8", "replace")[-3_000:]
    return lines[:-1], lines[-1]["stored"]


def _middle(laps: list[dict[str, float]], name: str) -> float:
    return statistics.median(lap[name] for lap in laps)


async def _nothing_is_lost(data: Path, stored: dict[str, int]) -> None:
    services = build(data, {})
    await services.open()
    try:
        assert await services.checks.verify() == []
        found = {id: len(await services.sessions.messages(id)) for id in stored}
        assert found == stored
        assert {row.id for row in await services.sessions.rows()} == set(stored)
        states = "SELECT DISTINCT state FROM message UNION SELECT DISTINCT state FROM run"
        assert await services.database.read(lambda cursor: cursor.execute(states).fetchall()) == [("complete",)]
    finally:
        await services.close()
