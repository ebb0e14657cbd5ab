"""Which machine uses a data folder that several machines can see.

Locks of the operating system do not work across a synchronised or mounted folder. A small file there names the machine
at work; other machines then only read. A lease that was not renewed for three minutes is free: its machine crashed or
sleeps.
"""

from __future__ import annotations

import contextlib
import json
import platform
import time
import uuid
from pathlib import Path

from ..folder.errors import FolderUnusable
from ..folder.files import write_atomically
from ..folder.json_file import UnreadableJson, read_object

NAME = "in-use.json"
LASTS = 180.0
RENEW_EVERY = 60.0
"""Seconds."""


def machine() -> str:
    """The same after every start of this machine, and another one on every other."""
    return f"{platform.node()}-{uuid.getnode():012x}"


def take(folder: Path, *, me: str = "", now: float | None = None) -> None:
    """This machine works here from now on. Raises FolderUnusable if another one does."""
    me, now = me or machine(), time.time() if now is None else now
    owner, name, renewed = _read(folder)
    # A lease of the future is one of a clock that runs ahead: it ends, too.
    if owner not in ("", me) and abs(now - renewed) < LASTS:
        raise FolderUnusable(
            f"{folder} is in use on another computer, {name}",
            hint="close Triptych there; until then the conversations can be read here",
            path=str(folder),
            machine=name,
        )
    body = {"machine": me, "name": platform.node(), "renewed": now}
    write_atomically(folder / NAME, json.dumps(body, ensure_ascii=False).encode())


def leave(folder: Path, *, me: str = "") -> None:
    """Others may begin at once."""
    if _read(folder)[0] == (me or machine()):
        with contextlib.suppress(OSError):
            (folder / NAME).unlink()


def _read(folder: Path) -> tuple[str, str, float]:
    """("", "", 0) if nobody is there, or nobody can tell who."""
    try:
        body = read_object(folder / NAME)
        return str(body["machine"]), str(body["name"]), float(body["renewed"])
    except (OSError, UnreadableJson, ValueError, KeyError, TypeError):
        return "", "", 0.0
