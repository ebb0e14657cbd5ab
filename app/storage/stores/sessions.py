"""Sessions and their messages. One row per message; additions are on the disk on return.

The code for messages is loaded with the first call that needs it, so the list of sessions costs no more than its rows.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import apsw

from app.core.errors import UnknownName
from app.core.ids import is_temporary
from app.core.session.summary import SessionRow

from ..db import row_checksums
from ..db import search_index as search_rows
from ..db.database import Database
from ..db.encoding import clean, one_line
from ..folder.errors import StorageBusy
from . import documents, session_rows
from .session_notes import NoteStore, read_notes
from .session_rows import CHANGEABLE, number_of
from .titles import title_from

if TYPE_CHECKING:
    from app.core.run.messages import Message

PREVIEW_LENGTH = 160
_ROUNDS = 3
"""Of going through the index: more may have been deleted meanwhile."""

Changes = Mapping[str, Mapping[str, Any]]
"""Fields by the id of their session."""


class SessionStore:
    def __init__(self, db: Database) -> None:
        self._db = db
        self.notes = NoteStore(db)

    async def rows(
        self, query: str = "", *, archived: bool = False, trashed: bool = False, limit: int = -1
    ) -> list[SessionRow]:
        """Temporary ones, then pinned, then newest first. Every word of `query` is in title, preview or folder."""

        def work(cursor: apsw.Cursor) -> list[SessionRow]:
            return session_rows.read_rows(cursor, query, archived=archived, trashed=trashed, limit=limit)

        temporary = await self._db.temporary.read(work) if self._db.has_temporary else []
        return temporary + await self._db.read(work)

    async def get(self, id: str) -> SessionRow:
        """Raises UnknownName."""
        row = await self._db.of(id).read(lambda cursor: session_rows.read_row(cursor, id))
        if row is None:
            raise UnknownName("session", id)
        return row

    async def create(self, row: SessionRow) -> SessionRow:
        texts = {name: clean(value) for name in CHANGEABLE if isinstance(value := getattr(row, name), str)}

        def work(cursor: apsw.Cursor) -> None:
            session_rows.insert_row(cursor, row, texts)
            if row.title:
                search_rows.put_title(cursor, cursor.connection.last_insert_rowid(), row.title)

        await self._db.of(row.id).write(work)
        return row

    async def update(self, id: str, **fields: Any) -> None:
        """`title`, `agent`, `mode`, `model`, `pinned`, `folder`, `archived`, `draft` …; raises UnknownName."""
        await self.update_many({id: fields})

    async def update_many(self, changes: Changes) -> Changes:
        """Several sessions at once, all or none; returns what those fields held, to be put back by another call.

        Raises UnknownName.
        """
        for fields in changes.values():
            if unknown := fields.keys() - CHANGEABLE:
                raise TypeError(f"a session has no {', '.join(sorted(unknown))}")
        before: dict[str, Mapping[str, Any]] = {}
        stored = [id for id in changes if not is_temporary(id)]
        for ids in (stored, [id for id in changes if is_temporary(id)]):
            if ids:
                some = {id: changes[id] for id in ids}
                before |= await self._db.of(ids[0]).write(partial(_update, changes=some))
        return before

    async def trash(self, id: str) -> None:
        """Into the bin; `restore` brings it back."""
        await self.update(id, trashed=time.time())

    async def restore(self, id: str) -> None:
        await self.update(id, trashed=None)

    async def purge(self, id: str) -> None:
        """For good, with messages, runs, files and what it has read. The rest goes with `forget`; but in backups."""
        from . import message_rows as bodies

        def work(cursor: apsw.Cursor) -> list[str]:
            session = cursor.execute("SELECT n FROM session WHERE id = ?", (id,)).get
            if session is None:
                return []
            refs = bodies.read_refs(cursor, session)
            search_rows.remove_session(cursor, session)
            cursor.execute("DELETE FROM session WHERE n = ?", (session,))
            documents.remove_of_session(cursor, id)
            orphans = [ref for ref in refs if not bodies.is_named(cursor, ref)]
            cursor.executemany("DELETE FROM attachment WHERE hash = ?", [(ref,) for ref in orphans])
            return orphans

        orphans = await self._db.of(id).write(work)
        if is_temporary(id):
            # What it names, it has for itself: a file of that hash on the disk is another one's.
            self._db.temporary.files.pop(id, None)
        else:
            await asyncio.to_thread(self._remove_files, orphans)

    async def is_as_written(self, id: str) -> bool:
        """Whether the row of the session is what the program has written last."""

        def work(cursor: apsw.Cursor) -> bool:
            return row_checksums.is_as_written(cursor, "session", (number_of(cursor, id),))

        return await self._db.of(id).read(work)

    async def forget(self) -> None:
        """The words of what was deleted for good leave the index, and its text the log of the last changes.

        A long work, done piece by piece, so that it holds up nobody. Raises StorageBusy if somebody reads all along.
        """
        for _ in range(_ROUNDS):
            if not await self._db.read(search_rows.has_to_forget):
                break
            begin = True
            while await self._db.write(partial(search_rows.forget_some, begin=begin)):
                begin = False
        for left in reversed(range(_ROUNDS)):
            try:
                await self._db.empty_wal()
            except StorageBusy:
                if not left:
                    raise
            else:
                return

    def _remove_files(self, refs: Iterable[str]) -> None:
        for ref in refs:
            with contextlib.suppress(OSError):
                (self._db.path.with_name("attachments") / ref).unlink()

    async def messages(self, id: str) -> list[Message]:
        """All of them, oldest first; variants stand side by side and name their parent."""
        from . import message_rows as bodies

        return await self._db.of(id).read(lambda cursor: bodies.read_all(cursor, id))

    async def conversation(self, id: str) -> tuple[SessionRow | None, list[Message], dict[str, Any]]:
        """The row, `messages` and the notes by their kind, in one read. None and nothing for an unknown session."""
        from . import message_rows as bodies

        return await self._db.of(id).read(
            lambda cursor: (session_rows.read_row(cursor, id), bodies.read_all(cursor, id), read_notes(cursor, id))
        )

    async def load(self, id: str, ids: Iterable[str]) -> list[Message]:
        """These messages of session `id`, in the order asked for."""
        from . import message_rows as bodies

        wanted = list(ids)
        return await self._db.of(id).read(lambda cursor: bodies.read_some(cursor, id, wanted))

    async def add_message(self, id: str, message: Message) -> int:
        """Returns its place in the session. It is on the disk then. The first question names the session."""
        from . import message_rows as bodies

        def work(cursor: apsw.Cursor) -> int:
            session = number_of(cursor, id)
            seq = bodies.insert(cursor, session, message)
            touch(cursor, session, message)
            return seq

        return await self._db.of(id).write(work)

    async def delete_messages(self, id: str, ids: Iterable[str]) -> None:
        """For good, with their runs. What named one of them as its parent names nothing any more.

        What is left of them goes with `forget`.
        """
        gone = list(ids)

        def work(cursor: apsw.Cursor) -> None:
            session = number_of(cursor, id)
            for one in gone:
                n = cursor.execute("SELECT n FROM message WHERE session = ? AND id = ?", (session, one)).get
                if n is None:
                    continue
                search_rows.remove_message(cursor, n)
                cursor.execute("UPDATE message SET parent = NULL WHERE session = ? AND parent = ?", (session, one))
                cursor.execute("DELETE FROM run WHERE session = ? AND message = ?", (session, one))
                cursor.execute("DELETE FROM message WHERE n = ?", (n,))

        await self._db.of(id).write(work)


def _update(cursor: apsw.Cursor, changes: Changes) -> dict[str, Mapping[str, Any]]:
    before: dict[str, Mapping[str, Any]] = {}
    for id, fields in changes.items():
        row = session_rows.read_row(cursor, id)
        if row is None:
            raise UnknownName("session", id)
        before[id] = {name: getattr(row, name) for name in fields}
        values = {name: clean(value) if isinstance(value, str) else value for name, value in fields.items()}
        if "title" in values:
            search_rows.put_title(cursor, number_of(cursor, id), values["title"])
        if sets := ", ".join(f"{name} = :{name}" for name in values):
            cursor.execute(f"UPDATE session SET {sets} WHERE id = :id", {**values, "id": id})  # noqa: S608
    return before


def touch(cursor: apsw.Cursor, session: int, message: Message) -> None:
    """The session was worked in: its time, its preview and, if it has none, its title."""
    text = clean(message.answer)
    cursor.execute(
        "UPDATE session SET updated = ?, preview = coalesce(?, preview) WHERE n = ?",
        (time.time(), one_line(clean(message.headline), PREVIEW_LENGTH) or None, session),
    )
    if message.role == "user" and (title := title_from(text)):
        cursor.execute("UPDATE session SET title = ? WHERE n = ? AND title = ''", (title, session))
        if cursor.connection.changes():
            search_rows.put_title(cursor, session, title)
