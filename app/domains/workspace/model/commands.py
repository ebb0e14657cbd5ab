"""A program run in the folder: its arguments as they are, no shell, a small environment, and its children end with it.

On Linux it runs inside bubblewrap where that is installed: no network, nothing writable but the folder.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.core.system.awake import awake_timeout

BEAT = 0.03
"""Seconds between two pieces of the output that is followed."""
TRIAL = 10.0
"""Seconds for the sandbox to show that it works."""
MOST_OUTPUT = 200_000
"""Bytes that are kept of the output: the first and the last half of them."""
_KEPT_ENVIRONMENT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT")
_PATH = "/usr/local/bin:/usr/bin:/bin"
_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc", "/opt", "/sbin")
_INSTALLED = ("bin", "lib", "lib64", "libexec", "pyvenv.cfg")
_MOST_LINKS = 20


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    code: int | None
    """None: it was ended at its limit."""
    output: str
    cut: int
    """Bytes that were left out in the middle."""


def environment(folder: Path, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """No keys of the person, no proxies: what a program needs to find others and its language."""
    kept = {name: given[name] for name in _KEPT_ENVIRONMENT if name in given}
    path = given.get("PATH", _PATH)
    return {**kept, "PATH": path, "HOME": str(folder), "TMPDIR": "/tmp" if sys.platform != "win32" else str(folder)}  # noqa: S108


@cache
def sandbox() -> str | None:
    """Bubblewrap, where it is installed and the system lets this person use it; tried once."""
    bwrap = shutil.which("bwrap") if sys.platform.startswith("linux") else None
    if bwrap is None:
        return None
    trial = sandboxed(["true"], Path("/usr"), Path("/usr"), bwrap)
    try:
        done = subprocess.run(trial, check=False, capture_output=True, stdin=subprocess.DEVNULL, timeout=TRIAL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return bwrap if done.returncode == 0 else None


def sandboxed(argv: Sequence[str], root: Path, cwd: Path, bwrap: str) -> list[str]:
    """The command inside it: the system can be read and where the program itself is installed, of the homes nothing
    else; the folder alone is written."""
    read_only = [place for place in _SYSTEM if Path(place).exists()]
    own = [
        str(place)
        for place in _installed(argv[0], cwd)
        if not str(place).startswith(tuple(f"{each}/" for each in _SYSTEM))
    ]
    return [
        bwrap, "--die-with-parent", "--new-session", "--unshare-all",
        *(word for place in read_only for word in ("--ro-bind", place, place)),
        "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run",  # noqa: S108
        *(word for place in dict.fromkeys(own) for word in ("--ro-bind", place, place)),
        "--bind", str(root), str(root), "--chdir", str(cwd), "--", *argv,
    ]  # fmt: skip


def _installed(program: str, cwd: Path) -> Iterator[Path]:
    """The folders `bin` and `lib` of the program, along its links: an interpreter is often a link into a home, where an
    environment or a version manager has put it. Nothing of a home itself."""
    found = str(cwd / program) if "/" in program else shutil.which(program)
    place = Path(found) if found else None
    for _step in range(_MOST_LINKS):
        if place is None or not place.exists():
            return
        place = place.parent.resolve() / place.name
        prefix = place.parent.parent
        if place.parent.name == "bin" and not Path.home().is_relative_to(prefix):
            yield from (prefix / name for name in _INSTALLED if (prefix / name).exists())
        place = place.parent / place.readlink() if place.is_symlink() else None


async def run(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], seconds: float, tell: Callable[[str], bool]
) -> CommandOutcome:
    """Its output goes to `tell` as it comes, until that says no more. Raises OSError where it cannot be started."""
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=cwd, env=dict(env), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT, start_new_session=sys.platform != "win32",
    )  # fmt: skip
    kept, decoder = _Kept(), codecs.getincrementaldecoder("utf-8")("replace")
    is_followed, code = True, None
    try:
        async with awake_timeout(seconds):
            assert process.stdout is not None
            while piece := await process.stdout.read(8_192):
                kept.add(piece)
                if is_followed and (is_followed := tell(decoder.decode(piece))):
                    await asyncio.sleep(BEAT)  # what is written letter by letter comes in pieces
            code = await process.wait()
    except TimeoutError:
        pass
    finally:
        await _end(process)
    return CommandOutcome(code, kept.text(), kept.cut)


async def _end(process: asyncio.subprocess.Process) -> None:
    """With everything it has started."""
    if sys.platform == "win32":
        with suppress(ProcessLookupError):
            process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        await process.wait()


def unheard(_text: str) -> bool:
    """Nobody follows the output."""
    return False


class _Kept:
    """The beginning and the end of an output of any length."""

    def __init__(self) -> None:
        self._head, self._tail, self.cut = bytearray(), bytearray(), 0

    def add(self, piece: bytes) -> None:
        room = MOST_OUTPUT // 2 - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:] if room > 0 else piece
        over = len(self._tail) - MOST_OUTPUT // 2
        if over > 0:
            del self._tail[:over]
            self.cut += over

    def text(self) -> str:
        middle = f"\n[… {self.cut} bytes …]\n".encode() if self.cut else b""
        return (bytes(self._head) + middle + bytes(self._tail)).decode("utf-8", "replace")
