"""Whether everything that is stored can be read and is what was written; each fault in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import apsw

from app.core.errors import DataDamaged

from ..db.database import Database
from ..db.encoding import checksum, from_text

MOST = 200
"""Sentences; what is broken all over needs no more."""


async def check_everything(db: Database) -> list[str]:
    """The file by SQLite, then every message by its checksum, every event and result by its form."""
    found: list[str] = []
    for look in (db.check, partial(db.survey, lambda cursor: list(_first(_faults(cursor))))):
        try:
            found += await look()
        except DataDamaged as error:
            # A page that cannot be read at all ends this look, not the other.
            found.append(error.message)
    return found


def _first(faults: Iterator[str]) -> Iterator[str]:
    for n, fault in enumerate(faults):
        if n == MOST:
            yield "there are more"
            return
        yield fault


def _faults(cursor: apsw.Cursor) -> Iterator[str]:
    rows: Any = cursor.execute(
        "SELECT m.id, s.id, b.json, b.checksum FROM message m LEFT JOIN session s ON s.n = m.session"
        " LEFT JOIN body b ON b.message = m.n ORDER BY m.n"
    )
    for message, session, text, stored in rows:
        place = f"message {message} of session {session}"
        if text is None:
            yield f"{place} has lost its text"
        elif checksum(text) != stored:
            yield f"{place} is not what was written"
        elif not _is_json(text):
            yield f"{place} cannot be read"
    rows = cursor.execute("SELECT r.id, e.seq, e.body FROM event e JOIN run r ON r.n = e.run ORDER BY e.run, e.seq")
    for run, seq, text in rows:
        if not _is_json(text):
            yield f"event {seq} of run {run} cannot be read"
    for run, call, text in cursor.execute("SELECT r.id, t.call_id, t.body FROM result t JOIN run r ON r.n = t.run"):
        if not _is_json(text):
            yield f"the result of call {call} of run {run} cannot be read"


def _is_json(text: Any) -> bool:
    try:
        return isinstance(from_text(text), dict)
    except (ValueError, TypeError, RecursionError):
        return False
