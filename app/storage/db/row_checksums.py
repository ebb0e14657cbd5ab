"""Checksums of rows, so that a value changed on the disk is noticed in what is beside the texts, too.

A message's text has its checksum in `body`. Everything else – times, titles, states, what follows what –
is covered here: one checksum per row in the table `row_checksum`, and one per finished run over all lines of
its log. No writer has to think of it: SQLite tells which rows a transaction touches (`RowChecksums`), and their
checksums are written with it, so the work per write does not grow with what is stored. Who adds a column adds
it here; after a migration all checksums are written again.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeVar

import apsw

T = TypeVar("T")
Key = tuple[Any, ...]
SIZE = 8
LOG = 0
"""The `kind` of the checksums of logs; their key is the number of the run."""
_OPEN = "('pending', 'streaming')"
_TYPES = {int: "integer", float: "real", bytes: "blob", type(None): "null"}


@dataclass(frozen=True, slots=True)
class Table:
    """`key` are the columns of the primary key, which are its first ones; `label` is SQL that tells which row it is."""

    kind: int
    name: str
    key: tuple[str, ...]
    label: str
    others: tuple[str, ...]
    has_rowid: bool = True

    @property
    def stored_key(self) -> str:
        """SQL for how the row is named in the table of checksums."""
        return self.key[0] if len(self.key) == 1 else " || ',' || ".join(f"quote({column})" for column in self.key)

    @property
    def given_key(self) -> str:
        return "?" if len(self.key) == 1 else " || ',' || ".join("quote(?)" for _ in self.key)

    @property
    def values(self) -> str:
        """Texts as bytes: one that is no UTF-8 any more is read like any other."""
        return ", ".join(
            f"typeof({column}), CASE typeof({column}) WHEN 'text' THEN CAST({column} AS BLOB) ELSE {column} END"
            for column in (*self.key, *self.others)
        )

    @property
    def where(self) -> str:
        return " AND ".join(f"{column} IS ?" for column in self.key)


_SESSION = "' of session ' || coalesce((SELECT id FROM session WHERE n = session), '?')"
_OF_RUN = "' of run ' || coalesce((SELECT id FROM run WHERE n = run), '?')"

COVERED = (
    Table(1, "session", ("n",), "'session ' || id", (
        "id", "title", "agent", "mode", "model", "created", "updated", "pinned", "folder", "archived", "trashed",
        "preview", "draft", "extra",
    )),
    Table(2, "message", ("n",), f"'message ' || id || {_SESSION}", (
        "id", "session", "seq", "parent", "role", "state", "created", "run", "owner", "text_length",
    )),
    Table(3, "run", ("n",), "'run ' || id", (
        "id", "session", "message", "parent", "agent", "mode", "model", "started", "ended", "state", "reason",
        "steps", "usage", "owner",
    )),
    Table(4, "result", ("n",), f"'result ' || call_id || {_OF_RUN}", ("run", "call_id", "body")),
    Table(5, "model_call", ("n",), f"'request ' || number || {_OF_RUN}", ("run", "number", "body")),
    Table(6, "tool_intent", ("run", "call_id"), f"'call ' || call_id || {_OF_RUN}", (
        "name", "args_hash", "state", "permit", "server", "started", "ended",
    ), has_rowid=False),
    Table(7, "session_note", ("session", "kind"), f"'note ' || kind || {_SESSION}", ("body",), has_rowid=False),
    Table(8, "rating", ("message",), "'rating of message ' || message", (
        "agent", "mode", "query", "value", "created",
    ), has_rowid=False),
    Table(9, "document", ("kind", "id", "version"), "kind || ' ' || id || ', version ' || version", (
        "body", "created",
    ), has_rowid=False),
    Table(10, "attachment", ("hash",), "'attachment ' || hash", ("name", "mime", "size", "created"), has_rowid=False),
    Table(11, "meta", ("id",), "'counts'", ("made", "clean", "messages", "highest")),
    Table(12, "fact", ("n",), "'remembered fact ' || id", (
        "id", "agent", "text", "kind", "about", "state", "session", "run", "created", "valid_from",
        "valid_to", "replaces", "used",
    )),
)  # fmt: skip
_BY_NAME = {table.name: table for table in COVERED}
_RUN = _BY_NAME["run"]


class RowChecksums:
    """The rows that are touched by the transactions of one connection, and their checksums written with them."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._rows: dict[tuple[Table, Key], bytes | None] = {}
        """With the checksum of what stood there before it was changed, None for a row that is new."""
        self._logs: set[int] = set()
        connection.preupdate_hook(self._touch)

    def following(self, work: Callable[[apsw.Cursor], T]) -> Callable[[apsw.Cursor], T]:
        """The same work, the checksums of its rows written at the end."""

        def with_checksums(cursor: apsw.Cursor) -> T:
            self._rows, self._logs = {}, set()
            result = work(cursor)
            rows, logs = self._rows, self._logs
            plain = apsw.Cursor(cursor.connection)
            for (table, key), before in rows.items():
                # What was damaged stays so for whoever looks: another column of the row was changed, or this one.
                if before is None or before == _stored(plain, table, key):
                    _write(plain, table, key)
                if table is _RUN and key[0] not in logs:
                    _write_of_log(plain, key[0], is_new=False)
            for run in logs:
                _write_of_log(plain, run, is_new=True)
            return result

        return with_checksums

    def _touch(self, update: apsw.PreUpdate) -> None:
        is_event = update.table_name == "event"
        table = _BY_NAME.get(update.table_name)
        if table is None and not is_event:
            return
        try:
            old, new = update.old, update.new
        except UnicodeDecodeError:
            # A text that was damaged before, or is now. A key that is in it is named by `faults` as it is.
            old, new = None, None
        if table is None:
            if new is not None and isinstance(run := new[0], int):
                self._logs.add(run)
            return
        if table.has_rowid:
            key: Key = (update.rowid_new,)
        elif (row := new or old) is not None:
            key = tuple(row[: len(table.key)])
        else:
            return
        before = (_sum(_typed(old)) if old is not None else b"") if update.op == "UPDATE" else None
        self._rows.setdefault((table, key), before)


