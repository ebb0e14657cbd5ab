"""Versioned JSON documents of the domains. Implements `core.stores.DocumentStore`."""

from __future__ import annotations

import time
from typing import Any

import apsw

from app.core.errors import DataDamaged
from app.core.stores import Document

from ..db.columns import row_of
from ..db.database import Database
from ..db.encoding import clean, from_text, to_text
from ..folder.errors import Stale

_SELECT = "SELECT kind, id, version, body, created FROM document"


class Documents:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def put(self, kind: str, id: str, body: Any, *, base: int | None = None) -> Document:
        """A new version. Raises Stale (BadInput, code STALE) if a newer one than `base` is stored."""
        kind, id, created = clean(kind), clean(id), time.time()

        def work(cursor: apsw.Cursor) -> tuple[int, Any]:
            text = to_text(body)  # in the thread of the database: it may be a megabyte
            newest = _newest(cursor, kind, id)
            if base is not None and newest != base:
                raise Stale(
                    f"{kind} {id} is at version {newest}, the change was made on {base}",
                    hint="read it again and repeat the change",
                    version=newest,
                    base=base,
                )
            # One past every version there is, so that a version once named never means something else.
            cursor.execute("INSERT INTO document VALUES (?, ?, ?, ?, ?)", (kind, id, newest + 1, text, created))
            return newest + 1, from_text(text)

        version, stored = await self._db.write(work)
        return Document(kind, id, version, stored, created)

    async def get(self, kind: str, id: str, version: int | None = None) -> Document | None:
        def work(cursor: apsw.Cursor) -> Document | None:
            wanted = _newest(cursor, kind, id) if version is None else version
            where = " WHERE kind = ? AND id = ? AND version = ?"
            if found := _documents(cursor, _SELECT + where, (kind, id, wanted)):
                return found[0]
            if cursor.execute(_SELECT + where, (kind, id, wanted)).get:
                raise DataDamaged(f"version {wanted} of {kind} {id} was damaged on the disk", kind=kind, id=id)
            return None

        return await self._db.read(work)

    async def list(self, kind: str) -> list[Document]:
        """The newest version of each, newest first."""
        newest = "version = (SELECT max(version) FROM document d WHERE d.kind = document.kind AND d.id = document.id)"
        sql = f"{_SELECT} WHERE kind = ? AND {newest} ORDER BY created DESC, rowid DESC"
        return await self._db.read(lambda cursor: _documents(cursor, sql, (kind,)))

    async def delete(self, kind: str, id: str) -> bool:
        """All versions. Whether there was one."""

        def work(cursor: apsw.Cursor) -> bool:
            cursor.execute("DELETE FROM document WHERE kind = ? AND id = ?", (kind, id))
            return cursor.connection.changes() > 0

        return await self._db.write(work)


def remove_of_session(cursor: apsw.Cursor, session: str) -> None:
    """What the session has read and noted; see `core.stores.DocumentStore`."""
    suffix = f":{session}"
    cursor.execute("DELETE FROM document WHERE substr(kind, -?) = ?", (len(suffix), suffix))
    # Few and short: texts of others have kinds of the form above.
    named = "instr(kind, ':') = 0 AND json_valid(body) AND json_extract(body, '$.session') = ?"
    cursor.execute(f"DELETE FROM document WHERE {named}", (session,))  # noqa: S608 - SQL of ours


def _newest(cursor: apsw.Cursor, kind: str, id: str) -> int:
    sql = "SELECT coalesce(max(version), 0) FROM document WHERE kind = ? AND id = ?"
    return int(cursor.execute(sql, (kind, id)).get)


def _documents(cursor: apsw.Cursor, sql: str, values: tuple[Any, ...]) -> list[Document]:
    """One that cannot be read is left out; it does not hide the others."""
    documents = []
    for kind, id, version, text, created in cursor.execute(sql, values):
        try:
            documents.append(row_of(Document, (kind, id, version, from_text(text), created)))
        except (ValueError, TypeError, RecursionError):
            continue
    return documents
