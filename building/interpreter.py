"""Which Python the environment is made of: the running one if it fits, else the newest that is installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Iterator, Tuple

from building.console import BuildError, ask, say
from building.places import WINDOWS

Version = Tuple[int, int]

OLDEST: Version = (3, 11)
NEWEST: Version = (3, 14)

TELL_VERSION = "import sys; print(sys.version_info[0], sys.version_info[1], sys.executable)"


def fits(version: Version) -> bool:
    return OLDEST <= version <= NEWEST


def choose() -> Path:
    """The interpreter to build the environment with."""
    running = (sys.version_info[0], sys.version_info[1])
    if fits(running):
        return Path(sys.executable)
    for command in candidates():
        found = version_of(command)
        if found is not None and fits(found[0]):
            say("==> This is Python {}.{}; using {} instead".format(*running, found[1]))
            return found[1]
    raise BuildError(
        "Triptych needs Python {}.{} to {}.{}, and this machine has only {}.{} ({}).".format(
            *OLDEST, *NEWEST, *running, sys.executable
        )
    )


def candidates() -> Iterator[list[str]]:
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        if WINDOWS:
            yield ["py", f"-3.{minor}"]
        on_path = shutil.which(f"python3.{minor}")
        if on_path:
            yield [on_path]
    home = Path.home()
    for folder in (home / ".pyenv" / "versions", home / ".local" / "share" / "uv" / "python"):
        for installed in sorted(folder.glob("*/bin/python3"), reverse=True):
            yield [str(installed)]


def version_of(command: list[str]) -> tuple[Version, Path] | None:
    """Asks the program itself: a name on PATH may be a shim that leads nowhere."""
    code, answer = ask([*command, "-c", TELL_VERSION], timeout=20)
    parts = answer.split(None, 2)
    if code != 0 or len(parts) != 3 or not (parts[0].isdigit() and parts[1].isdigit()):
        return None
    return (int(parts[0]), int(parts[1])), Path(parts[2])
