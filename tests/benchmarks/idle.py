"""P12 of the quality page: what the window costs while nobody does anything.

    python -m tests.benchmarks.idle p12 [--json] [--short]

The processor over 30 s once everything is loaded (at most 0.2 % of a core, a bare window beside it), and
the memory after the start against a window with qasync and openai imported (at most 1.3 times).
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks.program import figure
from tests.benchmarks.start import fill, run

SECONDS, SHORT_SECONDS = 30.0, 5.0
GOAL_PERCENT, GOAL_MEMORY = 0.2, 1.3
_SETTLE = 12.0
"""Seconds until all is loaded and the caret rests."""

_MEASURE = """
import json, os, time
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
def rest(seconds, settle, done):
    def begin():
        memory, cpu, at = resident(), time.process_time(), time.perf_counter()
        def end():
            spent = (time.process_time() - cpu) / (time.perf_counter() - at) * 100
            print(json.dumps({"percent": spent, "memory": memory})); done()
        QTimer.singleShot(int(seconds * 1000), end)
    QTimer.singleShot(int(settle * 1000), begin)
"""

FLOOR = (
    """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QTextBrowser
app = QApplication([])
import asyncio, qasync, openai
openai.AsyncOpenAI(api_key="x").chat.completions
window = QMainWindow(); window.setCentralWidget(QTextBrowser()); window.resize(1280, 820); window.show()
"""
    + _MEASURE
    + """
rest(float(sys.argv[1]), float(sys.argv[2]), app.quit)
app.exec()
"""
)

OURS = (
    """
import sys
from app.main import build
application = build(["--data-dir", sys.argv[3]])
from PySide6.QtCore import QTimer
"""
    + _MEASURE
    + """
rest(float(sys.argv[1]), float(sys.argv[2]), application.window.close)
application.run()
"""
)


def measure(_name: str, *, short: bool = False) -> dict[str, Any]:
    seconds, pairs = (SHORT_SECONDS, 1) if short else (SECONDS, 3)
    floors, ours = [], []
    with tempfile.TemporaryDirectory(prefix="triptych-p12-") as folder:
        asyncio.run(fill(Path(folder)))
        run(OURS, "0.1", "3", folder)  # the first start makes what later ones find
        # Both rest at the same time: neither has anything to do that the other could disturb.
        with ThreadPoolExecutor(1) as beside:
            for _pair in range(pairs):
                floor = beside.submit(run, FLOOR, str(seconds), str(_SETTLE))
                ours.append(json.loads(run(OURS, str(seconds), str(_SETTLE), folder)))
                floors.append(json.loads(floor.result()))
    percent, memory = (statistics.median(one[key] for one in ours) for key in ("percent", "memory"))
    floor_percent, floor_memory = (statistics.median(one[key] for one in floors) for key in ("percent", "memory"))
    ratio = memory / floor_memory
    return {
        "name": "P12",
        "ours": round(memory, 1),
        "floor": round(floor_memory, 1),
        "ratio": round(ratio, 3),
        "goal": GOAL_MEMORY,
        "ok": ratio <= GOAL_MEMORY and percent <= GOAL_PERCENT,
        "idle_percent": round(percent, 3),
        "idle_floor": round(floor_percent, 3),
        "idle_goal": GOAL_PERCENT,
    }


def main() -> int:
    return figure(__doc__, ["p12"], lambda name, short: measure(name, short=short))


if __name__ == "__main__":
    raise SystemExit(main())
