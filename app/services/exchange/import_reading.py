"""The bytes of a file from outside as documents, whatever of the known kinds it is. Made for a worker thread."""

from __future__ import annotations

from dataclasses import replace

from app.core.exchange.document import SessionDocument, is_document, read_document
from app.core.exchange.foreign_parts import Files, ImportContext
from app.core.exchange.remarks import Remarks
from app.core.exchange.strict_json import ImportRefused, read_json
from app.storage.db.encoding import clean_all

from .attachments import LARGEST_PICTURE, MOST_PIXELS
from .picture_facts import picture_facts

LARGEST_FILE, LARGEST_TOTAL = 50_000_000, 200_000_000
"""Of a document, and of an archive."""
_OF_THE_ACCOUNT = frozenset((
    "chat.html", "user.json", "users.json", "user_settings.json", "message_feedback.json", "model_comparisons.json",
    "shared_conversations.json", "readme.txt", "readme.md", "export_manifest.json",
))  # fmt: skip
"""Beside the conversations: who the person is, and the same conversations once more."""


def read_import(data: bytes, remarks: Remarks) -> tuple[list[SessionDocument], dict[str, bytes]]:
    """The sessions, and their files by hash. Raises ImportRefused."""
    # Loaded with the first import: the window starts without them.
    from app.core.exchange.archive import ForeignArchive, is_archive, is_foreign_archive, read_archive

    if data.startswith(b"SQLite format 3"):
        raise ImportRefused(
            "a database is not imported",
            hint="`triptych sessions restore --backup` takes a backup back",
            reason="DATABASE",
        )
    if not is_archive(data):
        reading = ImportContext(remarks, Files(picture_kind=_picture_kind))
        return _documents(data, reading), reading.files.kept
    if not is_foreign_archive(data):
        archive = read_archive(data)
        documents = [read_document(clean_all(one), remarks) for one in archive.documents]
        return documents, dict(archive.attachments)
    foreign = ForeignArchive(data)
    reading = ImportContext(remarks, Files(foreign.find, _picture_kind))
    imported = [document for one in foreign.conversations for document in _documents(one, reading)]
    for name in foreign.unread():
        if name.lower() not in _OF_THE_ACCOUNT:
            remarks.add_named("archive_files", name)
    return imported, reading.files.kept


def _documents(data: bytes, reading: ImportContext) -> list[SessionDocument]:
    from app.core.exchange.foreign import read_foreign

    if len(data) > LARGEST_FILE:
        most = LARGEST_FILE // 1_000_000
        raise ImportRefused(f"the file is larger than {most} MB", reason="FILE_LARGE", most=most)
    value = read_json(data)
    if any(escape in data for escape in (b"\\ud", b"\\uD", b"\\u0000")):
        value = clean_all(value)  # nothing else can stand for half a character
    if is_document(value):
        return [read_document(value, reading.remarks)]
    # Read as our own: whatever another program wrote is held to the same rules.
    return [
        replace(read_document(document.to_json(), reading.remarks), is_dated=document.is_dated)
        for document in read_foreign(value, reading)
    ]


def _picture_kind(data: bytes) -> str:
    facts = picture_facts(data)
    return facts.mime if facts and facts.pixels <= MOST_PIXELS and len(data) <= LARGEST_PICTURE else ""
