"""A crash leaves no image of the memory behind: the key of a provider stands in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CRASH = """
import ctypes, os, resource, sys
import app.entry
hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

def crash(*_args):
    dumpable = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) if sys.platform == "linux" else 0
    print(resource.getrlimit(resource.RLIMIT_CORE), dumpable, flush=True)
    os.abort()

import app.cli.start, app.main
app.cli.start.execute = app.main.open_window = crash
sys.exit(app.entry.main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no core dumps")
@pytest.mark.parametrize("arguments", [["doctor"], []], ids=["command", "window"])
def test_a_crash_of_the_program_dumps_no_memory(tmp_path: Path, arguments: list[str]) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", CRASH, *arguments],
        cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode < 0, done.stderr
    assert done.stdout.split("\n")[0] == "(0, 0) 0"
    assert list(tmp_path.iterdir()) == []
