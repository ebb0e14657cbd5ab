"""Rows as a failing disk leaves them: in each column, a value of another type or far outside of what it may hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw

VALUES = (1e300, -1e300, float("inf"), b"\xff\x00", b"text", "\udcff".encode("utf-8", "surrogatepass"), "", "word", -1)
TEXTS = ("CAST(x'ff61' AS TEXT)", "CAST(x'6100' AS TEXT)")
"""What only SQL can write: texts that are no UTF-8, or hold a NUL."""
COLUMNS = {
    "session": (
        "title", "agent", "mode", "model", "created", "updated", "pinned", "folder", "archived", "preview", "draft",
        "extra",
    ),
    "message": ("seq", "parent", "role", "state", "created", "run", "owner", "text_length"),
    "body": ("json", "checksum"),
    "run": ("message", "parent", "agent", "mode", "model", "started", "ended", "state", "reason", "steps", "usage"),
    "event": ("body",),
    "result": ("body",),
    "session_note": ("body",),
    "rating": ("agent", "mode", "query", "value", "created"),
    "document": ("body", "created"),
}  # fmt: skip


def edits() -> Iterator[tuple[str, str, object]]:
    """Table, column, and an SQL value with its binding, if any."""
    for table, columns in COLUMNS.items():
        for column in columns:
            yield from ((table, column, value) for value in VALUES)
            yield from ((table, column, sql) for sql in TEXTS)


def edit(database: Path, table: str, column: str, value: object, where: str = "true") -> int:
    """How many rows now hold the value; 0 where the table's own rules refuse it."""
    connection = apsw.Connection(str(database))
    try:
        shown, values = (value, ()) if value in TEXTS else ("?", (value,))
        connection.execute(f"UPDATE {table} SET {column} = {shown} WHERE {where}", values)
        return connection.changes()
    except apsw.ConstraintError:
        return 0
    finally:
        connection.close()


def of_session(table: str, id: str) -> str:
    """The rows of a table that belong to the session."""
    session = f"(SELECT n FROM session WHERE id = '{id}')"
    messages, runs = (f"(SELECT n FROM {name} WHERE session = {session})" for name in ("message", "run"))
    return {
        "session": f"id = '{id}'",
        "message": f"session = {session}",
        "run": f"session = {session}",
        "body": f"message IN {messages}",
        "event": f"run IN {runs}",
        "result": f"run IN {runs}",
    }[table]