def write_all(cursor: apsw.Cursor) -> None:
    """All that is stored, as it is; for a migration."""
    cursor.execute("DELETE FROM row_checksum")
    reading = apsw.Cursor(cursor.connection)
    for table in COVERED:
        rows = reading.execute(f"SELECT {table.stored_key}, {table.values} FROM {table.name}")  # noqa: S608 - ours
        _insert(cursor, ((table.kind, row[0], _sum(row[1:])) for row in rows))
    runs: list[Any] = reading.execute(f"SELECT n FROM run WHERE state NOT IN {_OPEN}").fetchall()  # noqa: S608 - ours
    _insert(cursor, ((LOG, n, _sum_of_log(reading, n)) for (n,) in runs))


@dataclass(frozen=True, slots=True)
class DamagedRow:
    """`values` are those of the key and of the other columns; a text that is no UTF-8 is bytes."""

    table: Table
    label: str
    values: tuple[Any, ...]
    stored: bytes | None
    """The checksum of what was written, None if there is none under this key."""


def damaged(cursor: apsw.Cursor) -> Iterator[DamagedRow]:
    """Every row that is not what was written."""
    for table in COVERED:
        yield from _damaged_in(cursor, table)


def _damaged_in(cursor: apsw.Cursor, table: Table) -> Iterator[DamagedRow]:
    rows: Any = apsw.Cursor(cursor.connection).execute(
        f"SELECT CAST({table.label} AS BLOB), c.sum, {table.values} FROM {table.name}"  # noqa: S608 - ours
        f" LEFT JOIN row_checksum c ON c.of_table = {table.kind} AND c.of_row = {table.stored_key}"
    )
    for label, stored, *values in rows:
        if stored != _sum(values):
            yield DamagedRow(table, _text(label), tuple(_untyped(values)), stored)


def sum_of(values: Iterable[Any]) -> bytes:
    """The checksum of a row with these values."""
    return _sum(_typed(values))


def faults(cursor: apsw.Cursor) -> Iterator[str]:
    """Every row that is not what was written, or is gone, in a sentence."""
    for table in COVERED:
        for row in _damaged_in(cursor, table):
            yield f"the row of {row.label} is not what was written"
        gone = (
            f"SELECT count(*) FROM (SELECT of_row FROM row_checksum WHERE of_table = {table.kind}"  # noqa: S608 - ours
            f" EXCEPT SELECT {table.stored_key} FROM {table.name})"
        )
        if count := cursor.connection.execute(gone).get:
            yield f"{count} rows are gone from the table {table.name}"
    logs: Any = apsw.Cursor(cursor.connection).execute(
        f"SELECT CAST(r.id AS BLOB), r.n, c.sum FROM run r LEFT JOIN row_checksum c"  # noqa: S608 - ours
        f" ON c.of_table = {LOG} AND c.of_row = r.n WHERE r.state NOT IN {_OPEN}"
    )
    for label, n, stored in logs:
        if stored != _sum_of_log(apsw.Cursor(cursor.connection), n):
            yield f"the log of run {_text(label)} is not what was written"


