"""What others say, on a real terminal: seen, not obeyed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Triptych
from tests.cli.test_run import script
from tests.fakes import call, says

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "\x1b[2J\x1b]0;x\x07\b\b\rAllowed\x9b31m"
OBEYED = "\x1b\x07\b\r\x9b"


IN_TURN = """
import json, sys
from app.__main__ import main
for argv in json.loads(sys.argv[1]):
    if code := main(argv):
        sys.exit(code)
    print("=" * 40)
"""


def on_a_terminal(*calls: list[str]) -> list[str]:
    """All that reached the screen of each call; the calls are made in turn, in one process."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", IN_TURN, json.dumps(calls)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"}  # no colours of our own
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 65_536):
            said += piece
    except OSError:
        pass  # the other end is closed: that is how a terminal says that all is said
    finally:
        os.close(ours)
    assert process.wait(60) == 0, said
    screens = said.decode().replace("\r\n", "\n").split("=" * 40 + "\n")[:-1]
    assert len(screens) == len(calls)
    return screens


def test_T08_what_is_said_on_a_terminal_cannot_command_it(triptych: Triptych) -> None:
    ref = script("h.json", call("calculator", expression=HOSTILE), says(HOSTILE))
    screens = on_a_terminal(["run", "--model", ref, "--mode", "react", "x"])
    (row,) = triptych("sessions", "list", "--json").json
    screens += on_a_terminal(
        ["sessions", "show", row["id"]],
        ["sessions", "search", "Allowed"],
        ["sessions", "export", row["id"], "--format", "md"],
    )
    for shown in screens:
        assert "Allowed" in shown
        assert not set(shown) & set(OBEYED)


def test_in_a_pipe_every_byte_stays_as_it_was(triptych: Triptych) -> None:
    ref = script("h.json", says(HOSTILE))
    assert HOSTILE in triptych("run", "--model", ref, "--mode", "direct", "x").out


def test_T08_one_event_is_one_line_whatever_it_says(triptych: Triptych) -> None:
    ref = script("h.json", says(HOSTILE + "\n\u2028\u2029\x85\n"))
    said = triptych("run", "--events", "--model", ref, "--mode", "direct", "x")
    lines = said.out.split("\n")[:-1]
    assert [json.loads(line)["seq"] for line in lines] == list(range(len(lines)))
    assert not {"\x1b", "\b", "\r", "\x07"} & set(said.out)
