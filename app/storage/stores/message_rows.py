"""Messages as rows and back. Functions on a cursor: `sessions.py` and `runs.py` call them in transactions.

A message is in two tables: what a list needs in `message`, its parts as JSON in `body`, with a checksum that detects
damaged text. One damaged message never hides the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, get_args

import apsw

from app.core.run.events import Notice
from app.core.run.messages import Fact, Message, Part, Role, part_from_json
from app.core.run.outcome import UNFINISHED, MessageState

from ..db import columns
from ..db import search_index as search_rows
from ..db.encoding import checksum, from_text, object_in, to_text

_STATES = frozenset(get_args(MessageState))
_PICTURE = re.compile(r'"att:([0-9a-f]{64})"')
_NOT_OURS = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What reading a value raises that we have not written."""
_IN_COLUMNS = ("id", "parent", "role", "created", "state", "run")
_SELECT = (
    "SELECT m.id, m.parent, m.role, m.created, m.state, m.run, b.json, b.checksum"
    " FROM message m LEFT JOIN body b ON b.message = m.n"
)


def insert(
    cursor: apsw.Cursor,
    session: int,
    message: Message,
    owner: str | None = None,
    *,
    raw: Mapping[str, Any] | None = None,
) -> int:
    """Returns its place in the session, counted from 1. `raw` is an imported message's JSON, kept as it came."""
    seq = cursor.execute("SELECT coalesce(max(seq), 0) + 1 FROM message WHERE session = ?", (session,)).get
    cursor.execute(
        "INSERT INTO message (id, session, seq, parent, role, state, created, run, owner, text_length)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            message.id, session, seq, message.parent, message.role, message.state,
            message.created, message.run, owner, len(message.text),
        ),
    )  # fmt: skip
    _write_body(cursor, cursor.connection.last_insert_rowid(), message, raw)
    return int(seq)


def update(cursor: apsw.Cursor, session: int, message: Message, owner: str | None = None) -> bool:
    """Whether the session has such a message."""
    row = cursor.execute("SELECT n FROM message WHERE id = ? AND session = ?", (message.id, session)).get
    if row is None:
        return False
    cursor.execute(
        "UPDATE message SET parent = ?, state = ?, run = ?, owner = ?, text_length = ? WHERE n = ?",
        (message.parent, message.state, message.run, owner, len(message.text), row),
    )
    _write_body(cursor, row, message)
    return True


def read_all(cursor: apsw.Cursor, session: str) -> list[Message]:
    n = cursor.execute("SELECT n FROM session WHERE id = ?", (session,)).get
    return [_message(row) for row in cursor.execute(f"{_SELECT} WHERE m.session = ? ORDER BY m.seq", (n,))]


def read_some(cursor: apsw.Cursor, session: str, ids: Iterable[str]) -> list[Message]:
    """In the order of `ids`; those that are gone are left out."""
    n = cursor.execute("SELECT n FROM session WHERE id = ?", (session,)).get
    results = (cursor.execute(f"{_SELECT} WHERE m.id = ? AND m.session = ?", (id, n)).fetchall() for id in ids)
    return [_message(rows[0]) for rows in results if rows]


def read_refs(cursor: apsw.Cursor, session: int) -> list[str]:
    """The attachments named in a session, and the pictures its tools returned, each once."""
    sql = "SELECT b.json FROM message m JOIN body b ON b.message = m.n WHERE m.session = ? AND b.json LIKE '%\"file\"%'"
    refs: dict[str, None] = {}
    rows: list[Any] = cursor.execute(sql, (session,)).fetchall()
    for (text,) in rows:
        try:
            parts = [part for part in from_text(text)["parts"] if part.get("kind") == "file"]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue
        refs |= dict.fromkeys(ref for part in parts if is_ref(ref := part.get("ref")))
    refs_shown = (
        "SELECT b.json FROM message m JOIN body b ON b.message = m.n WHERE m.session = ?1 AND b.json LIKE '%\"att:%'"
    )
    result_query = (
        "SELECT s.body FROM run r JOIN result s ON s.run = r.n WHERE r.session = ?1 AND s.body LIKE '%\"att:%'"
    )
    results: list[Any] = cursor.execute(f"{refs_shown} UNION ALL {result_query}", (session,)).fetchall()
    for (text,) in results:
        refs |= dict.fromkeys(_PICTURE.findall(text))
    return list(refs)


