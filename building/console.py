"""How the build tools speak: one line per thing done, one sentence when something cannot be done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Mapping, Sequence

_LAST_LINES = 40


class BuildError(Exception):
    """Ends the command with this one sentence and exit code 1."""


def say(line: str, *, file: IO[str] | None = None) -> None:
    stream = file or sys.stdout
    try:
        print(line, file=stream, flush=True)
    except UnicodeEncodeError:  # a Windows console, or LANG=C
        print(line.encode("ascii", "replace").decode("ascii"), file=stream, flush=True)


def call(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    counted: tuple[str, int] | None = None,
) -> int:
    """Runs a program with its output on the terminal and returns its exit code; a missing program is 127.

    `counted`: what it says is not shown but counted in one line, by how its lines begin, of so many (0 = unknown).
    Where it fails its own last words follow. `VERBOSE=1` shows all as it comes.
    """
    try:
        if counted is not None and os.environ.get("VERBOSE", "") in ("", "0"):
            return _counted([str(part) for part in command], *counted, cwd=cwd, env=env)
        return subprocess.call([str(part) for part in command], cwd=None if cwd is None else str(cwd), env=env)
    except FileNotFoundError:
        return 127


def _counted(command: list[str], sign: str, total: int, *, cwd: Path | None, env: Mapping[str, str] | None) -> int:
    lines, done, on_terminal = [], 0, sys.stdout.isatty()
    with subprocess.Popen(
        command,
        cwd=None if cwd is None else str(cwd),
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            lines.append(line.rstrip())
            if line.startswith(sign):
                done += 1
                if on_terminal:
                    sys.stdout.write(f"\r    {min(done, total)} of {total}" if total else f"\r    {done}")
                    sys.stdout.flush()
        code = process.wait()
    if on_terminal and done:
        sys.stdout.write("\r" + " " * 24 + "\r")
    if code != 0:
        for line in lines[-_LAST_LINES:]:
            say(line)
    return code


def ask(
    command: Sequence[str | Path],
    *,
    timeout: float = 120,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Runs a program quietly and returns its exit code and what it said; one that cannot start is 127."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            cwd=None if cwd is None else str(cwd),
            env=env,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 127, str(error)
    return done.returncode, done.stdout.decode("utf-8", "replace").strip()
