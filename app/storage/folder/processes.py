"""Which processes are alive, told apart even when the system gives a number to another one.

Not psutil: its `create_time` adds the time of the machine's start, which moves when the clock is set, so a living
process would be taken for another one after that (R28). What is read here stays the same as long as the process lives.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path


def host() -> str:
    """This machine since it was last started, as far as the system tells."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        boot = ""
    return f"{platform.node()}/{boot}"


def born(pid: int) -> str | None:
    """When process `pid` began, in the system's own words; None if there is no such process, "" if unknown."""
    if sys.platform == "win32":
        return _born_windows(pid)
    if sys.platform == "linux":
        return _born_linux(pid)
    return _born_ps(pid)


def _born_linux(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return _born_if_it_answers(pid)
    # The name in brackets may hold anything; state is field 3 and the start time field 22.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else fields[19]


def _born_if_it_answers(pid: int) -> str | None:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except OSError:
        return ""
    return ""


def _born_ps(pid: int) -> str | None:
    try:
        result = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)],
            capture_output=True, text=True, timeout=2, env={**os.environ, "LC_ALL": "C"}, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return _born_if_it_answers(pid)
    return result.stdout.strip() or None


def _born_windows(pid: int) -> str | None:
    if sys.platform != "win32":
        raise AssertionError("only called on Windows")
    # os.kill(pid, 0) would end the process there.
    import ctypes
    from ctypes import wintypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.OpenProcess.restype = wintypes.HANDLE
    handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return "" if ctypes.get_last_error() == 5 else None  # 5: it is there, and not ours to ask
    try:
        code = wintypes.DWORD()
        times = [wintypes.FILETIME() for _ in range(4)]
        kernel.GetExitCodeProcess(wintypes.HANDLE(handle), ctypes.byref(code))
        if code.value != 259:  # STILL_ACTIVE
            return None
        kernel.GetProcessTimes(wintypes.HANDLE(handle), *(ctypes.byref(one) for one in times))
        return f"{times[0].dwHighDateTime}.{times[0].dwLowDateTime}"
    finally:
        kernel.CloseHandle(wintypes.HANDLE(handle))