def is_named(cursor: apsw.Cursor, ref: str) -> bool:
    """Whether any message or result of a tool names this attachment, in the bin too."""
    sql = "SELECT 1 FROM body WHERE instr(json, ?1) UNION ALL SELECT 1 FROM result WHERE instr(body, ?1) LIMIT 1"
    return cursor.execute(sql, (ref,)).get is not None


def is_ref(value: Any) -> bool:
    """A hash, so a name that leads nowhere else."""
    return isinstance(value, str) and len(value) == 64 and all(char in "0123456789abcdef" for char in value)


def read_raw(cursor: apsw.Cursor, session: int) -> list[dict[str, Any]]:
    """The JSON of every message as it is stored, unknown fields and all; what is damaged is flagged in it."""
    rows = cursor.execute(f"{_SELECT} WHERE m.session = ? ORDER BY m.seq", (session,))
    return [_raw(row) for row in rows]


def _raw(row: tuple[Any, ...]) -> dict[str, Any]:
    *values, text, stored_sum = row
    if text is None or stored_sum != checksum(text):
        return _message(row).to_json()
    fields = known_fields(values)
    if fields["state"] is None:
        return _message(row).to_json()
    if fields["run"] is None:
        del fields["run"]
    return {**from_text(text), **fields}


def known_fields(values: Sequence[Any]) -> dict[str, Any]:
    """What stands of a message in its row. A state that is none is left to how its run ended."""
    id, parent, role, created, state, run = values
    return {
        "id": columns.text(id),
        "parent": None if parent is None else columns.text(parent),
        "role": "user" if role == "user" else "assistant",
        "created": columns.moment(created),
        "state": state if state in _STATES else None,
        "run": None if run is None else columns.text(run),
    }


def body_text(message: Message) -> str:
    """What is stored of a message beside its row."""
    return to_text(_body(message.to_json()))


def _body(whole: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in whole.items() if key not in _IN_COLUMNS}


def _write_body(cursor: apsw.Cursor, n: int, message: Message, raw: Mapping[str, Any] | None = None) -> None:
    body = _body(message.to_json() if raw is None else raw)
    text = to_text(body)
    cursor.execute(
        "INSERT INTO body (message, json, checksum) VALUES (?, ?, ?)"
        " ON CONFLICT (message) DO UPDATE SET json = excluded.json, checksum = excluded.checksum",
        (n, text, checksum(text)),
    )
    if message.state not in UNFINISHED:
        search_rows.put_message(cursor, n, body)


def _message(row: tuple[Any, ...]) -> Message:
    *values, text, stored_sum = row
    fields = known_fields(values)
    body = object_in(text)
    try:
        message = Message.from_json({**body, **fields})
    except _NOT_OURS:
        role: Role = "user" if fields["role"] == "user" else "assistant"
        parts = tuple(_readable_parts(body.get("parts")))
        rest = Message(fields["id"], role, parts, fields["created"], fields["parent"], fields["run"])
        return _flagged(replace(rest, state=fields["state"] or "interrupted"), "changed" if parts else "unreadable")
    return message if stored_sum == checksum(text) else _flagged(message, "changed")


def _readable_parts(parts: Any) -> Iterator[Part]:
    """One part that cannot be read hides no others."""
    for part in parts if isinstance(parts, list) else ():
        with suppress(*_NOT_OURS):
            yield part_from_json(part)


def _flagged(message: Message, how: str) -> Message:
    """Said inside the message itself, where the person looks."""
    notice = Notice("message_damaged", "this message was damaged on the disk", {"how": how})
    return replace(message, parts=(*message.parts, Fact(notice)))
