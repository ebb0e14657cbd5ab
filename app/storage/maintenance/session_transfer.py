"""Whole sessions out of the database and into it, as documents. Functions of one transaction each."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import apsw

from app.core.errors import UnknownName
from app.core.exchange.document import RUN_FIELDS, SESSION_FIELDS, Body, SessionDocument
from app.core.ids import is_temporary, new_id
from app.core.run.event_line import Stamped
from app.core.run.messages import Message
from app.core.run.outcome import outcome_of
from app.core.run.view import view_of
from app.core.session.summary import SessionRow

from ..db import columns
from ..db import search_index as search_rows
from ..db.database import Database
from ..db.encoding import clean, names_in, object_in, one_line, readable, to_text
from ..stores import message_rows as bodies
from ..stores import run_rows, session_rows
from ..stores.sessions import PREVIEW_LENGTH
from ..stores.titles import title_from

_ATTACHMENT = "INSERT OR IGNORE INTO attachment (hash, name, mime, size, created) VALUES (?, ?, ?, ?, ?)"
_NOTE = "INSERT OR REPLACE INTO session_note (session, kind, body) VALUES (?, ?, ?)"
_LINE_FIELDS = ("v", "seq", "run", "session")
"""Of an event, what its row or its run's row knows."""


@dataclass(frozen=True, slots=True)
class Inserted:
    """What became of a document: `id` is where its session is now."""

    id: str
    title: str
    messages: int
    renamed: bool = False
    """Its id was taken, so it got a new one."""
    known: bool = False
    """It was here already; nothing was stored."""


class TransferStore:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def read(self, id: str) -> SessionDocument:
        """Raises UnknownName."""
        return await self._db.of(id).read(lambda cursor: read(cursor, id))

    async def insert(
        self, documents: Iterable[SessionDocument], files: Mapping[str, int] | None = None, *, note: str = ""
    ) -> list[Inserted]:
        """All of them or none; one at a time is held, and they may be asked for again.

        `files` are the sizes of attachments that are on the disk, by hash. `note` is put beside each new session.
        """
        sizes = files or {}

        def work(cursor: apsw.Cursor) -> list[Inserted]:
            inserted: list[Inserted] = []
            for document in documents:
                one = insert(cursor, document)
                inserted.append(one)
                _insert_files(cursor, document, sizes)
                if note and not one.known:
                    n = session_rows.number_of(cursor, one.id)
                    cursor.execute(_NOTE, (n, note, to_text(True)))
            return inserted

        return await self._db.write(work)

    async def known(self, digests: Collection[str]) -> frozenset[str]:
        """Those of which a session was made already."""
        wanted = frozenset(digests)
        sql = "SELECT iif(json_valid(extra), extra ->> 'digest', '') FROM session WHERE extra IS NOT NULL"
        return await self._db.read(lambda cursor: wanted & {str(row[0]) for row in cursor.execute(sql)})


def _insert_files(cursor: apsw.Cursor, document: SessionDocument, sizes: Mapping[str, int]) -> None:
    for part in (part for message in document.messages for part in message["parts"]):
        if part.get("kind") == "file" and part.get("ref") in sizes:
            ref, name, mime = part["ref"], clean(part["name"]), clean(part.get("mime") or "")
            cursor.execute(_ATTACHMENT, (ref, name, mime, sizes[ref], time.time()))


# ---------------------------------------------------------------- out


def read(cursor: apsw.Cursor, id: str) -> SessionDocument:
    row = session_rows.read_row(cursor, id)
    if row is None:
        raise UnknownName("session", id)
    n, extra_text = cursor.execute("SELECT n, extra FROM session WHERE id = ?", (id,)).get
    extra = object_in(extra_text)
    session = {**extra.get("session", {}), **{name: getattr(row, name) for name in SESSION_FIELDS}}
    kept: Mapping[str, Any] = extra.get("runs", {})
    runs = [_read_run(cursor, run, kept) for (run,) in _run_ids(cursor, n)]
    return SessionDocument(session, _shown(cursor, n), runs, extra.get("document", {}))


