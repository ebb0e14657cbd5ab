"""Where the person moved the data: a small file in the default folder, read before anything is opened.

Imports little, because it is read before the first paint.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from .files import write_atomically
from .json_file import UnreadableJson, read_object
from .private import PRIVATE_FOLDER

NAME = "moved.json"


@dataclass(frozen=True, slots=True)
class Pointer:
    folder: Path | None = None
    """The data folder; None = it is the usual place again."""
    old: Path | None = None
    """The folder it was moved from, which is kept until the person says that it can go."""


def read_pointer(usual: Path) -> Pointer | None:
    """None if the data was never moved. What cannot be read names nothing."""
    try:
        body = read_object(usual / NAME)
    except (OSError, UnreadableJson):
        return None
    return Pointer(_path(body.get("folder")), _path(body.get("old")))


def write_pointer(usual: Path, pointer: Pointer) -> None:
    """Raises DiskFull or FolderUnusable; what was there then holds on."""
    usual.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    body = {"format": 1, "folder": _text(pointer.folder), "old": _text(pointer.old)}
    write_atomically(usual / NAME, json.dumps(body, ensure_ascii=False).encode())


def _path(value: object) -> Path | None:
    is_name = isinstance(value, str) and "\0" not in value and not any("\ud800" <= char <= "\udfff" for char in value)
    return Path(value) if isinstance(value, str) and is_name and Path(value).is_absolute() else None


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
