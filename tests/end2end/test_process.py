"""The whole process: it starts, and it always ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
"""Seconds after which a process counts as hung."""

HUNG = """
import asyncio, sys, time
import app.ui.application.app
from app.main import build
app.ui.application.app.GOODBYE_SECONDS = 0.5
application = build(["--data-dir", sys.argv[1]])

async def hang(desk):
    asyncio.get_running_loop().run_in_executor(None, time.sleep, 600)
    async def stubborn():
        while True:
            try:
                await asyncio.sleep(600)
            except asyncio.CancelledError:
                pass
    application._tasks.spawn(stubborn())
    application.services.database.close = lambda: asyncio.sleep(600)
    application.window.close()

application.when_ready(hang)
sys.exit(application.run())
"""

EARLY = """
import sys
from app.main import build
application = build(["--data-dir", sys.argv[1]])
application.window.painted.connect(application.window.close)
sys.exit(application.run())
"""

INTERRUPTED = """
import os, signal, sys
from app.main import build
application = build(["--data-dir", sys.argv[1]])

async def interrupt(desk):
    os.kill(os.getpid(), signal.SIGINT)

application.when_ready(interrupt)
sys.exit(application.run())
"""

BROKEN = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from app.services.data.first_look import FirstLook
from app.ui.application import Application

def start():
    raise OSError("the disk is gone")

application = Application(FirstLook(Path(sys.argv[1]), language="en"), start)

def look():
    if "the disk is gone" in application.window.notice.text():
        application.window.close()

timer = QTimer()
timer.timeout.connect(look)
timer.start(20)
sys.exit(application.run())
"""


def run(script: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, str(folder), *more],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=ROOT,
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": str(ROOT),
            "TRIPTYCH_LANG": "en",
            "XDG_RUNTIME_DIR": str(folder),
        },
    )


def test_R36_it_ends_whatever_hangs(tmp_path: Path) -> None:
    done = run(HUNG, tmp_path)
    assert done.returncode == 0, done.stderr


def test_R36_it_ends_when_the_window_is_closed_before_anything_is_ready(tmp_path: Path) -> None:
    done = run(EARLY, tmp_path)
    assert done.returncode == 0, done.stderr


def test_services_that_cannot_start_are_told_in_the_window(tmp_path: Path) -> None:
    done = run(BROKEN, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signals to send on this system")
def test_ctrl_c_in_the_terminal_is_an_orderly_goodbye(tmp_path: Path) -> None:
    done = run(INTERRUPTED, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


CRASH = """
import os, sys
from app.cli.parser import parse
from app.main import open_window
from app.ui.main_window.window import MainWindow
MainWindow.show = lambda self: os._exit(9)
open_window(parse(["--data-dir", sys.argv[1]]))
"""

LOOK = """
import sys
from app.cli.parser import parse
import app.main
from app.ui.application import Application

def look(application):
    async def then(desk):
        print(application._first.safe_mode or "plain", "|", application.window.notice.text())
        application.window.close()
    application.when_ready(then)

plain = Application.run
Application.run = lambda self: (look(self), plain(self))[1]
app.main.open_window(parse(["--data-dir", sys.argv[1], *sys.argv[2:]]))
"""


def test_R14_after_two_crashes_at_the_start_the_third_start_is_a_careful_one(tmp_path: Path) -> None:
    assert [run(CRASH, tmp_path).returncode for _ in range(2)] == [9, 9]
    careful = run(LOOK, tmp_path)
    assert careful.stdout.startswith("failed | Triptych ended unexpectedly twice while it started."), careful.stderr
    assert run(LOOK, tmp_path).stdout.startswith("plain |"), "an orderly end counts as a good start"


def test_R14_safe_mode_can_be_asked_for(tmp_path: Path) -> None:
    done = run(LOOK, tmp_path, "--safe-mode")
    assert done.stdout.startswith("asked | Safe mode: plug-ins and MCP servers are not loaded"), done.stderr


@pytest.mark.soak
def test_a_start_says_what_took_its_time_and_ends(tmp_path: Path) -> None:
    script = "import sys; from app.entry import main; sys.exit(main(['--trace-start', '--data-dir', sys.argv[1]]))"
    done = run(script, tmp_path)
    assert done.returncode == 0, done.stderr
    moments = [line.partition(" ms  ")[2] for line in done.stdout.splitlines() if " ms  " in line]
    wanted = [
        "Qt started",
        "window made",
        "first paint",
        "services built, in a thread",
        "ready to send",
        "the whole start",
    ]
    assert [one for one in moments if one in wanted] == wanted
    assert any(one.startswith("app.ui.main_window (") for one in moments)
