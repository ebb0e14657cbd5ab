"""Rows that are not what was written, set right again: from the log of their run and from the rows around them, or
by turning back a single bit.

The checksum of a row tells whether a guess is what was written. So nothing becomes what is merely likely, no copy
has to be made before, and what no guess explains stays as it is and stays named by `check_everything`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import combinations
from typing import Any, get_args

import apsw

from app.core.run.messages import Message
from app.core.run.outcome import MessageState
from app.core.run.transcript import Fold

from ..db import columns, row_checksums
from ..db.database import Database
from ..db.encoding import checksum, from_text, one_line, to_text
from ..db.migrations import MIGRATIONS, version_of
from ..db.row_checksums import DamagedRow
from ..stores import message_rows, run_rows
from ..stores.sessions import PREVIEW_LENGTH
from ..stores.titles import title_from

Guesses = Mapping[str, Iterable[Any]]
"""What may have stood in a column, the likeliest first."""
_LONGEST = 4096
"""Bytes of a value in which a turned bit is looked for: a quarter of a second."""
_INTEGER, _FLOAT = struct.Struct("<q"), struct.Struct("<d")


async def repair(db: Database) -> list[str]:
    """What was set right, a sentence each."""
    repaired: list[str] = []
    # The rows of messages and runs first: what is guessed of a session comes out of them.
    rows = await db.survey(_damaged_rows)
    for row in sorted(rows, key=lambda row: row.table.name == "session"):
        if await db.write(partial(_repair_row, row=row)):
            repaired.append(f"the row of {row.label} is again what was written")
    for n, label in await db.survey(_damaged_bodies):
        if await db.write(partial(_repair_body, n=n)):
            repaired.append(f"{label} is again what was written")
    return repaired


def _damaged_rows(cursor: apsw.Cursor) -> list[DamagedRow]:
    if version_of(cursor.connection) != len(MIGRATIONS):
        return []
    return [row for row in row_checksums.damaged(cursor) if row.stored is not None]


def _repair_row(cursor: apsw.Cursor, row: DamagedRow) -> bool:
    """The checksum stays: the row becomes again what it is the checksum of."""
    table, sources = row.table, {"message": _message_guesses, "run": _run_guesses, "session": _session_guesses}
    names = (*table.key, *table.others)
    values = dict(zip(names, row.values, strict=True))
    guesses = sources[table.name](cursor, values) if table.name in sources else {}
    changed = _explanation(row, names, guesses)
    if changed is None:
        return False
    # A value changed beside its index would not be found in it, which SQLite calls a damaged file.
    cursor.execute(f"REINDEX {table.name}").fetchall()
    assignments = ", ".join(f"{name} = ?" for name in changed)
    keys = [values[name] for name in table.key]
    try:
        with cursor.connection:
            cursor.execute(f"UPDATE {table.name} SET {assignments} WHERE {table.where}", (*changed.values(), *keys))  # noqa: S608
    except apsw.ConstraintError:
        return False  # another row says that it is this one
    return row_checksums.is_as_written(cursor, table.name, tuple(keys))


def _explanation(row: DamagedRow, names: tuple[str, ...], guesses: Guesses) -> dict[str, Any] | None:
    """The columns that make the row what was written."""
    for changed in _possible(row, names, guesses):
        values = [changed.get(name, value) for name, value in zip(names, row.values, strict=True)]
        if row_checksums.sum_of(values) == row.stored:
            return changed
    return None


def _possible(row: DamagedRow, names: tuple[str, ...], guesses: Guesses) -> Iterator[dict[str, Any]]:
    """One column by each of its guesses, several by their first ones, one by a bit."""
    present = dict(zip(names, row.values, strict=True))
    others = {name: [guess for guess in some if guess != present[name]] for name, some in guesses.items()}
    for name, some in others.items():
        yield from ({name: guess} for guess in some)
    firsts = [(name, some[0]) for name, some in others.items() if some]
    for count in range(2, len(firsts) + 1):
        yield from map(dict, combinations(firsts, count))
    for name, value in present.items():
        if name not in row.table.key:
            yield from ({name: guess} for guess in _one_bit_turned(value))


def _one_bit_turned(value: Any) -> Iterator[Any]:
    match value:
        case float():
            yield from (number for (number,) in _each_bit(_FLOAT.pack(value), _FLOAT))
            if value.is_integer() and abs(value) < 2**53:
                # SQLite stores it as a whole number.
                yield from (float(number) for number in _one_bit_turned(int(value)))
        case int():
            yield from (number for (number,) in _each_bit(_INTEGER.pack(value), _INTEGER))
        case bytes() if len(value) <= _LONGEST:
            yield from _each_bit(value)
        case str():
            yield from _texts_one_bit_apart(value.encode("utf-8", "surrogatepass"))


def _texts_one_bit_apart(data: bytes) -> Iterator[str]:
    if len(data) > _LONGEST:
        return
    for other in _each_bit(data):
        try:
            yield other.decode()
        except UnicodeDecodeError:
            continue


def _each_bit(data: bytes, form: struct.Struct | None = None) -> Iterator[Any]:
    other = bytearray(data)
    for n in range(8 * len(data)):
        other[n // 8] ^= 1 << n % 8
        yield bytes(other) if form is None else form.unpack(other)
        other[n // 8] ^= 1 << n % 8


# ------------------------------------------------------------ what other rows know


def _run_guesses(cursor: apsw.Cursor, row: Mapping[str, Any]) -> Guesses:
    folded, parents = _folded(cursor, row["n"])
    answers: list[Any] = cursor.execute(
        "SELECT id, session, run FROM message WHERE run = ? OR id = ?", (row["id"], row["message"])
    ).fetchall()
    guesses: dict[str, Iterable[Any]] = {
        "id": [run for _, _, run in answers],
        "session": [session for _, session, _ in answers],
        "message": [id for id, _, _ in answers],
        "parent": parents or [None],
        "state": [folded.state, *get_args(MessageState)],
        "owner": [None],
    }
    if folded.start is not None:
        guesses |= {"agent": [folded.start.agent], "mode": [folded.start.mode], "model": [folded.start.model]}
    if folded.end is not None:
        reason, steps, usage = run_rows.facts_of(folded.end)
        guesses |= {"reason": [reason], "steps": [steps], "usage": [to_text(usage)]}
    return guesses


def _message_guesses(cursor: apsw.Cursor, row: Mapping[str, Any]) -> Guesses:
    runs: list[Any] = cursor.execute(
        "SELECT n, id, message, session FROM run WHERE id = ? OR message = ?", (row["run"], row["id"])
    ).fetchall()
    folded = [_folded(cursor, n)[0] for n, _, _, _ in runs]
    around = "SELECT id FROM message WHERE session = ? ORDER BY n"
    others = [id for (id,) in cursor.execute(around, (row["session"],)).fetchall()]
    used = "SELECT seq FROM message WHERE session = ?"
    taken = {seq for (seq,) in cursor.execute(used, (row["session"],)).fetchall()}
    text = cursor.execute("SELECT CAST(json AS BLOB) FROM body WHERE message = ?", (row["n"],)).get
    lengths = [len(one.text) for one in folded]
    with suppress(UnicodeDecodeError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        lengths.append(len(Message.from_json({"id": "", "role": "user", **from_text(text.decode())}).text))
    return {
        "id": [message for _, _, message, _ in runs if message],
        "session": [session for _, _, _, session in runs if session is not None],
        "run": [id for _, id, _, _ in runs] or [None],
        "role": ["assistant" if runs else "user", "user", "assistant"],
        "state": [*(one.state for one in folded), "complete", *get_args(MessageState)],
        "parent": [None, *others],
        "seq": [seq for seq in range(1, len(others) + 2) if seq not in taken],
        "text_length": lengths,
        "owner": [None],
    }


def _session_guesses(cursor: apsw.Cursor, row: Mapping[str, Any]) -> Guesses:
    runs: list[Any] = cursor.execute(
        "SELECT agent, mode, model FROM run WHERE session = ? ORDER BY n DESC LIMIT 50", (row["n"],)
    ).fetchall()
    rows: list[Any] = cursor.execute(
        "SELECT id, created FROM message WHERE session = ? ORDER BY n", (row["n"],)
    ).fetchall()
    ends = [*rows[:1], *rows[-1:]]
    messages = message_rows.read_some(cursor, columns.text(row["id"]), [id for id, _ in ends])
    return {
        "agent": [agent for agent, _, _ in runs],
        "mode": ["", *(mode for _, mode, _ in runs)],
        "model": ["", *(model for _, _, model in runs)],
        "pinned": [0, 1],
        "archived": [0, 1],
        "trashed": [None],
        "folder": ["", *(name for (name,) in cursor.execute("SELECT DISTINCT folder FROM session").fetchall())],
        "title": ["", *(title_from(one.text) for one in messages[:1])],
        "preview": [one_line(one.text, PREVIEW_LENGTH) for one in messages[-1:]],
        "draft": [""],
        "extra": [None],
        "created": [created for _, created in ends[:1]],
        "updated": [created for _, created in ends[-1:]],
    }


def _folded(cursor: apsw.Cursor, run: int) -> tuple[Message, list[str]]:
    """The message the log of a run makes, and the run it says it is a part of."""
    fold, parents = Fold(""), []
    for line in run_rows.read_lines(cursor, run):
        fold.apply(line.event)
        parents = [line.parent] if line.parent else []
    return fold.message(), parents


# ------------------------------------------------------------ texts


def _damaged_bodies(cursor: apsw.Cursor) -> list[tuple[int, str]]:
    rows: Any = cursor.execute(
        "SELECT m.n, m.id, s.id, b.json, b.checksum FROM body b JOIN message m ON m.n = b.message"
        " LEFT JOIN session s ON s.n = m.session ORDER BY m.n"
    )
    return [
        (n, f"message {message} of session {session}")
        for n, message, session, text, stored in rows
        if checksum(text) != stored
    ]


def _repair_body(cursor: apsw.Cursor, n: int) -> bool:
    data, stored = cursor.execute("SELECT CAST(json AS BLOB), checksum FROM body WHERE message = ?", (n,)).get
    runs: list[Any] = cursor.execute(
        "SELECT r.n FROM message m JOIN run r ON r.id = m.run OR r.message = m.id WHERE m.n = ?", (n,)
    ).fetchall()
    guesses = [message_rows.body_text(_folded(cursor, run)[0]) for (run,) in runs]
    for text in (*guesses, *_texts_one_bit_apart(data)):
        if checksum(text) == stored:
            cursor.execute("UPDATE body SET json = ? WHERE message = ?", (text, n))
            return True
    return False
