"""B3: what `verify` names is rebuilt from the log, the rows around it, or by turning back one bit – or left alone."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

import apsw

from app.compose import build
from tests.rigs import flips

from .test_changed_rows import CHANGES, folder, found_in

__all__ = ["folder"]

EDITS = {
    "UPDATE run SET state = 'failed' WHERE id = 'r1'": True,
    "UPDATE run SET reason = 'budget' WHERE id = 'r1'": True,
    "UPDATE run SET steps = 40 WHERE id = 'r1'": True,
    "UPDATE run SET usage = '{}' WHERE id = 'r1'": True,
    "UPDATE run SET mode = 'plan', agent = 'x', steps = 9": True,
    "UPDATE run SET message = NULL": True,
    "UPDATE message SET state = 'failed' WHERE id = 'a1'": True,
    "UPDATE message SET parent = 'a1' WHERE id = 'a1'": True,
    "UPDATE message SET role = 'assistant' WHERE id = 'q1'": True,
    "UPDATE message SET text_length = 900000": True,
    "UPDATE message SET seq = 77 WHERE id = 'a1'": True,
    "UPDATE message SET created = 1e300 WHERE id = 'a1'": False,
    "UPDATE session SET trashed = 1.0": True,
    "UPDATE session SET title = 'another'": True,
    "UPDATE session SET created = -1e18": False,
    "UPDATE body SET json = '{}' WHERE message = (SELECT n FROM message WHERE id = 'a1')": True,
}
"""And whether the program can know what stood there."""


async def repaired_in(folder: Path) -> list[str]:
    services = build(folder, {})
    try:
        await services.open()
        return await services.checks.repair()
    finally:
        await services.close()


async def test_R21_an_edit_is_named_and_rebuilt_or_left_as_it_is(folder: Path) -> None:
    database = folder / "sessions.db"
    whole, before, wrong = database.read_bytes(), flips.contents(database), []
    for statement, can_be_known in EDITS.items():
        database.write_bytes(whole)
        execute(database, statement)
        edited = flips.contents(database)
        named = await found_in(folder)
        await repaired_in(folder)
        after = flips.contents(database)
        is_right = stored(after) == stored(before) if can_be_known else stored(after) == stored(edited)
        if not named or not is_right or bool(await found_in(folder)) is can_be_known:
            wrong.append((statement, named, is_right))
    assert wrong == []


def stored(rows: list[tuple[Any, ...]] | None) -> list[tuple[Any, ...]]:
    """Without the counts, which each start and end writes."""
    return [row for row in rows or [] if row[0] != "meta"]


def execute(database: Path, statement: str) -> None:
    connection = apsw.Connection(str(database))
    connection.execute(statement).fetchall()
    connection.close()


async def test_R21_one_turned_bit_in_any_value_of_a_row_is_turned_back(folder: Path) -> None:
    database, chance, wrong = folder / "sessions.db", random.Random(8), []
    whole, before = database.read_bytes(), stored(flips.contents(database))
    for table in ("session", "message", "run", "tool_intent", "rating", "body"):
        for column in CHANGES[table]:
            database.write_bytes(whole)
            if column in {"checksum", "call_id"} or not turn_bit(database, table, column, chance):
                continue
            await repaired_in(folder)
            if stored(flips.contents(database)) != before:
                wrong.append(f"{table}.{column}")
    assert wrong == []


def turn_bit(database: Path, table: str, column: str, chance: random.Random) -> bool:
    """In one row, whose value is not empty."""
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA foreign_keys = OFF")
    key = "message" if table in {"body", "rating"} else "call_id" if table == "tool_intent" else "n"
    rows: Any = connection.execute(f"SELECT {key}, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()
    for row, value in rows:
        if value == "":
            continue
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (turned(value, chance), row)).fetchall()
        connection.close()
        return True
    connection.close()
    return False


def turned(value: Any, chance: random.Random) -> Any:
    if isinstance(value, int):
        return value ^ 1 << chance.randrange(16)
    if isinstance(value, float):
        (bits,) = struct.unpack("<q", struct.pack("<d", value))
        return struct.unpack("<d", struct.pack("<q", bits ^ 1 << chance.randrange(50)))[0]
    data = bytearray(value.encode())
    data[chance.randrange(len(data))] ^= 1
    return data.decode()


async def test_R21_repair_of_whole_data_changes_nothing(folder: Path) -> None:
    before = stored(flips.contents(folder / "sessions.db"))
    assert await repaired_in(folder) == []
    assert stored(flips.contents(folder / "sessions.db")) == before
