"""The rows of the session list, in SQL. Light: the window reads them before its first paint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import apsw

from app.core.errors import UnknownName
from app.core.session.summary import SessionRow

from ..db.columns import row_of

COLUMNS = (
    "id", "title", "agent", "mode", "model", "created", "updated",
    "pinned", "folder", "archived", "trashed", "preview", "draft",
)  # fmt: skip
"""In the order of the fields of `SessionRow`."""
CHANGEABLE = frozenset(COLUMNS) - {"id"}

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM session"  # noqa: S608 - our own column names


def read_rows(
    cursor: apsw.Cursor, query: str = "", *, archived: bool = False, trashed: bool = False, limit: int = -1
) -> list[SessionRow]:
    """Pinned first, newest first. `trashed` reads the bin instead; `archived` adds what was put away."""
    where = ["trashed IS NOT NULL" if trashed else "trashed IS NULL"]
    values: dict[str, Any] = {"limit": limit}
    if not archived and not trashed:
        where.append("archived = 0")
    for n, word in enumerate(query.split()):
        where.append(f"(title || ' ' || preview || ' ' || folder) LIKE :word{n} ESCAPE '\\'")
        values[f"word{n}"] = f"%{_literal(word)}%"
    order = "trashed DESC" if trashed else "pinned DESC, updated DESC"
    sql = f"{_SELECT} WHERE {' AND '.join(where)} ORDER BY {order}, n DESC LIMIT :limit"
    return [row_of(SessionRow, values) for values in cursor.execute(sql, values)]


def read_first_rows(cursor: apsw.Cursor, count: int, most: int) -> list[SessionRow]:
    """The first `count` of `read_rows`, and every session in a folder, so that folders show how many are inside."""
    shown, order = "trashed IS NULL AND archived = 0", "ORDER BY pinned DESC, updated DESC, n DESC"
    first = f"SELECT n FROM session WHERE {shown} {order} LIMIT :count"  # noqa: S608
    sql = f"{_SELECT} WHERE {shown} AND (folder <> '' OR n IN ({first})) {order} LIMIT :most"
    return [row_of(SessionRow, values) for values in cursor.execute(sql, {"count": count, "most": most})]


def read_row(cursor: apsw.Cursor, id: str) -> SessionRow | None:
    for values in cursor.execute(f"{_SELECT} WHERE id = ?", (id,)).fetchall():
        return row_of(SessionRow, values)
    return None


def insert_row(cursor: apsw.Cursor, row: SessionRow, texts: Mapping[str, str]) -> None:
    """`texts` are the row's text columns, cleaned."""
    values = {name: getattr(row, name) for name in COLUMNS} | dict(texts)
    marks = ", ".join(f":{name}" for name in COLUMNS)
    cursor.execute(f"INSERT INTO session ({', '.join(COLUMNS)}) VALUES ({marks})", values)  # noqa: S608


def _literal(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def number_of(cursor: apsw.Cursor, id: str) -> int:
    """The integer key of session `id`; raises UnknownName."""
    n = cursor.execute("SELECT n FROM session WHERE id = ?", (id,)).get
    if n is None:
        raise UnknownName("session", id)
    return int(n)
