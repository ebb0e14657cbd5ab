"""Conversations out to files and in from files.

An export is read again and compared before it is called done. An import is checked whole before
anything is stored, then stored whole or not at all; it brings words only: no permission, no key, no
model, no setting. Nothing is ever overwritten.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from app.core.errors import BadInput, DataDamaged, UnknownName
from app.core.exchange.document import SessionDocument
from app.core.exchange.options import Include
from app.core.exchange.pictures import picture_refs
from app.core.exchange.remarks import Remarks
from app.core.exchange.strict_json import ImportRefused, shortened
from app.core.exchange.suffix import SESSION_FILE
from app.core.run.messages import Message
from app.core.run.mode import mode_ids
from app.core.text.hidden import harmless
from app.core.text.i18n import _
from app.storage.folder.files import write_atomically
from app.storage.maintenance.session_transfer import Inserted, TransferStore
from app.storage.stores.attachments import AttachmentStore

from ..data.backups import BackupService
from ..data.session_notes import IMPORTED
from ..data.sessions import SessionService
from ..settings.settings import SettingsService
from .import_work import ImportWork

if TYPE_CHECKING:
    from .prepared_import import PreparedImport

Format = Literal["json", "md", "html", "docx"]
MOST_REMARKS = 100
ARCHIVE = ".zip"
LARGEST_PICTURES = 100_000_000
"""Bytes of all pictures in a page or a Word document."""
_PICTURE = re.compile(r'"att:([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported file: its suggested name and its content."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ImportReport:
    sessions: tuple[Inserted, ...] = ()
    remarks: tuple[str, ...] = ()
    """What was corrected, left out or unknown: a sentence in the user's language for each kind, with its count."""


