"""A file from outside as documents, whatever of the known kinds it is. Made for a worker thread."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from app.core.exchange.document import SessionDocument, is_document, read_document
from app.core.exchange.foreign_parts import Files, ImportContext
from app.core.exchange.remarks import Remarks
from app.core.exchange.strict_json import ImportRefused, read_json
from app.storage.db.encoding import clean_all

from .attachments import LARGEST_PICTURE, MOST_PIXELS
from .import_work import ImportWork
from .kept_files import KeptFiles
from .picture_facts import picture_facts

if TYPE_CHECKING:
    from app.core.exchange.archive import ForeignArchive

LARGEST_FILE, LARGEST_TOTAL = 50_000_000, 200_000_000
"""Of a document read as a whole, and of an archive of ours."""
LARGEST_STREAM = 2_000_000_000
"""Of what is read piece by piece."""
_DATABASE = b"SQLite format 3"
_OF_THE_ACCOUNT = frozenset((
    "chat.html", "user.json", "users.json", "user_settings.json", "message_feedback.json", "model_comparisons.json",
    "shared_conversations.json", "readme.txt", "readme.md", "export_manifest.json",
))  # fmt: skip
"""Beside the conversations: who the person is, and the same conversations once more."""
_NO_TEXTS = ("NO_CONVERSATION", "NOT_JSON", "NOT_JSON_PART", "NO_MESSAGE", "EMPTY", "NOT_UTF8")
"""Why a file of an archive is none of conversations: it is passed over, and counted."""


class ImportReader:
    """Large files lie in `scratch` while they are read, without a name: a process that is killed leaves nothing."""

    def __init__(self, scratch: Path, work: ImportWork, remarks: Remarks) -> None:
        self._scratch, self._work = scratch, work
        self.kept = KeptFiles(self.spool())
        self.reading = ImportContext(remarks, Files(picture_kind=_picture_kind, kept=self.kept))

    def spool(self) -> IO[bytes]:
        return tempfile.TemporaryFile(dir=self._scratch)

    def close(self) -> None:
        self.kept.close()

    def read(self, file: IO[bytes], path: Path | None = None) -> Iterator[SessionDocument]:
        """`path` is where the file lies, if it lies somewhere. Raises ImportRefused."""
        # Loaded with the first import: the window starts without them.
        from app.core.exchange.archive import ForeignArchive, has_manifest, is_archive, read_archive

        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if file.read(len(_DATABASE)) == _DATABASE:
            yield from self._database(path)
        elif not is_archive(file):
            yield from self._text(file, size)
        elif has_manifest(file):
            if size > LARGEST_TOTAL:
                raise _too_large(LARGEST_TOTAL)
            file.seek(0)
            archive = read_archive(file.read())
            for ref, data in archive.attachments.items():
                self.kept[ref] = data
            for one in archive.documents:
                yield read_document(clean_all(one), self.reading.remarks)
        else:
            yield from self._archive(ForeignArchive(file, size))

    # ------------------------------------------------------------ archives of other programs

    def _archive(self, archive: ForeignArchive) -> Iterator[SessionDocument]:
        self.reading.files.find = archive.find
        count = 0
        for document in self._members(archive):
            count += 1
            yield document
        if not count:
            raise _no_conversation(archive.names())
        for name in archive.unread():
            if name.lower() not in _OF_THE_ACCOUNT:
                self.reading.remarks.add_named("archive_files", name)

    def _members(self, archive: ForeignArchive) -> Iterator[SessionDocument]:
        texts = {info.filename: info for info in archive.texts()}
        for name, info in texts.items():
            path = PurePosixPath(name)
            if path.name.lower() in _OF_THE_ACCOUNT or (
                path.name == "thread.json" and str(path.with_name("messages.jsonl")) in texts
            ):
                continue
            thread: Any = {}
            beside = texts.get(str(path.with_name("thread.json")))
            if path.name == "messages.jsonl" and beside is not None:
                thread = self._json_of(archive, beside.filename, beside)
            with self._passing_over(path.name), archive.opened(info) as file:
                yield from self._text(file, info.file_size, thread)
                archive.was_read(name)

    def _json_of(self, archive: ForeignArchive, name: str, info: Any) -> Any:
        if info.file_size > LARGEST_FILE:
            return {}
        with self._passing_over(name), archive.opened(info) as file:
            value = read_json(file.read(LARGEST_FILE))
            archive.was_read(name)
            return clean_all(value)
        return {}

    @contextmanager
    def _passing_over(self, name: str) -> Iterator[None]:
        try:
            yield
        except ImportRefused as error:
            if name.startswith("conversations") or error.params.get("reason") not in _NO_TEXTS:
                raise

    # ------------------------------------------------------------ one text

    def _text(self, file: IO[bytes], size: int, thread: Any = None) -> Iterator[SessionDocument]:
        from app.core.exchange.programs.lines import are_lines, read_lines

        if size > LARGEST_STREAM:
            raise _too_large(LARGEST_STREAM)
        if file.tell():
            file.seek(0)
        source = self._work.counting(file)
        if size > LARGEST_FILE:
            yield from self._checked(self._streamed(source))
            return
        data = source.read(LARGEST_FILE + 1)
        if are_lines(data):
            yield from self._checked(read_lines(data, thread, self.reading))
            return
        value = read_json(data)
        if any(escape in data for escape in (b"\\ud", b"\\uD", b"\\u0000")):
            value = clean_all(value)  # nothing else can stand for half a character
        if is_document(value):
            yield read_document(value, self.reading.remarks)
            return
        from app.core.exchange.foreign import read_foreign

        yield from self._checked(iter(read_foreign(value, self.reading)))

    def _streamed(self, source: Any) -> Iterator[SessionDocument]:
        from app.core.exchange.foreign import read_items, read_tables
        from app.core.exchange.json_stream import JsonStream
        from app.core.exchange.programs.registry import PLACES
        from app.core.exchange.programs.spooled_tables import SpooledTables

        stream = JsonStream(source)
        if stream.begins_with("["):
            values = stream.walk(_enters_the_list)
            yield from read_items((clean_all(value) for _path, value in values), self.reading)
            return
        with closing(self.spool()) as spool:
            yield from read_tables(SpooledTables.read(stream, spool, PLACES), self.reading)

    def _database(self, path: Path | None) -> Iterator[SessionDocument]:
        from app.core.exchange.foreign import read_tables
        from app.core.exchange.programs.pygpt import COLUMNS, ITEM, META
        from app.core.exchange.programs.spooled_tables import SpooledTables
        from app.storage.maintenance.foreign_database import ForeignDatabase, ForeignDatabaseRefused

        refused = ImportRefused(
            "a database is not imported",
            hint="`triptych sessions restore --backup` takes a backup back",
            reason="DATABASE",
        )
        if path is None:
            raise refused
        try:
            with closing(ForeignDatabase(path)) as database, closing(self.spool()) as spool:
                if not database.has(META, ITEM):
                    raise refused
                tables = SpooledTables(spool)
                for table in (META, ITEM):
                    for row in database.rows(table, COLUMNS[table], "id"):
                        self._work.check()
                        tables.keep_row(clean_all(dict(row)), table)
                yield from self._checked(read_tables(tables, self.reading))
        except ForeignDatabaseRefused as error:
            raise refused from error

    def _checked(self, documents: Iterator[SessionDocument]) -> Iterator[SessionDocument]:
        """Read as our own: whatever another program wrote is held to the same rules."""
        for document in documents:
            self._work.check()
            whole = read_document(clean_all(document.to_json()), self.reading.remarks)
            yield replace(whole, is_dated=document.is_dated, program=document.program)


def _enters_the_list(path: tuple[str, ...], _opened: str) -> bool:
    return not path


def _no_conversation(names: list[str]) -> ImportRefused:
    if any(name.startswith("IndexedDB/") for name in names):
        # The newer backup of Cherry Studio is a copy of the files of its browser.
        return ImportRefused("the archive is a copy of another program's database files", reason="BROWSER_COPY")
    return ImportRefused("there are no conversations in the archive", reason="NO_CONVERSATION")


def _too_large(largest: int) -> ImportRefused:
    most = largest // 1_000_000
    return ImportRefused(f"the file is larger than {most} MB", reason="FILE_LARGE", most=most)


def _picture_kind(data: bytes) -> str:
    facts = picture_facts(data)
    return facts.mime if facts and facts.pixels <= MOST_PIXELS and len(data) <= LARGEST_PICTURE else ""
