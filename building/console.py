"""How the build tools speak: one line per thing done, one sentence when something cannot be done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import IO, Mapping, Sequence


class BuildError(Exception):
    """Ends the command with this one sentence and exit code 1."""


def say(line: str, *, file: IO[str] | None = None) -> None:
    stream = file or sys.stdout
    try:
        print(line, file=stream, flush=True)
    except UnicodeEncodeError:  # a Windows console, or LANG=C
        print(line.encode("ascii", "replace").decode("ascii"), file=stream, flush=True)


def call(command: Sequence[str | Path], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> int:
    """Runs a program with its output on the terminal and returns its exit code; a missing program is 127."""
    try:
        return subprocess.call([str(part) for part in command], cwd=None if cwd is None else str(cwd), env=env)
    except FileNotFoundError:
        return 127


def ask(
    command: Sequence[str | Path], *, timeout: float = 120, env: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Runs a program quietly and returns its exit code and what it said; one that cannot start is 127."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            env=env,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 127, str(error)
    return done.returncode, done.stdout.decode("utf-8", "replace").strip()
