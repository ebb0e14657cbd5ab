"""Where an export may lie: inside the folder the person chose, or in the exports of the data folder. Nowhere else.

A path is taken literally: nothing is expanded, nothing is followed out of the folder, and a file that is there already
is never written over; the new one gets a number.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path, PurePosixPath

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.text.value_faults import ValueFault

MAX_NAME, MAX_PATH = 150, 1000
_DEVICES = {"con", "prn", "aux", "nul", *(f"com{i}" for i in range(10)), *(f"lpt{i}" for i in range(10))}
_FORBIDDEN = '<>:"|?*\\'


def write_new(root: Path, wanted: str, suffix: str, content: bytes) -> Path:
    """Write `content` below `root`; returns where. Raises ToolError PATH_DENIED."""
    parts = _parts(wanted, suffix)
    root = root.resolve()
    folder = root
    try:
        root.mkdir(parents=True, exist_ok=True)
        for part in parts[:-1]:
            folder = folder / part
            if folder.is_symlink():
                raise _denied(wanted, N_("a link leads out of the folder"))
            folder.mkdir(exist_ok=True)
        if not folder.resolve().is_relative_to(root) or not folder.is_dir():
            raise _denied(wanted, N_("it leads out of the folder"))
        return _put(folder, parts[-1], content)
    except OSError as error:
        fault = ValueFault(wanted, error.strerror or N_("cannot be written"))
        raise ToolError("PATH_DENIED", fault.sentence(), fault=fault) from error


def _put(folder: Path, name: str, content: bytes) -> Path:
    """Whole or not at all: written beside, then linked to a name that nobody has."""
    handle, beside = tempfile.mkstemp(prefix=".export-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        stem, suffix = os.path.splitext(name)  # noqa: PTH122 - of a bare name, not of a path
        for number in range(1, 1000):
            target = folder / (name if number == 1 else f"{stem} ({number}){suffix}")
            try:
                with target.open("xb"):
                    pass
            except FileExistsError:
                continue
            Path(beside).replace(target)
            return target
        fault = ValueFault(name, N_("there are a thousand files of this name"))
        raise ToolError("PATH_DENIED", fault.sentence(), fault=fault)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(beside).unlink()


def _parts(wanted: str, suffix: str) -> list[str]:
    if len(wanted.encode("utf-8", "replace")) > MAX_PATH:
        raise _denied(wanted[:60], N_("it is too long"))
    # A Windows path or an absolute one is no path inside the folder.
    if not wanted.strip() or wanted.startswith(("/", "~")) or any(c in _FORBIDDEN or c < " " for c in wanted):
        raise _denied(wanted, N_("it must be a plain path inside the folder"))
    parts = list(PurePosixPath(wanted).parts)
    for part in parts:
        stem = part.split(".")[0].strip().casefold()
        if part in ("..", "/") or part != part.strip() or part.endswith(".") or part.startswith((".", "-")):
            raise _denied(wanted, N_("it must be a plain path inside the folder"))
        if stem in _DEVICES or len(part.encode("utf-8", "replace")) > MAX_NAME:
            raise _denied(wanted, N_("a name in it cannot be used"))
        if any("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" or "\ud800" <= c <= "\udfff" for c in part):
            raise _denied(wanted, N_("a name in it cannot be used"))
    if not parts[-1].casefold().endswith(suffix):
        parts[-1] += suffix
    return parts


def plain_name(title: str) -> str:
    """A file name of a title."""
    kept = "".join(c if c.isalnum() or c in "-_、" else " " for c in title)
    name = " ".join(kept.split()).strip(" -_")
    while len(name.encode()) > 80:
        name = name[:-1]
    return name if name and name.casefold() not in _DEVICES else "trip"


def _denied(path: str, why: str) -> ToolError:
    fault = ValueFault(repr(path[:80]), why)
    return ToolError("PATH_DENIED", fault.sentence(), hint=N_("a name such as trip.ics"), fault=fault)
