"""Telling living processes from dead ones, on every system's own way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from app.storage.db.owner import Owner
from app.storage.folder import processes
from app.storage.folder.processes import born, host


@pytest.fixture
def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    return process.pid


WAYS = [born]
if sys.platform != "win32":
    WAYS.append(processes._born_if_it_answers)
    if shutil.which("ps"):
        WAYS.append(processes._born_ps)


@pytest.mark.parametrize("way", WAYS)
def test_a_living_process_has_one_birth_and_a_dead_one_none(way: Callable[[int], str | None], dead_pid: int) -> None:
    assert way(os.getpid()) is not None
    assert way(os.getpid()) == way(os.getpid())
    assert way(dead_pid) is None


def test_a_process_that_ended_and_was_not_fetched_is_dead() -> None:
    process = subprocess.Popen([sys.executable, "-c", "print(1, flush=True)"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.read()
    process.stdout.close()
    if sys.platform == "linux":
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert born(process.pid) is None
    process.wait()


def test_every_owner_is_another_one_even_in_the_same_process() -> None:
    first, second = Owner(), Owner()
    assert first.id != second.id
    assert (first.pid, first.born, first.host) == (second.pid, second.born, second.host)
    assert first.host == host()
