"""Files a person added to a message, by the hash of their content: the same file is kept once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from pathlib import Path

from app.core.ids import is_temporary

from .database import Database
from .encoding import clean
from .files import write_atomically


class AttachmentStore:
    def __init__(self, db: Database, folder: Path) -> None:
        self._db, self._folder = db, folder

    async def put(self, name: str, mime: str, data: bytes, *, session: str = "") -> str:
        """The content first, then its row; returns the hash that names it.

        In a temporary session nothing is kept: the message has the text, and that is all there is of it.
        """
        ref = hashlib.sha256(data).hexdigest()
        if is_temporary(session):
            return ref
        path = self._folder / ref
        if not await asyncio.to_thread(path.exists):
            await asyncio.to_thread(write_atomically, path, data)
        values = (ref, clean(name), mime, len(data), time.time())
        sql = "INSERT OR IGNORE INTO attachment (hash, name, mime, size, created) VALUES (?, ?, ?, ?, ?)"
        await self._db.write(lambda cursor: cursor.execute(sql, values).fetchall())
        return ref
