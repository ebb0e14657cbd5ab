"""How much of what a person saw is lost when the window is killed: `python -m tests.rigs.kill_lag KILLS`.

The child is the whole window: an answer streams into it and somebody types. Every few milliseconds it tells how much
of both is on the screen and how late it was itself. It is killed at any moment; what the screen had shown longest
ago and the disk has not is the loss, in seconds.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.compose import build
from app.core.run.events import Token

ROOT = Path(__file__).resolve().parents[2]
BEAT = 0.01
_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class Loss:
    """Seconds. `stall`: the longest the child itself stood still meanwhile, which no program can help."""

    answer: float
    draft: float
    stall: float


async def work(folder: Path) -> None:
    from PySide6.QtTest import QTest

    import app.main

    script = folder / "script.json"
    turn = {"chunks": [f"word{n} " for n in range(_WORDS)], "delay": 0.005}
    script.write_text(json.dumps({"turns": [turn]}))
    os.environ["TRIPTYCH_MODEL"] = f"script/{script}"
    application = app.main.build(["--data-dir", str(folder / "data")])
    window: Any = application.window
    window.resize(1280, 820)
    window.show()
    await application.ready()
    desk: Any = application._desk
    window.modes.set_mode("direct")
    await desk.questions.send("tell me", typed=False)
    window.composer.focus()
    typed, last = 0, time.monotonic()
    while True:
        now = time.monotonic()
        shown = sum(len(text) for text in desk.answers())
        if typed < shown // 10:
            QTest.keyClicks(window.composer.field, "abcde "[typed % 6])
            typed += 1
        told = f"{now:.4f} {now - last - BEAT:.4f} {shown} {len(window.composer.text())}\n"
        last = now
        os.write(1, told.encode())
        await asyncio.sleep(BEAT)


def killed(folder: Path, after: float) -> Loss:
    """`after`: seconds from the first word on the screen."""
    folder.mkdir()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT), "TRIPTYCH_OFFLINE": "1"}
    command = [sys.executable, "-m", "tests.rigs.kill_lag", "--child", str(folder)]
    child = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    lines, began = [], 0.0
    for line in child.stdout:
        lines.append(line)
        if not began and int(line.split()[2]) and int(line.split()[3]):
            began = time.monotonic()
        if began and time.monotonic() - began > after:
            break
    child.kill()
    rest, _none = child.communicate(timeout=60)
    lines += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    told = [(float(at), float(late), int(shown), int(typed)) for at, late, shown, typed in map(str.split, lines)]
    assert began, "the window never showed anything"
    end = told[-1][0]
    answer, draft = asyncio.run(_on_disk(folder / "data"))
    lost_answer = next((end - at for at, _, shown, _ in told if shown > answer), 0.0)
    lost_draft = next((end - at for at, _, _, typed in told if typed > draft), 0.0)
    return Loss(lost_answer, lost_draft, max(late for at, late, _, _ in told if at > end - after))


async def _on_disk(data: Path) -> tuple[int, int]:
    services = build(data, {})
    await services.open()
    try:
        (row,) = await services.sessions.rows()
        runs = await services.database.read(lambda cursor: cursor.execute("SELECT id FROM run").fetchall())
        lines = await services.runs.events(str(runs[0][0])) if runs else []
        return sum(len(line.event.text) for line in lines if isinstance(line.event, Token)), len(row.draft)
    finally:
        await services.close()


def _child(folder: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from app.ui.application.loop import TriptychLoop

    application = QApplication([sys.argv[0], "-style", "fusion"])
    loop = TriptychLoop(application)
    asyncio.set_event_loop(loop)
    loop.run_until_complete(work(folder))


def main() -> None:
    if sys.argv[1] == "--child":
        _child(Path(sys.argv[2]))
        return
    chance = random.Random()
    with tempfile.TemporaryDirectory() as folder:
        losses = [killed(Path(folder) / str(n), chance.uniform(0.5, 3.0)) for n in range(int(sys.argv[1]))]
    for name in ("answer", "draft", "stall"):
        figures = sorted(getattr(loss, name) for loss in losses)
        print(name, "worst", round(figures[-1], 3), "median", round(figures[len(figures) // 2], 3))


if __name__ == "__main__":
    main()
