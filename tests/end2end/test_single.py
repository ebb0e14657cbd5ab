"""Real processes: a second start raises the first one's window and goes, whatever state the first is in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

import app.main
from app.main import is_open_already
from app.storage.folder.instance_lock import InstanceLock

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 4

WINDOW = """
import sys
import app.main
app.main._PATIENCE = 120  # whoever is busy is waited for: this machine may be a slow one
from app.cli.parser import parse
from app.ui.main_window.session_list.navigator import Navigator
from app.ui.main_window.window import MainWindow

def tell(kind, name, word):
    plain = getattr(kind, name)
    def told(self, *given):
        print(word, *given, flush=True)
        return plain(self, *given)
    setattr(kind, name, told)

tell(MainWindow, "set_ready", "ready")
tell(MainWindow, "come_forward", "raised")
plain = Navigator.visit

async def visit(self, session, agent):
    await plain(self, session, agent)
    print("shows", self._open_session.id or "new", self._view.choices.agent, self._notice.text(), flush=True)

Navigator.visit = visit
sys.exit(app.main.open_window(parse(sys.argv[1:])))
"""

ENTRY = """
import runpy
import app.main
app.main._PATIENCE = 120
runpy.run_module("app", run_name="__main__", alter_sys=True)
"""


class Starts:
    """Starts of the program that share a data folder; what is left of them ends with the test."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": str(ROOT),
            "TRIPTYCH_LANG": "en",
            "XDG_RUNTIME_DIR": str(folder),
            "TMP": str(folder),  # where Windows keeps what is short-lived
        }
        self.alive: list[subprocess.Popen[str]] = []

    def window(self, *more: str) -> subprocess.Popen[str]:
        started = subprocess.Popen(
            [sys.executable, "-c", WINDOW, "--data-dir", str(self.data), *more],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment,
        )
        self.alive.append(started)
        return started

    def again(self, *more: str) -> float:
        """A further start by the real entry; the seconds it took."""
        return self._timed("-c", ENTRY, "--data-dir", str(self.data), *more)

    def bare(self) -> float:
        """The seconds a start takes that does nothing but load what the telephone needs."""
        return self._timed("-c", "import argparse, PySide6.QtNetwork")

    def _timed(self, *arguments: str) -> float:
        command = [sys.executable, *arguments]
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, timeout=240, check=False, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        return time.monotonic() - began

    def end(self) -> None:
        for one in self.alive:
            one.kill()
            one.wait()
            out(one).close()


def out(window: subprocess.Popen[str]) -> IO[str]:
    assert window.stdout is not None
    return window.stdout


@pytest.fixture
def starts() -> Iterator[Starts]:
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket must be short
        starts = Starts(Path(folder))
        yield starts
        starts.end()


def test_R16_a_second_start_raises_the_first_window_and_goes(starts: Starts) -> None:
    first = starts.window()
    assert out(first).readline() == "ready\n"
    rings, floors = zip(*((starts.again(), starts.bare()) for _ in range(2)), strict=True)
    assert min(rings) < 8 * min(floors), "a second and less on a machine that does nothing else"
    assert [out(first).readline() for _ in range(2)] == ["raised\n"] * 2
    starts.again("--agent", "travel")
    assert [out(first).readline() for _ in range(2)] == ["raised\n", "shows new travel \n"]
    starts.again("--session", "01ARZ3NDEKTSV4RRFFQ69G5FAV")
    assert out(first).readline() == "raised\n"
    assert out(first).readline().startswith("shows new travel "), "what is open stays open"
    first.terminate()
    assert first.wait(240) == 0
    assert not [path for path in starts.data.parent.rglob("*") if path.is_socket()]


def test_R16_a_start_after_a_killed_window_opens_one(starts: Starts) -> None:
    first = starts.window()
    assert out(first).readline() == "ready\n"
    first.kill()
    first.wait()
    second = starts.window()
    assert out(second).readline() == "ready\n"
    starts.again()
    assert out(second).readline() == "raised\n"


def many_at_once(starts: Starts, number: int) -> None:
    windows = [starts.window() for _ in range(number)]
    end = time.monotonic() + 300
    while len(left := [one for one in windows if one.poll() is None]) > 1 and time.monotonic() < end:
        time.sleep(0.05)
    assert len(left) == 1
    assert [one.returncode for one in windows if one is not left[0]] == [0] * (number - 1)
    left[0].terminate()
    said = out(left[0]).read()
    assert said.count("raised") == number - 1


def test_R16_of_many_starts_at_once_one_has_the_window(starts: Starts) -> None:
    many_at_once(starts, AT_ONCE)


@pytest.mark.soak
def test_R16_of_twenty_starts_at_once_one_has_the_window(starts: Starts) -> None:
    for _round in range(5):
        many_at_once(starts, 20)


def test_R16_who_does_not_answer_is_waited_for_and_then_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(app.main, "_PATIENCE", 0.2)
    mute, claim = InstanceLock(tmp_path), InstanceLock(tmp_path)
    mute.take()
    assert not is_open_already(claim, "", "")
    assert claim.take() == "another"
    mute.release()


def test_R16_who_is_saying_goodbye_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    leaving, claim = InstanceLock(tmp_path), InstanceLock(tmp_path)
    leaving.take()
    threading.Timer(0.2, leaving.release).start()
    assert not is_open_already(claim, "", "")
    assert claim.take() == "us"
    claim.release()


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system by /proc")
def test_T35_the_window_listens_to_no_network(starts: Starts) -> None:
    first = starts.window()
    assert out(first).readline() == "ready\n"
    starts.again()
    assert out(first).readline() == "raised\n"
    own = {str(fd.readlink()) for fd in Path(f"/proc/{first.pid}/fd").iterdir() if fd.is_symlink()}
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        table = Path(f"/proc/{first.pid}/net/{kind}")
        rows = table.read_text("ascii").splitlines()[1:] if table.exists() else []
        assert not [row for row in rows if f"socket:[{row.split()[9]}]" in own]
    first.send_signal(signal.SIGTERM)
    assert first.wait(240) == 0
