"""Files a person added to a message, by the hash of their content: equal files are stored once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from pathlib import Path

from app.core.ids import is_temporary

from ..db.database import Database
from ..db.encoding import clean
from ..folder.errors import FolderUnusable
from ..folder.files import write_atomically
from .message_rows import is_ref


class AttachmentStore:
    def __init__(self, db: Database, folder: Path) -> None:
        self._db, self._folder = db, folder

    async def put(self, name: str, mime: str, data: bytes, *, session: str = "") -> str:
        """The content first, then its row; returns the hash that names it.

        That of a temporary session stays in memory, and goes with it.
        """
        ref = hashlib.sha256(data).hexdigest()
        if is_temporary(session):
            self._db.temporary.files.setdefault(session, {})[ref] = data
            return ref
        await self.keep(ref, data)
        values = (ref, clean(name), mime, len(data), time.time())
        sql = "INSERT OR IGNORE INTO attachment (hash, name, mime, size, created) VALUES (?, ?, ?, ?, ?)"
        await self._db.write(lambda cursor: cursor.execute(sql, values).fetchall())
        return ref

    async def keep(self, ref: str, data: bytes) -> None:
        """The content alone, of which `ref` is the hash; whoever stores the message makes its row."""
        path = self._folder / ref
        if not await asyncio.to_thread(path.exists):
            await asyncio.to_thread(write_atomically, path, data)

    async def read(self, ref: str) -> bytes | None:
        """None if there is no file of this hash; what is no hash names none."""
        if not is_ref(ref):
            return None
        for files in self._db.temporary.files.values() if self._db.has_temporary else ():
            if (data := files.get(ref)) is not None:
                return data
        try:
            return await asyncio.to_thread((self._folder / ref).read_bytes)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FolderUnusable(f"{self._folder / ref} cannot be read: {error.strerror or error}") from error