def _shown(cursor: apsw.Cursor, session: int) -> list[Body]:
    """Without what the person has deleted, also while it could still be taken back."""
    sql = "SELECT body FROM session_note WHERE session = ? AND kind = 'deleted'"
    note = cursor.execute(sql, (session,)).get
    hidden = set(names_in(readable(note)))
    messages = [message for message in bodies.read_raw(cursor, session) if message["id"] not in hidden]
    ids = {message["id"] for message in messages}
    return [message if message["parent"] in ids else {**message, "parent": None} for message in messages]


def _run_ids(cursor: apsw.Cursor, session: int) -> list[Any]:
    return cursor.execute("SELECT id FROM run WHERE session = ? ORDER BY n", (session,)).fetchall()


def _read_run(cursor: apsw.Cursor, id: str, kept: Mapping[str, Any]) -> Body:
    n, message, parent, started, ended, session = cursor.execute(
        "SELECT r.n, r.message, r.parent, r.started, r.ended, s.id FROM run r JOIN session s ON s.n = r.session"
        " WHERE r.id = ?",
        (id,),
    ).get
    lines: list[Any] = cursor.execute("SELECT seq, body FROM event WHERE run = ? ORDER BY seq", (n,)).fetchall()
    results: list[Any] = cursor.execute("SELECT call_id, body FROM result WHERE run = ? ORDER BY n", (n,)).fetchall()
    known: Body = {"id": columns.text(id), "message": _name(message), "parent": _name(parent)}
    known |= {"started": columns.moment(started), "ended": None if ended is None else columns.moment(ended)}
    # As far as they can be read: what comes after would not fit together.
    whole = takewhile(lambda line: line[1], ((seq, object_in(text)) for seq, text in lines))
    events = [{**body, "v": 1, "seq": seq, "run": id, "session": session} for seq, body in whole]
    return {
        **kept.get(id, {}),
        **known,
        "events": events,
        "results": {call: object_in(text) for call, text in results},
    }


def _name(value: Any) -> str | None:
    return None if value is None else columns.text(value)


# ---------------------------------------------------------------- in


def insert(cursor: apsw.Cursor, document: SessionDocument) -> Inserted:
    session, digest = document.session, document.digest()
    if (here := _already_here(cursor, document, digest)) is not None:
        return Inserted(here, session["title"], len(document.messages), known=True)
    if not document.is_dated:
        document = _dated(document, time.time())
        session = document.session
    ids = {table: _free_ids(cursor, table, wanted) for table, wanted in _wanted_ids(document).items()}
    id = ids["session"][session["id"]]
    messages = [_message_with(raw, ids) for raw in document.messages]
    row = _session_row(session, id, messages)
    session_rows.insert_row(cursor, row, {name: clean(getattr(row, name)) for name in ("title", "preview", "folder")})
    n = cursor.connection.last_insert_rowid()
    runs = {ids["run"][run["id"]]: run for run in document.runs}
    extra = {
        "digest": digest,
        "document": document.extra,
        "session": {key: value for key, value in session.items() if key not in SESSION_FIELDS},
        "runs": {new: {key: run[key] for key in run if key not in RUN_FIELDS} for new, run in runs.items()},
    }
    cursor.execute("UPDATE session SET extra = ? WHERE n = ?", (to_text(extra), n))
    if row.title:
        search_rows.put_title(cursor, n, row.title)
    for raw in messages:
        bodies.insert(cursor, n, Message.from_json(raw), raw=raw)
    for run_id, run in runs.items():
        _insert_run(cursor, n, id, run_id, run, ids)
    return Inserted(id, row.title, len(messages), renamed=id != session["id"])


def _dated(document: SessionDocument, now: float) -> SessionDocument:
    """Only after its digest: the same file read tomorrow is the same document."""
    session = {**document.session, "created": now, "updated": now}
    return replace(document, session=session, messages=[{**message, "created": now} for message in document.messages])


def _already_here(cursor: apsw.Cursor, document: SessionDocument, digest: str) -> str | None:
    """The session that was made of the same document, or would be exported as it."""
    same = "SELECT id FROM session WHERE extra IS NOT NULL AND iif(json_valid(extra), extra ->> 'digest', '') = ?"
    row = cursor.execute(same, (digest,)).get
    if row is not None:
        return str(row)
    id = document.session["id"]
    taken = cursor.execute("SELECT 1 FROM session WHERE id = ?", (id,)).get
    return id if taken and read(cursor, id).digest() == digest else None


