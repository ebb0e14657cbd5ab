"""`python -m app` as a process of its own: what a shell, a pipe and Ctrl+C see."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopError
from tests.grammar import check_grammar

ROOT = Path(__file__).resolve().parents[2]
ASKED = "你好，帮我规划北京三日游"


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "TRIPTYCH_"))}
    return {**kept, "TRIPTYCH_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT), **more}


def triptych(tmp_path: Path, *argv: str, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "app", *argv],
        input=stdin, capture_output=True, cwd=tmp_path, env=environment(tmp_path, **environ), timeout=240, check=False,
    )  # fmt: skip


def events(out: bytes) -> list[Stamped]:
    lines = [Stamped.from_json(json.loads(line)) for line in out.decode("utf-8").splitlines()]
    check_grammar(lines)
    return lines


def write_script(tmp_path: Path, *turns: dict[str, Any]) -> str:
    (tmp_path / "scripts").mkdir(exist_ok=True)
    (tmp_path / "scripts" / "s.json").write_text(json.dumps({"turns": list(turns)}), encoding="utf-8")
    return "script/scripts/s.json"


WITHOUT_QT = """
import sys
from app.__main__ import main
code = main(sys.argv[1:])
print([m for m in sys.modules if m.split('.')[0] in ('PySide6', 'shiboken6', 'qasync', 'openai')], file=sys.stderr)
sys.exit(code)
"""


def test_a_question_through_a_pipe_is_answered_offline_in_utf8_without_qt_or_the_model_sdk(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", WITHOUT_QT, "run", "--agent", "travel", "--events", "-"],
        input=ASKED.encode(), capture_output=True, cwd=tmp_path, timeout=240, check=False,
        env=environment(tmp_path, TRIPTYCH_OFFLINE="1", PYTHONIOENCODING="latin-1", LC_ALL="C"),
    )  # fmt: skip
    assert said.returncode == 0, said.stderr.decode()
    lines = events(said.stdout)
    end = lines[-1].event
    assert isinstance(end, LoopEnd)
    assert "北京" in end.answer
    assert lines[0].event.query == ASKED  # type: ignore[union-attr]
    assert said.stderr.decode().splitlines()[-1] == "[]"


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are no bytes there")
def test_a_question_is_utf8_whatever_the_locale_claims(tmp_path: Path) -> None:
    ref = write_script(tmp_path, {"content": "好"})
    said = triptych(
        tmp_path, "run", "--events", "--mode", "direct", "--model", ref, "你好",
        LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr.decode()
    assert events(said.stdout)[0].event.query == "你好"  # type: ignore[union-attr]


def test_bad_arguments_leave_by_code_two(tmp_path: Path) -> None:
    said = triptych(tmp_path, "run", "--agent", "travell", "x")
    assert said.returncode == 2
    assert b"did you mean travel" in said.stderr
    assert b"Traceback" not in said.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_stops_the_run_keeps_the_text_and_leaves_by_code_four(tmp_path: Path) -> None:
    ref = write_script(tmp_path, {"content": "word after word " * 500, "delay": 0.05})
    signals = ("SIGINT", "SIGTERM", "SIGHUP")
    processes = {
        name: subprocess.Popen(
            [sys.executable, "-m", "app", "run", "--events", "--mode", "direct", "--model", ref, "talk"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(tmp_path),
        )
        for name in signals
    }  # fmt: skip
    ends = {}
    for name, process in processes.items():
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            begun = b""
            while b'"token"' not in begun:
                line = process.stdout.readline()
                assert line, (name, begun, process.stderr.read())
                begun += line
            process.send_signal(getattr(signal, name))
            rest, err = process.stdout.read(), process.stderr.read()
        assert process.returncode == 4, (name, err.decode())
        lines = events(begun + rest)
        end = lines[-1].event
        assert isinstance(end, LoopError)
        assert (end.reason, end.partial.startswith("word after")) == ("cancelled", True), name
        ends[lines[0].session] = end
    # The stored ones are read in this process: that `sessions show` prints them is the matter of tests/cli.
    stored = asyncio.run(answers(tmp_path / "data", list(ends)))
    assert len(stored) == len(signals)
    assert stored == {session: ("stopped", end.partial) for session, end in ends.items()}


async def answers(data: Path, sessions: list[str]) -> dict[str, tuple[str, str]]:
    """State and text of the answer of each session."""
    services = build(data, {})
    await services.open()
    found = dict[str, tuple[str, str]]()
    for session in sessions:
        answer = (await services.sessions.messages(session))[1]
        found[session] = (answer.state, answer.text)
    await services.close()
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="no head")
def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    ref = write_script(tmp_path, {"content": "line\n" * 20_000})
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "run", "--mode", "direct", "--model", ref, "talk"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(tmp_path),
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    told = process.stderr.read().decode()
    process.stderr.close()
    process.wait(timeout=240)
    assert "Traceback" not in told


AT_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""Its standard input becomes the terminal whose keys are signals, as that of a shell is."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="no shell, no terminal of this kind")


@posix
@pytest.mark.parametrize(
    ("end", "code", "told"),
    [
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        ("<&-", 2, "nothing to send"),
        pytest.param(
            ">/dev/full", 1, "the disk is full",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full"),
        ),
    ],
)  # fmt: skip
def test_a_stream_that_is_closed_or_full_is_no_traceback(tmp_path: Path, end: str, code: int, told: str) -> None:
    ref = write_script(tmp_path, {"content": "said"})
    asked = "-" if end == "<&-" else "talk"
    command = f"exec {sys.executable} -m app run --mode direct --model {ref} {asked} {end}"
    said = subprocess.run(
        ["sh", "-c", command],
        capture_output=True, cwd=tmp_path, env=environment(tmp_path), timeout=240, check=False,
    )  # fmt: skip
    assert said.returncode == code, said.stderr.decode()
    assert told in said.stderr.decode()
    assert "Traceback" not in said.stderr.decode()


@posix
@pytest.mark.parametrize(
    ("keys", "code", "told"),
    [(b"2\n", 0, "It is to be b."), (b"\x03", 4, "CANCELLED")],
    ids=["an answer", "ctrl c"],
)
def test_who_is_asked_at_a_terminal_answers_or_stops(tmp_path: Path, keys: bytes, code: int, told: str) -> None:
    question = {"name": "ask_user", "arguments": {"question": "Which one?", "options": ["a", "b"]}}
    ref = write_script(tmp_path, {"tool_calls": [question]}, {"content": "It is to be b."})
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL, "-m", "app", "run", "--mode", "react", "--model", ref, "talk"],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path, env=environment(tmp_path), start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while b"2. b" not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, keys)
    with suppress(OSError):  # the other side has gone
        while piece := os.read(ours, 4096):
            shown += piece
    assert process.wait(timeout=240) == code, shown.decode()
    os.close(ours)
    assert told in shown.decode()


@posix
def test_what_runs_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    ref = write_script(tmp_path, {"content": "word after word " * 20, "delay": 0.05})
    process = subprocess.Popen(
        ["sh", "-c", f"trap '' HUP; exec {sys.executable} -m app run --mode direct --model {ref} talk"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(tmp_path),
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        begun = process.stdout.read(4)
        process.send_signal(signal.SIGHUP)
        rest = process.stdout.read()
    assert process.returncode == 0
    assert (begun + rest).decode().count("word") == 40
