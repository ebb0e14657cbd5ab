"""A server as a process, and the end of it and of everything it started.

A server gets its own session (on Windows a job), so the whole tree can be ended. On Linux, processes that left the
tree, and those of a killed Triptych, are found by a mark in their environment.

Not psutil: it walks the tree by parents and misses processes that left it; groups, jobs and marks do not. Its
`create_time` changes when the clock is set.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..facts import refuse_batch

if TYPE_CHECKING:
    from anyio.abc import Process

GRACE: Final = 1.5
"""Seconds a server has to leave by itself when its input ends."""
TERM_GRACE: Final = 1.0
"""Seconds from asking it to end to ending it."""
MARK: Final = "TRIPTYCH_MCP"
_number = count(1)


def new_mark() -> str:
    """Says which process started a server, for `sweep` to find it by."""
    return f"{_me()}.{next(_number)}"


async def spawn(program: str, args: Sequence[str], *, env: Mapping[str, str], cwd: str | None) -> Process:
    """Pipes for all three streams. Raises OSError, CannotRun. Never through a shell."""
    refuse_batch(program, args)
    if sys.platform == "win32":
        from mcp.os.win32.utilities import create_windows_process

        piped: Any = subprocess.PIPE
        made: Any = await create_windows_process(program, list(args), dict(env), piped, cwd)
        found: Process = made
        return found
    import anyio

    return await anyio.open_process(
        [program, *args],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=dict(env), cwd=cwd, start_new_session=True,
    )  # fmt: skip


async def end(process: Process, mark: str) -> None:
    """Its input has been closed. Returns when nothing of it is left, after 3 s at the latest."""
    if not await gone(process, GRACE):
        if sys.platform == "win32":
            from mcp.os.win32.utilities import close_process_job, terminate_windows_process_tree

            await terminate_windows_process_tree(process)
            close_process_job(process)
        else:
            _signal_group(process.pid, signal.SIGTERM)
            await gone(process, TERM_GRACE)
    if sys.platform != "win32":
        _signal_group(process.pid, signal.SIGKILL)  # whatever of the group outlives its leader
    await gone(process, TERM_GRACE)
    if sys.platform == "linux":
        await asyncio.to_thread(sweep, mark)
    _close_pipes(process)


async def gone(process: Process, seconds: float) -> bool:
    """Whether it ends within that time. By polling: waiting for it would also wait for pipes its children may hold."""
    for _ in range(max(1, round(seconds / 0.02))):
        if process.returncode is not None:
            return True
        await asyncio.sleep(0.02)
    return process.returncode is not None


def _signal_group(pid: int, sign: int) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, sign)


def _close_pipes(process: Process) -> None:
    """A survivor that holds a pipe's other end would keep the transport open forever."""
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:
        with contextlib.suppress(PermissionError, ProcessLookupError):
            transport.close()


# ---------------------------------------------------------------- by their mark (Linux)


def sweep(mark: str) -> None:
    """Ends every process that carries this mark."""
    for pid, found in _marked():
        if found == mark:
            _kill(pid)


def sweep_orphans() -> None:
    """Ends servers whose Triptych is no more."""
    if sys.platform != "linux":
        return
    here = _namespace()
    for pid, found in _marked():
        namespace, _dot, rest = found.partition(".")
        starter, _dot, rest = rest.partition(".")
        born = rest.partition(".")[0]
        if namespace == here and starter.isdigit() and _born(int(starter)) != born:
            _kill(pid)


def _marked() -> list[tuple[int, str]]:
    wanted, me, found = f"{MARK}=".encode(), os.getpid(), []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == me:
            continue
        try:
            data = (folder / "environ").read_bytes()
        except OSError:
            continue  # of somebody else, or gone meanwhile
        if wanted not in data:
            continue
        for entry in data.split(b"\0"):
            if entry.startswith(wanted):
                found.append((int(folder.name), entry[len(wanted) :].decode("ascii", "replace")))
    return found


def _kill(pid: int) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _me() -> str:
    return f"{_namespace()}.{os.getpid()}.{_born(os.getpid())}"


def _namespace() -> str:
    """Process numbers mean something within one namespace only."""
    try:
        return "".join(sign for sign in os.readlink("/proc/self/ns/pid") if sign.isdigit())  # noqa: PTH115 – no path
    except OSError:
        return "0"


def _born(pid: int) -> str:
    """When the process began, in ticks; "" if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in ("Z", "X") else fields[19]
