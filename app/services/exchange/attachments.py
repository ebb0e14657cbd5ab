"""Files and long pastes that go with a question: texts, pictures, PDF documents. Read, checked and stored here.

Text is part of the message; a picture is looked up by its hash when a request is made.
"""

from __future__ import annotations

import asyncio
import base64
import os
import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.core.errors import BadInput
from app.core.run.messages import Attachment, Message
from app.storage.stores.attachments import AttachmentStore

from .pdf_text import UnreadablePdf, pdf_text
from .picture_facts import picture_facts

LARGEST = 1_000_000
"""Bytes of one text."""
LARGEST_PICTURE, MOST_PIXELS = 10_000_000, 20_000_000
LARGEST_DOCUMENT = 20_000_000
"""Bytes of a PDF; of its text as much is kept as of any text."""
LARGEST_REQUEST = 20_000_000
"""Bytes of pictures that go with one request, the latest ones first."""
LONGEST = 200_000
"""Characters of one text: more would fill most models' window by itself."""
MOST = 10
"""Attachments of one message."""
_NAME = 120
_PDF = "application/pdf"
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".ico")
_READ = max(LARGEST, LARGEST_PICTURE, LARGEST_DOCUMENT)
_MIMES = {".md": "text/markdown", ".csv": "text/csv", ".json": "application/json", ".html": "text/html"}


class AttachmentRefused(BadInput):
    """The file cannot be sent with a question."""

    code = "ATTACHMENT"


class PictureRefused(AttachmentRefused):
    """Too large, or of a kind that is not shown."""

    code = "ATTACHMENT_PICTURE"


class DocumentRefused(AttachmentRefused):
    """No text can be read from it."""

    code = "ATTACHMENT_DOCUMENT"


class AttachmentService:
    def __init__(self, store: AttachmentStore) -> None:
        self._store = store

    async def add_file(self, path: Path, session: str = "") -> Attachment:
        """Raises AttachmentRefused; the file itself is only read. `session` is the one it is for, if there is one."""
        data = await asyncio.to_thread(_read, path)
        if data.startswith(b"%PDF-"):
            return await self._add_document(path.name, data, session)
        if picture_facts(data) is not None or path.suffix.lower() in _PICTURES:
            return await self.add_image(path.name, data, session)
        if len(data) > LARGEST:
            raise AttachmentRefused(f"{path.name} is larger than {LARGEST // 1000} kB", name=path.name, why="large")
        return await self._add(path.name, data, _decoded(path.name, data), session)

    async def add_image(self, name: str, data: bytes, session: str = "") -> Attachment:
        """A picture; nothing is decoded here. Raises PictureRefused."""
        facts = picture_facts(data)
        if facts is None:
            raise PictureRefused(f"{name} is no picture of a kind that is shown", name=name, why="kind")
        if len(data) > LARGEST_PICTURE or facts.pixels > MOST_PIXELS:
            raise PictureRefused(f"{name} is too large a picture", name=name, why="large")
        short_name = name[:_NAME]
        return Attachment(await self._store.put(short_name, facts.mime, data, session=session), short_name, facts.mime)

    async def content(self, ref: str) -> bytes | None:
        """None if there is no such file."""
        return await self._store.read(ref)

    async def data_urls(self, messages: Sequence[Message]) -> dict[str, str]:
        """Pictures of these messages as a request carries them, by reference; the latest ones if it gets too much."""
        found: dict[str, str] = {}
        room = LARGEST_REQUEST
        for file in (part for message in reversed(messages) for part in reversed(message.parts)):
            if not isinstance(file, Attachment) or not file.is_image or file.ref in found:
                continue
            data = await self._store.read(file.ref)
            if data is None:
                continue
            room -= len(data)
            if room < 0:
                break
            found[file.ref] = f"data:{file.mime};base64,{(await asyncio.to_thread(base64.b64encode, data)).decode()}"
        return found

    async def _add_document(self, name: str, data: bytes, session: str) -> Attachment:
        try:
            text = await asyncio.to_thread(pdf_text, data, LONGEST)
        except UnreadablePdf as error:
            raise DocumentRefused(f"no text in {name}: {error.why}", name=name, why=error.why) from error
        short_name = name[:_NAME]
        return Attachment(await self._store.put(short_name, _PDF, data, session=session), short_name, _PDF, text)

    async def add_text(self, name: str, text: str, session: str = "", *, origin: str = "") -> Attachment:
        """A long paste, or with `origin` what others wrote, as an attachment. Raises AttachmentRefused."""
        file = await self._add(name, text.encode("utf-8", "replace"), text, session)
        return replace(file, origin=origin)

    async def _add(self, name: str, data: bytes, text: str, session: str) -> Attachment:
        if len(text) > LONGEST:
            raise AttachmentRefused(f"{name} is longer than {LONGEST:,} characters", name=name, why="long")
        mime = _MIMES.get(Path(name).suffix.lower(), "text/plain")
        short_name = name[:_NAME]
        return Attachment(await self._store.put(short_name, mime, data, session=session), short_name, mime, text)


def _read(path: Path) -> bytes:
    try:
        _check_file(path, path.stat())
        # Once more when it is open, and opened without waiting: what was a file may be a pipe by now.
        with open(path, "rb", opener=_open) as file:
            facts = os.fstat(file.fileno())
            _check_file(path, facts)
            if facts.st_size > _READ:
                text = f"{path.name} is larger than {_READ // 1_000_000} MB"
                raise AttachmentRefused(text, name=path.name, why="large")
            return file.read(_READ + 1)
    except (OSError, ValueError) as error:
        raise AttachmentRefused(
            f"{path.name} cannot be read: {getattr(error, 'strerror', '') or error}", name=path.name, why="no_file"
        ) from error


def _check_file(path: Path, facts: os.stat_result) -> None:
    if not stat.S_ISREG(facts.st_mode):
        name = path.name or str(path)
        raise AttachmentRefused(f"{name} is not a file", name=name, why="no_file")


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def _decoded(name: str, data: bytes) -> str:
    if not data:
        raise AttachmentRefused(f"{name} is empty", name=name, why="empty")
    from app.core.text import encodings  # its patterns are not for a start

    try:
        return encodings.decoded(data).text
    except encodings.NoText as error:
        raise AttachmentRefused(f"{name} is not a text", name=name, why="no_text") from error
