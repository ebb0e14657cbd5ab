"""The last call of a tool, found in the event logs."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import apsw

from ..db.columns import row_of
from ..db.database import Database
from ..db.encoding import object_in

NEWEST_RUNS = 200
"""So far back it is looked for."""


@dataclass(frozen=True, slots=True)
class CallRow:
    """`call` and `result` are the events `tool_call` and `tool_result` as they were stored."""

    run: str
    started: float
    call: dict[str, Any]
    result: dict[str, Any]


class CallStore:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def last(self, pattern: str) -> CallRow | None:
        """The newest call that succeeded of a tool whose name the glob fits."""
        return await self._db.read(lambda cursor: _last(cursor, pattern))


def _last(cursor: apsw.Cursor, pattern: str) -> CallRow | None:
    rows: Any = cursor.execute(
        "SELECT r.n, r.id, r.started, e.body FROM (SELECT n, id, started FROM run ORDER BY n DESC LIMIT ?) r"
        " JOIN event e ON e.run = r.n WHERE iif(json_valid(e.body), e.body ->> '$.type', '') = 'tool_result'"
        " ORDER BY r.n DESC, e.seq DESC",
        (NEWEST_RUNS,),
    ).fetchall()
    for n, run, started, text in rows:
        result = object_in(text)
        if not result.get("ok") or not fnmatchcase(str(result.get("name", "")), pattern):
            continue
        call = cursor.execute(
            "SELECT body FROM event WHERE run = ?"
            " AND iif(json_valid(body), body ->> '$.type' = 'tool_call' AND body ->> '$.id' = ?, 0)",
            (n, result.get("id")),
        ).get
        if call is not None:
            return row_of(CallRow, (run, started, object_in(call), result))
    return None