def _wanted_ids(document: SessionDocument) -> dict[str, list[str]]:
    return {
        "session": [document.session["id"]],
        "message": [message["id"] for message in document.messages],
        "run": [run["id"] for run in document.runs],
    }


def _free_ids(cursor: apsw.Cursor, table: str, wanted: list[str]) -> dict[str, str]:
    """Each id as it is, or a new one where it is taken or is no text the disk takes."""
    sql = f"SELECT 1 FROM {table} WHERE id = ?"  # noqa: S608 - a name of ours

    def is_free(id: str) -> bool:
        return clean(id) == id and not is_temporary(id) and cursor.execute(sql, (id,)).get is None

    return {id: id if is_free(id) else new_id() for id in wanted}


def _message_with(raw: Body, ids: Mapping[str, Mapping[str, str]]) -> Body:
    """The message under its ids here. A run that did not come with it is named as it was."""
    parent, run = raw.get("parent"), raw.get("run")
    named = {"id": ids["message"][raw["id"]], "parent": None if parent is None else ids["message"].get(parent)}
    if run is not None:
        named["run"] = ids["run"].get(run, run)
    return {**raw, **named, "parts": [_part_with(part, ids["run"]) for part in raw["parts"]]}


def _part_with(part: Body, runs: Mapping[str, str]) -> Body:
    event = part.get("event")
    return {**part, "event": _event_with(event, runs)} if isinstance(event, dict) else part


def _event_with(event: Body, runs: Mapping[str, str]) -> Body:
    if event.get("type") == "subrun" and event.get("id") in runs:
        event = {**event, "id": runs[event["id"]]}
    if event.get("parent") in runs:
        event = {**event, "parent": runs[event["parent"]]}
    return event


def _session_row(session: Body, id: str, messages: list[Body]) -> SessionRow:
    texts = [Message.from_json(raw).answer for raw in messages[-1:]]
    title = session["title"]
    if not title:
        first = next((raw for raw in messages if raw["role"] == "user"), None)
        title = title_from(clean(Message.from_json(first).text)) if first else ""
    return SessionRow(
        id, title, clean(session["agent"]), clean(session["mode"]), "", session["created"], session["updated"],
        session["pinned"], session["folder"], session["archived"],
        preview=one_line(clean(texts[0]), PREVIEW_LENGTH) if texts else "",
    )  # fmt: skip


def _insert_run(
    cursor: apsw.Cursor, session_n: int, session: str, id: str, run: Body, ids: Mapping[str, Mapping[str, str]]
) -> None:
    lines = [Stamped.from_json({**line, "run": id, "session": session}) for line in run.get("events", [])]
    view = view_of(lines)
    start, state = view.start, outcome_of(view.end).state if view.end is not None else "interrupted"
    message, parent = str(run.get("message") or ""), str(run.get("parent") or "")
    cursor.execute(
        "INSERT INTO run (id, session, message, parent, agent, mode, model, started, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            id, session_n, ids["message"].get(message, message) or None, ids["run"].get(parent, parent) or None,
            clean(start.agent) if start else "", clean(start.mode) if start else "",
            clean(start.model) if start else "", run.get("started") or 0.0, state,
        ),
    )  # fmt: skip
    n = cursor.connection.last_insert_rowid()
    stored = [
        (n, line["seq"], to_text({k: v for k, v in _event_with(line, ids["run"]).items() if k not in _LINE_FIELDS}))
        for line in run.get("events", [])
    ]
    cursor.executemany("INSERT INTO event (run, seq, body) VALUES (?, ?, ?)", stored)
    run_rows.end(cursor, n, state, lines)
    cursor.execute("UPDATE run SET ended = ? WHERE n = ?", (run.get("ended"), n))
    results = [(n, clean(call), to_text(body)) for call, body in run.get("results", {}).items()]
    cursor.executemany("INSERT INTO result (run, call_id, body) VALUES (?, ?, ?)", results)
