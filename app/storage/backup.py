"""A copy of the database while it is in use, checked after it was written."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import apsw

from app.core.errors import DataDamaged

from .files import sync_folder
from .paths import PRIVATE_FILE, PRIVATE_FOLDER

PAGES_AT_ONCE = 4096


def back_up(source: apsw.Connection, folder: Path, why: str) -> Path:
    """Copies `source` into `folder`. Raises DataDamaged if the copy is not sound: then nothing may be changed."""
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    path = folder / f"sessions-{stamp}-{why}.db"
    temp = path.with_suffix(".tmp")
    os.close(os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    copy = apsw.Connection(str(temp), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        with copy.backup("main", source, "main") as work:
            while not work.done:
                work.step(PAGES_AT_ONCE)
        copy.pragma("journal_mode", "delete")
        verdict = copy.pragma("quick_check")
    except apsw.Error:
        copy.close()
        temp.unlink()
        raise
    copy.close()
    if verdict != "ok":
        raise DataDamaged(f"the copy of the database is not sound: {verdict}", copy=str(temp))
    temp.rename(path)
    sync_folder(folder)
    return path
