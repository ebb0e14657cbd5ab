"""Requests to models as they were sent, compressed, in a table beside the log. Functions on a cursor.

Each request repeats the conversation before it, so only those of the newest runs are kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import apsw

from app.core.run.model_call import ModelCall

from ..db.encoding import from_text, to_text

RUNS_KEPT = 200


def put(cursor: apsw.Cursor, run: int, calls: Iterable[ModelCall]) -> None:
    for call in calls:
        body = zlib.compress(to_text(call.to_json()).encode(), 6)
        cursor.execute(
            "INSERT OR REPLACE INTO model_call (run, number, body) VALUES (?, ?, ?)", (run, call.number, body)
        )
    oldest = cursor.execute("SELECT DISTINCT run FROM model_call ORDER BY run DESC LIMIT 1 OFFSET ?", (RUNS_KEPT,)).get
    if oldest is not None:
        cursor.execute("DELETE FROM model_call WHERE run <= ?", (oldest,))


def of_run(cursor: apsw.Cursor, run: int) -> list[ModelCall]:
    """In order; one that cannot be read is skipped."""
    found: list[ModelCall] = []
    for (body,) in cursor.execute("SELECT body FROM model_call WHERE run = ? ORDER BY number", (run,)):
        try:
            found.append(ModelCall.from_json(from_text(zlib.decompress(body).decode())))
        except (ValueError, TypeError, zlib.error, RecursionError):
            continue
    return found
