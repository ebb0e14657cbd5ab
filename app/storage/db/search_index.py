"""The full-text index, in SQL: functions on a cursor, called with every write of a message or a title.

The index holds words and their positions, no text: row `n` of `search` is the message of that number, row `n` of
`title_search` the title of that session. An answer is entered when it is finished, so streaming costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw

from app.core.session.search import BREAK, spaced

from . import columns
from .encoding import clean, object_in

MESSAGES, TITLES, FACTS = "search", "title_search", "fact_search"
_ALL = (MESSAGES, TITLES, FACTS)
_AT_ONCE = 64
"""Pages of the index that are written in one transaction: some hundredths of a second."""
_MARKS = 1 << 53
"""From here on FTS5 numbers, in its own table of pages, the lists of rows that are deleted: part of its file format."""
_STEMMED = (
    "CREATE VIRTUAL TABLE {} USING fts5("
    "text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2')"
)
"""Facts are asked for by questions, which use other forms of the words: "allergic", "allergies"."""
_SCHEMA = (
    "CREATE VIRTUAL TABLE {} USING fts5("
    "text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')"
)


def create(cursor: apsw.Cursor) -> None:
    """The index, with everything in it that is stored already."""
    for table in (MESSAGES, TITLES):
        cursor.execute(_SCHEMA.format(table))
    rebuild(cursor)


def create_facts(cursor: apsw.Cursor) -> None:
    cursor.execute(_STEMMED.format(FACTS))


def put_fact(cursor: apsw.Cursor, n: int, text: str) -> None:
    _put(cursor, FACTS, n, text)


def remove_fact(cursor: apsw.Cursor, n: int) -> None:
    cursor.execute("DELETE FROM fact_search WHERE rowid = ?", (n,))


def rebuild(cursor: apsw.Cursor) -> None:
    for table in (MESSAGES, TITLES):
        _command(cursor, table, "delete-all")
    titles: list[Any] = cursor.execute("SELECT n, title FROM session WHERE title <> ''").fetchall()
    for n, title in titles:
        put_title(cursor, n, title)
    put_stored(cursor, "m.state NOT IN ('pending', 'streaming')")


def put_stored(cursor: apsw.Cursor, where: str, values: tuple[Any, ...] = ()) -> None:
    """Enters messages from their bodies. A body that cannot be read is left out, not in the way."""
    sql = f"SELECT m.n, b.json FROM message m JOIN body b ON b.message = m.n WHERE {where}"  # noqa: S608
    reading = cursor.connection.cursor()
    for n, text in reading.execute(sql, values):
        put_message(cursor, n, object_in(text))


def put_message(cursor: apsw.Cursor, n: int, body: Mapping[str, Any]) -> None:
    """`body` is the message's JSON, as stored."""
    _put(cursor, MESSAGES, n, f" {BREAK} ".join(text for _, text in texts_of(body)))


def put_title(cursor: apsw.Cursor, session: int, title: str) -> None:
    _put(cursor, TITLES, session, columns.text(title))


def _put(cursor: apsw.Cursor, table: str, row: int, text: str) -> None:
    sql = f"INSERT OR REPLACE INTO {table} (rowid, text) VALUES (?, ?)"  # noqa: S608 - a name of ours
    cursor.execute(sql, (row, spaced(clean(text))))


def remove_message(cursor: apsw.Cursor, n: int) -> None:
    cursor.execute("DELETE FROM search WHERE rowid = ?", (n,))


def remove_session(cursor: apsw.Cursor, session: int) -> None:
    """Before its rows are deleted. The words are gone from the file after `forget_some`."""
    cursor.execute("DELETE FROM search WHERE rowid IN (SELECT n FROM message WHERE session = ?)", (session,))
    cursor.execute("DELETE FROM title_search WHERE rowid = ?", (session,))


def has_to_forget(cursor: apsw.Cursor) -> bool:
    """Whether there are words in the index of what was deleted: its rows are only marked as such."""
    return any(_has_marks(cursor, table) for table in _ALL)


def forget_some(cursor: apsw.Cursor, *, begin: bool) -> bool:
    """Writes a part of the index again without the words of deleted rows. Whether to continue.

    The index of a million messages takes most of a minute, so it is done in pieces between which others write.
    """
    more = [_merge(cursor, table, begin) for table in _ALL if _has_marks(cursor, table)]
    return any(more)


def _has_marks(cursor: apsw.Cursor, table: str) -> bool:
    sql = f"SELECT EXISTS (SELECT 1 FROM {table}_data WHERE id >= ?)"  # noqa: S608 - a name of ours
    return bool(cursor.execute(sql, (_MARKS,)).get)


def _merge(cursor: apsw.Cursor, table: str, begin: bool) -> bool:
    """A negative number begins a merge of all segments, a positive one continues it; less than two changes: done."""
    before = cursor.connection.total_changes()
    _command(cursor, table, "merge", -_AT_ONCE if begin else _AT_ONCE)
    return cursor.connection.total_changes() - before >= 2


def _command(cursor: apsw.Cursor, table: str, what: str, number: int | None = None) -> None:
    sql = f"INSERT INTO {table} ({table}, rank) VALUES (?, ?)"  # noqa: S608 - a name of ours
    cursor.execute(sql, (what, number))


def texts_of(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """("message" or "result", text): what of a stored message can be found. Never raises."""
    visible = ""
    for part in _mappings(body.get("parts")):
        match part.get("kind"):
            case "text":
                visible += (text := _text(part.get("text")))
                yield "message", text
            case "tool":
                result = _mapping(part.get("result"))
                text, summary = _text(result.get("text")), _text(result.get("summary"))
                yield "result", text if summary in text else f"{summary}\n{text}"
            case "plan":
                steps = [_text(step.get("description")) for step in _mappings(part.get("steps"))]
                yield "message", "\n".join([_text(part.get("goal")), *steps])
            case "file":
                yield "message", f"{_text(part.get('name'))}\n{_text(part.get('text'))}"
    answer = _text(_mapping(body.get("end")).get("answer"))
    if answer and answer not in visible:
        yield "message", answer


def _mappings(value: Any) -> Iterable[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