class TransferService:
    def __init__(
        self,
        store: TransferStore,
        sessions: SessionService,
        settings: SettingsService,
        attachments: AttachmentStore,
        backups: BackupService,
        scratch: Path,
    ) -> None:
        self._scratch = scratch
        """A folder on the disk of the data, for files without a name."""
        self._store, self._sessions, self._settings = store, sessions, settings
        self._attachments, self._backups = attachments, backups

    # ------------------------------------------------------------ out

    async def export(self, ids: Sequence[str], format: Format, include: Include | None = None) -> Exported:
        """One session as one file; several as an archive (JSON), or one after the other. Raises UnknownName."""
        if not ids:
            raise BadInput("there is no session to export", reason="NO_SESSION")
        rows = [await self._sessions.row(id) for id in ids]
        name = file_name(rows[0].title)
        if format == "json":
            documents = [await self._store.read(id) for id in ids]
            files = await self._files_of(documents)
            if len(documents) > 1 or files:
                data = await asyncio.to_thread(_archive, documents, files)
                return Exported(f"{name}{ARCHIVE}", data)
            text = json.dumps(documents[0].to_json(), ensure_ascii=False, indent=1)
            return Exported(f"{name}.json", text.encode("utf-8", "replace"))
        pages = [_Page(row.title, row.agent, await self._sessions.messages(row.id)) for row in rows]
        pictures = {} if format == "md" else await self._pictures_of(pages)
        data = await asyncio.to_thread(_to_be_read, format, pages, include or Include(), pictures)
        return Exported(f"{name}.{format}", data)

    async def export_to(self, ids: Sequence[str], format: Format, path: Path, include: Include | None = None) -> Path:
        """Written whole or not at all, then read again; returns the file. Raises DiskFull, FolderUnusable, DataDamaged.

        An archive is never written under the name of another kind of file: beside it instead, under its own. A file
        named `.triptych` may be either.
        """
        exported = await self.export(ids, format, include)
        return await self.keep(exported, path)

    async def export_each(
        self, ids: Sequence[str], format: Format, folder: Path, include: Include | None = None
    ) -> list[Path]:
        """A file for each into `folder`; as JSON one archive. Raises as `export_to`."""
        groups = [list(ids)] if format == "json" else [[id] for id in ids]
        written: list[Path] = []
        for group in groups:
            exported = await self.export(group, format, include)
            written.append(await self.keep(exported, folder))
        return written

    async def store_temporary(self, id: str) -> str:
        """A temporary session is kept after all: returns the id of the stored one. Raises UnknownName."""
        document = await self._store.read(id)
        files = await self._files_of([document])
        for ref, data in files.items():
            await self._attachments.keep(ref, data)
        inserted = await self._store.insert([document], {ref: len(data) for ref, data in files.items()})
        self._sessions.changed(inserted[0].id)
        return inserted[0].id

    async def keep(self, exported: Exported, path: Path) -> Path:
        """Also for who makes a format of their own. In a folder nothing is overwritten. Raises as `export_to`."""
        return await asyncio.to_thread(_written, path, exported)

    async def _pictures_of(self, pages: Iterable[_Page]) -> dict[str, bytes]:
        """The pictures that are shown in them, as far as there is room in a file that is read as one."""
        pictures: dict[str, bytes] = {}
        room = LARGEST_PICTURES
        for ref in picture_refs(message for page in pages for message in page.messages):
            data = await self._attachments.read(ref)
            if data is not None and len(data) <= room:
                pictures[ref] = data
                room -= len(data)
        return pictures

    async def _files_of(self, documents: Iterable[SessionDocument]) -> dict[str, bytes]:
        """The attachments named in them that are there, and the pictures of their cards, by hash."""
        parts = [part for document in documents for message in document.messages for part in message["parts"]]
        refs = {part["ref"] for part in parts if part.get("kind") == "file" and part.get("ref")}
        cards = [(part.get("result") or {}).get("display") for part in parts if part.get("kind") == "tool"]
        refs |= set(_PICTURE.findall(json.dumps(cards)))
        read = {ref: await self._attachments.read(ref) for ref in sorted(map(str, refs))}
        return {ref: data for ref, data in read.items() if data is not None}

    # ------------------------------------------------------------ in

    async def import_files(self, paths: Sequence[Path]) -> ImportReport:
        """All that is in the files, or nothing. Raises ImportRefused (BadInput)."""
        prepared = await self.prepare(paths)
        return await self.carry_out(prepared)

    async def import_data(self, contents: Sequence[bytes]) -> ImportReport:
        prepared = await self._prepared([(io.BytesIO(data), None) for data in contents], ImportWork())
        return await self.carry_out(prepared)

    async def prepare(self, paths: Sequence[Path], work: ImportWork | None = None) -> PreparedImport:
        """Reads and checks everything, stores nothing; `work` says how far it is. Raises ImportRefused.

        Whoever does not carry it out closes it.
        """
        opened: list[tuple[IO[bytes], Path | None]] = []
        try:
            for path in paths:
                opened.append((await asyncio.to_thread(_opened, path), path))
            return await self._prepared(opened, work or ImportWork())
        finally:
            for file, _path in opened:
                file.close()

    async def _prepared(self, opened: Sequence[tuple[IO[bytes], Path | None]], work: ImportWork) -> PreparedImport:
        from .import_reading import ImportReader  # the forms of other programs are not for a start
        from .prepared_import import PreparedImport

        remarks = Remarks()
        reader = ImportReader(self._scratch, work, remarks)
        prepared = PreparedImport(reader, work)
        work.bytes_total = sum(file.seek(0, os.SEEK_END) for file, _path in opened)

        def read() -> None:
            for file, path in opened:
                for document in reader.read(file, path):
                    prepared.keep(self._at_home(document, remarks))

        try:
            await asyncio.to_thread(read)
            stored = await self._store.known([one.digest for one in prepared.conversations])
        except BaseException:
            work.cancel()
            prepared.close()
            raise
        prepared.conversations = [replace(one, known=one.digest in stored) for one in prepared.conversations]
        sentences = remarks.sentences()
        rest = len(sentences) - MOST_REMARKS
        more = [_("… and {n} more").format(n=rest)] if rest > 0 else []
        prepared.remarks = (*sentences[:MOST_REMARKS], *more)
        return prepared

    async def carry_out(self, prepared: PreparedImport, chosen: Collection[int] | None = None) -> ImportReport:
        """Stores what was chosen, of nothing all, in one transaction; closes `prepared`. Raises ImportRefused."""
        places = range(len(prepared.conversations)) if chosen is None else sorted(chosen)
        try:
            await self._backups.make("before-import")
            sizes: dict[str, int] = {}
            for ref, content in prepared.files(places).items():
                prepared.work.check()
                data = await asyncio.to_thread(content)
                await self._attachments.keep(ref, data)
                sizes[ref] = len(data)
            inserted = await self._store.insert(prepared.documents(places), sizes, note=IMPORTED)
        except BaseException:
            prepared.work.cancel()  # the thread of the database may still be at it
            raise
        finally:
            prepared.close()
        for one in inserted:
            if not one.known:
                self._sessions.changed(one.id)
        return ImportReport(tuple(inserted), prepared.remarks)

    def _at_home(self, document: SessionDocument, remarks: Remarks) -> SessionDocument:
        """With an agent and a mode there are here."""
        session = dict(document.session)
        try:
            self._settings.profile(session["agent"] or self._settings.preferences.default_agent)
        except UnknownName:
            remarks.add("agent", name=shortened(session["agent"]))
            session["agent"] = ""
        session["agent"] = session["agent"] or self._settings.preferences.default_agent
        if session["mode"] and session["mode"] not in mode_ids():
            remarks.add("mode", name=shortened(session["mode"]))
            session["mode"] = ""
        return replace(document, session=session)


