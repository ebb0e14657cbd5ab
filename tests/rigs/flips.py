"""Single bits flipped in the pages of chosen tables, and whether anything that is stored is different then."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import apsw

METADATA = (
    "session", "message", "run", "event", "result", "model_call", "tool_intent", "session_note", "rating", "document",
    "attachment", "meta",
)  # fmt: skip


def pages_of(database: Path, *tables: str) -> list[int]:
    """The numbers of the pages that hold rows of these tables; their indexes are not among them."""
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        marks = ", ".join("?" * len(tables))
        rows: Any = connection.execute(f"SELECT pageno FROM dbstat WHERE name IN ({marks})", tables)
        return [int(page) for (page,) in rows]
    finally:
        connection.close()


def flip(database: Path, chance: random.Random, pages: list[int]) -> int:
    """One bit of a byte that is not zero; returns where."""
    data = bytearray(database.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    while True:
        place = (chance.choice(pages) - 1) * size + chance.randrange(size)
        if data[place]:
            break
    data[place] ^= 1 << chance.randrange(8)
    database.write_bytes(data)
    return place


def contents(database: Path) -> list[tuple[Any, ...]] | None:
    """Every value of the tables, as bytes where it is a text; None if it cannot be read to its end."""
    copy = database.with_name("contents.db")
    shutil.copyfile(database, copy)
    connection = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
    found: list[tuple[Any, ...]] = []
    try:
        for table in (*METADATA, "body"):
            names = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(f"typeof({name}), CAST({name} AS BLOB), {name} = {name}" for name in names)
            rows: Any = connection.execute(f"SELECT {values} FROM {table}")
            found += [(table, *row) for row in rows]
    except (apsw.Error, UnicodeDecodeError):
        return None
    finally:
        connection.close()
        copy.unlink()
    return found
