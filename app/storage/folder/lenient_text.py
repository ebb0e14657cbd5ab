"""Reads text that is no longer valid UTF-8.

One flipped bit can make a stored text invalid, and SQLite would then return no row of that list. A transaction that
meets such a text is repeated with this cursor: it reads every text as bytes and replaces what is invalid. Slower, and
only needed after a disk fault.
"""

from __future__ import annotations

from typing import Any

import apsw


class ForgivingCursor(apsw.Cursor):
    def execute(self, statements: str, bindings: Any = None, **named: Any) -> apsw.Cursor:
        self.row_trace = None
        super().execute(statements, bindings, **named)
        if not statements.lstrip().upper().startswith(("SELECT", "WITH")):
            return self
        try:
            count = len(self.description)
        except apsw.ExecutionCompleteError:
            return self  # not one row
        names = [f"c{n}" for n in range(count)]
        columns = ", ".join(
            f"typeof({c}), CASE typeof({c}) WHEN 'text' THEN CAST({c} AS BLOB) ELSE {c} END" for c in names
        )
        wrapped = f"WITH q ({', '.join(names)}) AS ({statements}) SELECT {columns} FROM q"  # noqa: S608 - our own statement
        self.row_trace = _decoded
        return super().execute(wrapped, bindings, **named)

    @property
    def get(self) -> Any:
        """As apsw has it: no more brackets than there are rows and columns."""
        rows = [row[0] if len(row) == 1 else row for row in self.fetchall()]
        return rows if len(rows) > 1 else rows[0] if rows else None


def _decoded(_cursor: apsw.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
    pairs = zip(row[::2], row[1::2], strict=True)
    return tuple(value.decode("utf-8", "replace") if kind == "text" else value for kind, value in pairs)
