"""Files and long pastes that go with a question. Text only: it is read here, checked, kept and sent along."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

from app.core.errors import BadInput
from app.core.messages import Attachment
from app.storage.attachments import AttachmentStore

LARGEST = 1_000_000
"""Bytes of one file."""
LONGEST = 200_000
"""Characters of one text: more would fill most models' window by itself."""
MOST = 10
"""Attachments of one message."""
_NAME = 120
_MIMES = {".md": "text/markdown", ".csv": "text/csv", ".json": "application/json", ".html": "text/html"}


class AttachmentRefused(BadInput):
    """The file is not one that can be sent along."""

    code = "ATTACHMENT"


class AttachmentService:
    def __init__(self, store: AttachmentStore) -> None:
        self._store = store

    async def add_file(self, path: Path, session: str = "") -> Attachment:
        """Raises AttachmentRefused; the file itself is only read. `session` is the one it is for, if there is one."""
        data = await asyncio.to_thread(_read, path)
        return await self._add(path.name, data, _decoded(path.name, data), session)

    async def add_text(self, name: str, text: str, session: str = "") -> Attachment:
        """A long paste as an attachment."""
        return await self._add(name, text.encode("utf-8", "replace"), text, session)

    async def _add(self, name: str, data: bytes, text: str, session: str) -> Attachment:
        if len(text) > LONGEST:
            raise AttachmentRefused(f"{name} is longer than {LONGEST:,} characters", name=name, why="long")
        mime = _MIMES.get(Path(name).suffix.lower(), "text/plain")
        shown = name[:_NAME]
        return Attachment(await self._store.put(shown, mime, data, session=session), shown, mime, text)


def _read(path: Path) -> bytes:
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise AttachmentRefused(f"{path.name} is not a file", name=path.name, why="no_file")
        if facts.st_size > LARGEST:
            raise AttachmentRefused(f"{path.name} is larger than {LARGEST // 1000} kB", name=path.name, why="large")
        with path.open("rb") as file:
            return file.read(LARGEST)
    except OSError as error:
        raise AttachmentRefused(
            f"{path.name} cannot be read: {error.strerror or error}", name=path.name, why="no_file"
        ) from error


def _decoded(name: str, data: bytes) -> str:
    if not data:
        raise AttachmentRefused(f"{name} is empty", name=name, why="empty")
    if b"\0" not in data:
        for encoding in ("utf-8-sig", "gb18030"):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                continue
    raise AttachmentRefused(f"{name} is not a text", name=name, why="no_text")
