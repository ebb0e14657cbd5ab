"""Checks that everything stored can be read and is unchanged since it was written; one sentence per fault."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw

from app.core.errors import DataDamaged, InternalError

from ..db import row_checksums
from ..db.database import Database
from ..db.encoding import checksum, from_text
from ..db.migrations import MIGRATIONS, version_of
from ..stores import message_rows

MOST = 200
"""Sentences; what is broken all over needs no more."""


async def check_everything(db: Database) -> list[str]:
    """The file by SQLite, rows and attachments by their checksums, events and results by their form, too."""
    found: list[str] = []
    looks = (_links, _rows, _texts, partial(_attachments, folder=db.path.with_name("attachments")))
    surveys: list[Callable[[], Awaitable[list[str]]]] = [partial(file_problems, db)]
    surveys += [partial(db.survey, partial(_all_of, look)) for look in looks]
    for survey in surveys:
        try:
            found += await survey()
        except (DataDamaged, InternalError) as error:
            # A page that cannot be read at all ends this look, not the others.
            found.append(error.message)
    return found[: MOST + 1]


async def file_problems(db: Database) -> list[str]:
    """What SQLite finds wrong with the file; empty = nothing."""
    problems = await db.survey(lambda cursor: [str(row[0]) for row in cursor.execute("PRAGMA integrity_check(20)")])
    return [line for line in problems if line != "ok"]


def _all_of(look: Callable[[apsw.Cursor], Iterator[str]], cursor: apsw.Cursor) -> list[str]:
    return list(_first(look(cursor)))


def _first(faults: Iterator[str]) -> Iterator[str]:
    for n, fault in enumerate(faults):
        if n == MOST:
            yield "there are more"
            return
        yield fault


def _links(cursor: apsw.Cursor) -> Iterator[str]:
    rows: Any = cursor.execute('SELECT "table", count(*) FROM pragma_foreign_key_check GROUP BY "table"')
    for table, count in rows:
        yield f"{count} rows of the table {table} belong to a row that is gone"


def _rows(cursor: apsw.Cursor) -> Iterator[str]:
    """Not of data a newer version made: its columns may be others."""
    if version_of(cursor.connection) == len(MIGRATIONS):
        yield from row_checksums.faults(cursor)


def _attachments(cursor: apsw.Cursor, folder: Path) -> Iterator[str]:
    rows: Any = cursor.execute("SELECT hash, name FROM attachment ORDER BY hash")
    for ref, name in rows:
        try:
            content = (folder / ref).read_bytes() if message_rows.is_ref(ref) else b""
        except OSError:
            yield f"the file of the attachment {ref} ({name}) cannot be read"
        else:
            if sha256(content).hexdigest() != ref:
                yield f"the file of the attachment {ref} ({name}) is not what was written"


def _texts(cursor: apsw.Cursor) -> Iterator[str]:
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
