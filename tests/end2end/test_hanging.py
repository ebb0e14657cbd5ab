"""A plug-in that hangs, leaves, or heeds nothing – in real processes: the run goes on, the process ends."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, ToolReturned
from tests.fakes import call, calls, says

from .test_command_line import ROOT, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for another process")
PATIENCE = 100
"""Seconds after which a process counts as hung."""


@pytest.fixture
def rude(tmp_path: Path) -> Path:
    return installed(tmp_path)


def installed(folder: Path) -> Path:
    """A folder with the plug-in installed in it."""
    site = folder / "site"
    info = site / "rude-1.dist-info"
    info.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("rude_plugin.py"), site / "rude_plugin.py")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rude\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[triptych.tools]\nrude = rude_plugin:TOOLS\n[triptych.hooks]\nrude = rude_plugin\n"
    )
    return site


def begin(site: Path, turns: Sequence[dict[str, Any]]) -> subprocess.Popen[bytes]:
    script = site.parent / "script.json"
    script.write_text(json.dumps({"turns": turns}), "utf-8")
    command = ["run", "--events", "--mode", "react", "--approve", "all", "--model", f"script/{script}"]
    command += ["--set", 'tools={"*":"allow"}', "--set", "enable_reflection=false", "go on"]
    env = environment(site.parent)
    env["PYTHONPATH"] = f"{ROOT}:{site}"
    return subprocess.Popen(
        [sys.executable, "-m", "app", *command],
        cwd=site.parent,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def until(what: Any) -> None:
    for _look in range(PATIENCE * 20):
        if what():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to that")


def ended(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return None
    finally:
        process.communicate()


HANGING = ["block_in_a_thread", "block_plainly", "block_in_a_coroutine", "heed_nothing", "kind"]


def test_one_signal_ends_the_command_line_whatever_a_tool_or_hook_does(tmp_path: Path) -> None:
    sites = {name: installed(tmp_path / name) for name in HANGING}
    turns = {name: call("kind", text="hook, hang") if name == "kind" else call(name) for name in HANGING}
    processes = {name: begin(site, [turns[name], says("never")]) for name, site in sites.items()}
    for name, process in processes.items():
        until((sites[name] / "reached").exists)
        process.send_signal(signal.SIGTERM)
    codes = {name: ended(process) for name, process in processes.items()}
    assert codes == dict.fromkeys(HANGING, 4)


def test_the_second_signal_ends_it_even_where_the_interpreter_is_held(rude: Path) -> None:
    process = begin(rude, [call("hold_the_interpreter"), says("never")])
    until((rude / "reached").exists)
    time.sleep(0.5)  # into the pattern: from here on no line of Python runs
    for _press in range(2):
        process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
    assert ended(process) in (4, -signal.SIGTERM)


def test_who_leaves_or_heeds_no_limit_fails_alone_and_the_run_is_answered(rude: Path) -> None:
    turns = [
        calls(("leave", {}), ("leave_later", {}), ("heed_no_limit", {})),
        calls(("kind", {"text": "hook, leave"}), ("kind", {"text": "leave behind it"}), ("kind", {"text": "good"})),
        says("done"),
    ]
    process = begin(rude, turns)
    out, err = process.communicate(timeout=PATIENCE)
    events = [Stamped.from_json(json.loads(line)).event for line in out.decode().splitlines()]
    end = events[-1]
    assert isinstance(end, LoopEnd), err.decode()
    assert (process.returncode, end.answer) == (0, "done")
    returned = [event for event in events if isinstance(event, ToolReturned)]
    said = [(event.name, event.error["code"] if event.error else "") for event in returned]
    assert sorted(said) == sorted(
        [("leave", "INTERNAL"), ("leave_later", "INTERNAL"), ("heed_no_limit", "TIMEOUT"),
         ("kind", "DENIED"), ("kind", ""), ("kind", "")]
    )  # fmt: skip
    assert {"kept": {"text": "good"}} in [json.loads(event.text) for event in returned if event.error is None]