def is_as_written(cursor: apsw.Cursor, table: str, key: Key) -> bool:
    """Of one row; False also if there is none."""
    wanted = _BY_NAME[table]
    row = _row(apsw.Cursor(cursor.connection), wanted, key)
    return row is not None and row == _stored(cursor, wanted, key)


def _stored(cursor: apsw.Cursor, table: Table, key: Key) -> Any:
    sql = f"SELECT sum FROM row_checksum WHERE of_table = {table.kind} AND of_row = {table.given_key}"  # noqa: S608 - ours
    return apsw.Cursor(cursor.connection).execute(sql, key).get


def _write(cursor: apsw.Cursor, table: Table, key: Key) -> None:
    total = _row(cursor, table, key)
    if total is None:
        cursor.execute(f"DELETE FROM row_checksum WHERE of_table = {table.kind} AND of_row = {table.given_key}", key)  # noqa: S608
    else:
        put = f"INSERT OR REPLACE INTO row_checksum (of_table, of_row, sum) VALUES ({table.kind}, {table.given_key}, ?)"  # noqa: S608
        cursor.execute(put, (*key, total))


def _write_of_log(cursor: apsw.Cursor, run: int, *, is_new: bool) -> None:
    """Once the run has ended: while it is running, each line would mean to read all before. `is_new`: it has grown."""
    over = cursor.execute(f"SELECT 1 FROM run WHERE n = ? AND state NOT IN {_OPEN}", (run,)).get  # noqa: S608 - ours
    if is_new or not over:
        cursor.execute("DELETE FROM row_checksum WHERE of_table = ? AND of_row = ?", (LOG, run))
    if over and cursor.execute("SELECT 1 FROM row_checksum WHERE of_table = ? AND of_row = ?", (LOG, run)).get is None:
        _insert(cursor, [(LOG, run, _sum_of_log(cursor, run))])


def _insert(cursor: apsw.Cursor, rows: Iterable[tuple[int, Any, bytes]]) -> None:
    cursor.executemany("INSERT OR REPLACE INTO row_checksum (of_table, of_row, sum) VALUES (?, ?, ?)", rows)


def _row(cursor: apsw.Cursor, table: Table, key: Key) -> bytes | None:
    found: list[Any] = cursor.execute(f"SELECT {table.values} FROM {table.name} WHERE {table.where}", key).fetchall()  # noqa: S608
    return _sum(found[0]) if found else None


def _sum(values: Iterable[Any]) -> bytes:
    """Of pairs of type and value: 1, 1.0 and '1' are three different values."""
    total = blake2b(digest_size=SIZE)
    for value in values:
        if isinstance(value, str):  # a type
            total.update(value[:1].encode())
        elif isinstance(value, float):
            total.update(struct.pack("<d", value))
        elif value is not None:
            data = value if isinstance(value, bytes) else str(value).encode()
            total.update(struct.pack("<q", len(data)))
            total.update(data)
    return total.digest()


def _typed(values: Iterable[Any]) -> Iterator[Any]:
    """As `Table.values` reads them."""
    for value in values:
        if isinstance(value, str):
            yield "text"
            yield value.encode("utf-8", "surrogatepass")
        else:
            yield _TYPES[type(value)]
            yield value


def _untyped(pairs: Sequence[Any]) -> Iterator[Any]:
    for kind, value in zip(pairs[::2], pairs[1::2], strict=True):
        try:
            yield value.decode() if kind == "text" else value
        except UnicodeDecodeError:
            yield value


def _sum_of_log(cursor: apsw.Cursor, run: int) -> bytes:
    total = blake2b(digest_size=SIZE)
    for seq, body in cursor.execute("SELECT seq, CAST(body AS BLOB) FROM event WHERE run = ? ORDER BY seq", (run,)):
        total.update(f"{seq},{len(body or b'')},".encode())
        total.update(body or b"")
    return total.digest()


def _text(label: Any) -> str:
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else "that has no name"