@dataclass(frozen=True, slots=True)
class _Page:
    title: str
    agent: str
    messages: Sequence[Message]


def _to_be_read(format: Format, pages: Sequence[_Page], include: Include, pictures: Mapping[str, bytes]) -> bytes:
    """In a thread. What makes each format is loaded with its first export: the window starts without it."""
    if format == "html":
        from .export_html import to_html

        text = "\n".join(to_html(page.title, page.agent, page.messages, include, pictures) for page in pages)
        return harmless(text).encode("utf-8", "replace")
    from app.core.exchange.markdown import to_markdown

    is_word = format == "docx"
    texts = [to_markdown(page.title, page.agent, page.messages, include, with_pictures=is_word) for page in pages]
    text = harmless("\n".join(texts))
    if not is_word:
        return text.encode("utf-8", "replace")
    from .export_docx import to_docx

    return to_docx(text, pictures, pages[0].title)


def _archive(documents: Sequence[SessionDocument], files: Mapping[str, bytes]) -> bytes:
    from app.core.exchange.archive import write_archive

    return write_archive([document.to_json() for document in documents], files)


def _written(path: Path, exported: Exported) -> Path:
    target = path
    if path.is_dir():
        target = _free_place(path, exported.name)
    elif exported.name.endswith(ARCHIVE) and path.suffix.lower() not in (ARCHIVE, SESSION_FILE):
        # Nobody was asked about a file of this name.
        target = _free_place(path.parent, f"{path.stem}{ARCHIVE}")
    write_atomically(target, exported.data)
    if target.read_bytes() != exported.data:
        raise DataDamaged(
            f"{target} is not what was written",
            hint="try another disk",
            reason="NOT_WRITTEN",
            file=target.name,
            path=str(target),
        )
    return target


def _free_place(folder: Path, name: str) -> Path:
    first = folder / name
    others = (folder / f"{first.stem}-{n}{first.suffix}" for n in count(2))
    return first if not first.exists() else next(place for place in others if not place.exists())


def _opened(path: Path) -> IO[bytes]:
    from .import_reading import LARGEST_STREAM

    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise ImportRefused(f"{path} is not a file", reason="NO_FILE", file=path.name)
        if facts.st_size > LARGEST_STREAM:
            most = LARGEST_STREAM // 1_000_000
            raise ImportRefused(f"{path} is larger than {most} MB", reason="FILE_LARGE", most=most)
        if not facts.st_size:
            raise ImportRefused(f"{path} is empty", reason="EMPTY")
        return path.open("rb")
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}"
        raise ImportRefused(message, reason="FILE_UNREADABLE", file=path.name) from error


def file_name(title: str) -> str:
    """Of a title, what every system takes as the name of a file."""
    safe = "".join(char if char.isalnum() or char in " -_" else " " for char in title)
    return "-".join(safe.split())[:60].strip("-_") or "session"
