"""Files a tool writes: inside the folder the person chose, or in the export folder (ruling 48). Nowhere else.

A path is taken literally: nothing is expanded, nothing is followed out of the folder, and a file that is there already
is never written over; the new one gets a number. A file is whole or not there.

    file = await write_file(ctx, path or f"{file_name(title)}.ics", ".ics", content, example="trip.ics")
    return ToolResult.success(file.data(), …, display=file.card())
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.text.os_errors import os_words
from app.core.text.value_faults import ValueFault
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext

MAX_NAME, MAX_PATH = 150, 1000
_DEVICES = {"con", "prn", "aux", "nul", *(f"com{i}" for i in range(10)), *(f"lpt{i}" for i in range(10))}
_FORBIDDEN = '<>:"|?*\\'


@dataclass(frozen=True, slots=True)
class WrittenFile:
    path: Path
    bytes: int

    def data(self) -> dict[str, Any]:
        """For the result of the tool."""
        return {"file": str(self.path), "format": self.path.suffix.removeprefix("."), "bytes": self.bytes}

    def card(self, note: str = "") -> Card:
        """To open it, show it in its folder, save it elsewhere; `note` says more, as "14 events"."""
        payload = {"name": self.path.name, "path": str(self.path), "bytes": self.bytes}
        return Card("file", {**payload, "note": note} if note else payload)


def export_folder(ctx: ToolContext) -> Path:
    """Raises ToolError PATH_DENIED where the run has none."""
    exports = ctx.resources.get("exports")
    folder = ctx.workspace or (exports if isinstance(exports, Path) else None)
    if folder is None:
        raise ToolError("PATH_DENIED", ctx.say("there is no folder to write to"))
    return folder


async def write_file(ctx: ToolContext, wanted: str, suffix: str, content: bytes, *, example: str) -> WrittenFile:
    """Below the export folder. Raises ToolError PATH_DENIED, with `example` as a name that would do."""
    folder = export_folder(ctx)
    try:
        path = await asyncio.to_thread(write_new, folder, wanted, suffix, content)
    except PathDenied as error:
        hint = ctx.say("a name such as {example}", example=example)
        raise ToolError("PATH_DENIED", error.fault.sentence(ctx.language), hint=hint) from error
    return WrittenFile(path, len(content))


class PathDenied(Exception):
    """The file cannot lie there; nothing was written."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r}: {why}"[:200])
        self.fault = ValueFault(repr(path[:80]), why)


def write_new(root: Path, wanted: str, suffix: str, content: bytes) -> Path:
    """Write `content` below `root`; returns where. Raises PathDenied."""
    parts = _parts(wanted, suffix)
    root = root.resolve()
    folder = root
    try:
        root.mkdir(parents=True, exist_ok=True)
        for part in parts[:-1]:
            folder = folder / part
            if folder.is_symlink():
                raise PathDenied(wanted, N_("a link leads out of the folder"))
            folder.mkdir(exist_ok=True)
        if not folder.resolve().is_relative_to(root) or not folder.is_dir():
            raise PathDenied(wanted, N_("it leads out of the folder"))
        return _put(folder, parts[-1], content)
    except OSError as error:
        raise PathDenied(wanted, os_words(error)) from error


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
        raise PathDenied(name, N_("there are a thousand files of this name"))
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(beside).unlink()


def _parts(wanted: str, suffix: str) -> list[str]:
    if len(wanted.encode("utf-8", "replace")) > MAX_PATH:
        raise PathDenied(wanted[:60], N_("it is too long"))
    # A Windows path or an absolute one is no path inside the folder.
    if not wanted.strip() or wanted.startswith(("/", "~")) or any(c in _FORBIDDEN or c < " " for c in wanted):
        raise PathDenied(wanted, N_("it must be a plain path inside the folder"))
    parts = list(PurePosixPath(wanted).parts)
    for part in parts:
        stem = part.split(".")[0].strip().casefold()
        if part in ("..", "/") or part != part.strip() or part.endswith(".") or part.startswith((".", "-")):
            raise PathDenied(wanted, N_("it must be a plain path inside the folder"))
        if stem in _DEVICES or len(part.encode("utf-8", "replace")) > MAX_NAME:
            raise PathDenied(wanted, N_("a name in it cannot be used"))
        if any("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" or "\ud800" <= c <= "\udfff" for c in part):
            raise PathDenied(wanted, N_("a name in it cannot be used"))
    if not parts[-1].casefold().endswith(suffix):
        parts[-1] += suffix
    return parts


def file_name(title: str, otherwise: str) -> str:
    """A title as the name of a file, on all three systems; `otherwise` where nothing of it can stay."""
    letters = "".join(c if c.isalnum() or c in "-_、" else " " for c in title)
    name = " ".join(letters.split()).strip(" -_")
    while len(name.encode()) > 80:
        name = name[:-1]
    return name if name and name.casefold() not in _DEVICES else otherwise


def printable(text: str) -> str:
    """Without the control characters that XML and calendars forbid; line ends and tabs stay."""
    return "".join(c for c in text if c in "\n\t" or (c >= " " and c != "\x7f" and not "\ud800" <= c <= "\udfff"))
