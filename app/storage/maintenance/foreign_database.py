"""Two tables out of the database of another program, read as the untrusted file it is (T39).

Opened for reading only, without its triggers, views and extensions; tables of other kinds than ordinary ones are
refused, and only the columns asked for are read. What is too long is cut by limits of the connection.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

LONGEST_VALUE = 20_000_000
LONGEST_WAIT = 120.0
"""Seconds of one look: a damaged index may send a query round in circles."""
_STEPS = 100_000


class ForeignDatabaseRefused(Exception):
    """It is no database, is damaged, or its tables are not ordinary ones."""


class ForeignDatabase:
    def __init__(self, path: Path) -> None:
        """Raises ForeignDatabaseRefused."""
        try:
            uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
            self._connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
            self._restrict()
        except apsw.Error as error:
            raise ForeignDatabaseRefused(str(error)) from error

    def _restrict(self) -> None:
        connection = self._connection
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, 100_000)
        connection.execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
        started = time.monotonic()
        connection.set_progress_handler(lambda: time.monotonic() - started > LONGEST_WAIT, _STEPS)

    def close(self) -> None:
        self._connection.close()

    def has(self, *tables: str) -> bool:
        """Raises ForeignDatabaseRefused."""
        return all(self._kind(table) == "table" for table in tables)

    def _kind(self, table: str) -> str:
        try:
            sql = "SELECT type, sql FROM sqlite_schema WHERE name = ? AND tbl_name = ?"
            rows = self._connection.execute(sql, (table, table)).fetchall()
        except (apsw.Error, UnicodeError) as error:
            raise ForeignDatabaseRefused(str(error)) from error
        ordinary = [kind for kind, text in rows if not str(text).lstrip().upper().startswith("CREATE VIRTUAL")]
        return str(ordinary[0]) if len(rows) == 1 and ordinary else ""

    def rows(self, table: str, columns: Sequence[str], order: str) -> Iterator[Mapping[str, Any]]:
        """`table`, `columns` and `order` are names of ours. Raises ForeignDatabaseRefused."""
        try:
            there = {str(row[1]) for row in self._connection.execute(f"PRAGMA table_xinfo({table})") if row[6] == 0}
            wanted = [column for column in columns if column in there]
            if not wanted or order not in there:
                raise ForeignDatabaseRefused(f"{table} has other columns")
            sql = f"SELECT {', '.join(wanted)} FROM {table} ORDER BY {order}"  # noqa: S608 - names of ours
            for row in self._connection.execute(sql):
                yield {name: value if _is_plain(value) else None for name, value in zip(wanted, row, strict=True)}
        except (apsw.Error, UnicodeError) as error:
            raise ForeignDatabaseRefused(str(error)) from error


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float)
