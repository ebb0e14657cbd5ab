"""The full-text index, in SQL. Functions on a cursor; whoever writes a message or a title calls them.

The index holds no text, only words and where they are: row `n` is the message of that number, row
`-n` the title of that session. An answer is entered when it is finished, so a stream costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw

from app.core.search import BREAK, spaced

from .encoding import clean, from_text

SCHEMA = (
    "CREATE VIRTUAL TABLE search USING fts5("
    "text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')"
)
_INSERT = "INSERT OR REPLACE INTO search (rowid, text) VALUES (?, ?)"


def create(cursor: apsw.Cursor) -> None:
    """The index, with everything in it that is stored already."""
    cursor.execute(SCHEMA)
    rebuild(cursor)


def rebuild(cursor: apsw.Cursor) -> None:
    cursor.execute("INSERT INTO search (search) VALUES ('delete-all')")
    titles: list[Any] = cursor.execute("SELECT n, title FROM session WHERE title <> ''").fetchall()
    for n, title in titles:
        put_title(cursor, n, title)
    put_stored(cursor, "m.state NOT IN ('pending', 'streaming')")


def put_stored(cursor: apsw.Cursor, where: str, values: tuple[Any, ...] = ()) -> None:
    """Enters messages from their bodies. A body that cannot be read is left out, not in the way."""
    sql = f"SELECT m.n, b.json FROM message m JOIN body b ON b.message = m.n WHERE {where}"  # noqa: S608
    reading = cursor.connection.cursor()
    for n, text in reading.execute(sql, values):
        try:
            body = from_text(text)
        except (ValueError, RecursionError):
            continue
        put_message(cursor, n, body)


def put_message(cursor: apsw.Cursor, n: int, body: Mapping[str, Any]) -> None:
    """`body` is the message's JSON, as stored."""
    _put(cursor, n, f" {BREAK} ".join(text for _, text in texts_of(body)))


def put_title(cursor: apsw.Cursor, session: int, title: str) -> None:
    _put(cursor, -session, title)


def _put(cursor: apsw.Cursor, row: int, text: str) -> None:
    cursor.execute(_INSERT, (row, spaced(clean(text))))


def remove_message(cursor: apsw.Cursor, n: int) -> None:
    cursor.execute("DELETE FROM search WHERE rowid = ?", (n,))


def remove_session(cursor: apsw.Cursor, session: int) -> None:
    """Before its rows are deleted. The words are gone from the file after `forget`."""
    rows = cursor.execute("SELECT n FROM message WHERE session = ?", (session,)).fetchall()
    cursor.executemany("DELETE FROM search WHERE rowid = ?", [(-session,), *rows])


def forget(cursor: apsw.Cursor) -> None:
    """Deleted rows are only marked as such; this writes the index anew without their words."""
    cursor.execute("INSERT INTO search (search) VALUES ('optimize')")


def texts_of(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """("message" or "result", text): what of a stored message can be found. Never raises."""
    said = ""
    for part in _mappings(body.get("parts")):
        match part.get("kind"):
            case "text":
                said += (text := _text(part.get("text")))
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
    if answer and answer not in said:
        yield "message", answer


def _mappings(value: Any) -> Iterable[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
