"""Whether a file holds conversations, by a look at its beginning: what is dropped on the window is asked this."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath

_BEGINNING = 300_000
_MARKS = (
    b'"triptych.session"', b'"mapping"', b'"chat_messages"', b'"indexedDB"', b'"exportType"', b'"schemaHash"',
    b'"__exported_items"', b'"currentId"', b'"thread.message"',
)  # fmt: skip
_NAMES = frozenset(("data.json", "thread.json", "messages.jsonl"))
_DATABASE = b"SQLite format 3"


def holds_conversations(path: Path) -> bool:
    """A guess; the import itself reads all of it and refuses what is none."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            start = file.read(_BEGINNING)
        if start[:2] == b"PK":
            return _is_export(path)
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return False
    if start.startswith(_DATABASE):
        return all(mark in start for mark in (b"ctx_meta", b"ctx_item"))
    return start.lstrip()[:1] in (b"{", b"[") and any(mark in start for mark in _MARKS)


def _is_export(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        listed = archive.namelist()[:20_000]
        is_ours = False
        if "manifest.json" in listed:
            with archive.open("manifest.json") as manifest:
                is_ours = b"triptych.archive" in manifest.read(1_000)
    names = {PurePosixPath(name).name for name in listed}
    return is_ours or bool(names & _NAMES) or any(name.startswith("conversations") for name in names)
