"""Rescues what can still be read in a damaged database: session by session, message by message.

Works on a copy, so the damaged file stays unchanged. A message counts only if its checksum is right. Run logs are not
rescued: a message has its whole answer.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from app.core.exchange.document import Body
from app.core.ids import new_id
from app.core.preferences import Preferences
from app.core.run.messages import Message
from app.core.run.outcome import UNFINISHED
from app.core.session.summary import SessionRow

from ..db import columns
from ..db import search_index as search_rows
from ..db.columns import row_of
from ..db.connection import FAULTS, connect
from ..db.database import Database
from ..db.encoding import checksum, clean, from_text, one_line
from ..db.opening import MAGIC
from ..folder.lenient_text import ForgivingCursor
from ..stores import message_rows as bodies
from ..stores import session_rows
from ..stores.session_rows import COLUMNS
from ..stores.sessions import PREVIEW_LENGTH
from ..stores.titles import title_from

log = logging.getLogger(__name__)

_NOT_OURS = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What reading a value raises that we have not written."""
_FIRST_STRETCH = 1_000
"""Numbers that are tried beyond the last one found."""


@dataclass(slots=True)
class SalvagedSession:
    """A session of the damaged file. `row` is None if only messages of it are left."""

    row: SessionRow | None
    messages: list[Body] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was brought back that the restored backup did not have."""

    sessions: int = 0
    messages: int = 0


async def salvage(db: Database, damaged: Path) -> Salvaged:
    """Adds to `db` what of `damaged` it does not have."""
    salvaged = await asyncio.to_thread(_read, damaged)
    return await db.write(lambda cursor: _add(cursor, salvaged))


def _read(damaged: Path) -> list[SalvagedSession]:
    with tempfile.TemporaryDirectory(prefix=".salvage-", dir=damaged.parent) as place:
        copy = Path(place) / "copy.db"
        shutil.copyfile(damaged, copy)
        wal = damaged.with_name(damaged.name + "-wal")
        if wal.exists():
            shutil.copyfile(wal, copy.with_name(copy.name + "-wal"))
        _mend_magic(copy)
        try:
            connection = connect(copy)
        except FAULTS:
            return []
        connection.cursor_factory = ForgivingCursor
        try:
            return _read_all(connection)
        finally:
            connection.close()


def _mend_magic(copy: Path) -> None:
    """Sixteen known bytes at the beginning: often all that is wrong."""
    with copy.open("rb+") as file:
        if file.read(len(MAGIC)) != MAGIC and copy.stat().st_size > len(MAGIC):
            file.seek(0)
            file.write(MAGIC)


def _read_all(connection: apsw.Connection) -> list[SalvagedSession]:
    found: dict[int, SalvagedSession] = {}
    names = ", ".join(COLUMNS)
    for n, values in _rows(connection, f"SELECT {names} FROM session WHERE n = ?"):  # noqa: S608 - our own names
        found[n] = SalvagedSession(row_of(SessionRow, values))
    sql = (
        "SELECT m.session, m.id, m.parent, m.role, m.created, m.state, m.run, b.json, b.checksum"
        " FROM message m JOIN body b ON b.message = m.n WHERE m.n = ?"
    )
    for _n, (session, *known, text, stored) in _rows(connection, sql):
        body = _body(text, stored)
        if body is not None:
            raw = {**body, **bodies.known_fields(known)}
            found.setdefault(columns.number(session), SalvagedSession(None)).messages.append(raw)
    return list(found.values())


def _rows(connection: apsw.Connection, sql: str) -> Iterator[tuple[int, Any]]:
    """One by one by their number: a page that cannot be read costs the rows on it and no others."""
    n, last = 0, _FIRST_STRETCH
    while n < last:
        n += 1
        try:
            row: Any = connection.execute(sql, (n,)).fetchall()
        except FAULTS:
            # Pages with nothing readable at all come to an end too, unless something is found after them.
            continue
        if row:
            last = max(last, n + max(_FIRST_STRETCH, n))
            yield n, row[0]


def _body(text: Any, stored: Any) -> Body | None:
    try:
        if checksum(text) != stored:
            return None
        body = from_text(text)
        Message.from_json({"id": "", "role": "user", **body})
    except _NOT_OURS:
        return None
    return dict(body)


def _add(cursor: apsw.Cursor, found: Iterable[SalvagedSession]) -> Salvaged:
    sessions = messages = 0
    for one in found:
        try:
            with cursor.connection:
                new_sessions, new_messages = _add_one(cursor, one)
        except UnicodeDecodeError:
            raise  # the transaction reads it all again, forgivingly
        except (apsw.ConstraintError, *_NOT_OURS) as error:
            log.warning("a session could not be taken out of the damaged file: %s", error)
        else:
            sessions, messages = sessions + new_sessions, messages + new_messages
    return Salvaged(sessions, messages)


def _add_one(cursor: apsw.Cursor, one: SalvagedSession) -> tuple[int, int]:
    """How many sessions and messages were added."""
    known, sessions = "SELECT session FROM message WHERE id = ?", 0
    places = {raw["id"]: cursor.execute(known, (raw["id"],)).get for raw in one.messages}
    missing = [raw for raw in one.messages if places[raw["id"]] is None]
    if one.row is not None:
        n = cursor.execute("SELECT n FROM session WHERE id = ?", (one.row.id,)).get
    else:
        # The session is the one that has the others of its messages.
        n = next((place for place in places.values() if place is not None), None)
    if n is None and (one.row is not None or missing):
        row = one.row or _nameless(missing)
        session_rows.insert_row(cursor, row, {})
        n, sessions = cursor.connection.last_insert_rowid(), 1
        search_rows.put_title(cursor, n, row.title)
    for raw in missing:
        state = "interrupted" if raw["state"] in UNFINISHED else raw["state"]
        whole = {**raw, "state": state}
        bodies.insert(cursor, n, Message.from_json(whole), raw=whole)
    return sessions, len(missing)


def _nameless(messages: list[Body]) -> SessionRow:
    """A session of which nothing but messages can be read any more."""
    whole = [Message.from_json(raw) for raw in messages]
    agent = next((one.start.agent for one in whole if one.start is not None), Preferences().default_agent)
    preview = one_line(clean(whole[-1].text), PREVIEW_LENGTH)
    title = title_from(clean(whole[0].text))
    return SessionRow(new_id(), title, agent, "", "", whole[0].created, whole[-1].created, preview=preview)
