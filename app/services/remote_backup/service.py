"""Backups at the person's place: made in pieces, looked into before anything comes back, brought together here.

A version is there when its list is: what a broken connection left behind is used by the next try. What comes back is
added to what is here: a session that both computers went on with is kept twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from app.core.errors import BadInput, DataDamaged, UnknownName
from app.core.exchange.document import SessionDocument
from app.core.exchange.storage_place import StoragePlace
from app.core.system.clock import CLOCK, Clock
from app.core.text.i18n import _
from app.core.text.moments import utc_time
from app.storage.db.backup import is_sound
from app.storage.db.database import Database
from app.storage.db.migrations import MIGRATIONS
from app.storage.maintenance.session_transfer import Inserted, TransferStore
from app.storage.stores.attachments import AttachmentStore
from app.storage.stores.session_notes import NoteStore

from ..data.backups import BackupService
from ..data.session_notes import IMPORTED
from ..data.sessions import SessionService
from .other_data import OtherData, place_of, scratch
from .schedule import STAMP, BackupSchedule
from .settings import BackupPlace, BackupSettings
from .vault import Vault, open_vault
from .version import BackupVersion, ListedItem, ListedSession, VersionRow

PIECE = 1 << 20
"""Bytes of the database and of files that are encrypted together: what did not change is not sent again."""


@dataclass(slots=True)
class BackupProgress:
    done: int = 0
    total: int = 0
    sent: int = 0
    """Bytes that went out, encrypted."""


@dataclass(frozen=True, slots=True)
class BackupPreview:
    version: BackupVersion
    new: tuple[ListedSession, ...]
    """Not here."""
    changed: tuple[ListedSession, ...]
    """Here in another state: both will be kept, where one is not the beginning of the other."""
    same: int
    new_items: tuple[ListedItem, ...] = ()
    """Settings, providers, agents, skills and knowledge bases that are not here."""
    changed_items: tuple[ListedItem, ...] = ()
    """Here in another state: both will be kept; of settings, what was changed here stays."""


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was added."""

    sessions: tuple[Inserted, ...]
    items: tuple[ListedItem, ...]


class RemoteBackupService:
    def __init__(
        self,
        settings: BackupSettings,
        backups: BackupService,
        sessions: SessionService,
        database: Database,
        attachments: AttachmentStore,
        others: OtherData,
        folder: Path,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        """`folder` is the data folder: what comes back lies in it while it is looked into."""
        self.settings = settings
        self._backups, self._sessions, self._db = backups, sessions, database
        self._attachments, self._others = attachments, others
        self._folder, self._clock = folder, clock
        self._at_work = asyncio.Lock()
        self.schedule = BackupSchedule(self, clock)

    async def back_up(self, progress: BackupProgress | None = None) -> BackupVersion:
        """Raises NotConfigured, PlaceFault, BadInput, DataDamaged, KeyUnreadable."""
        seen = progress or BackupProgress()
        async with self._at_work:
            where, place = await self.settings.opened()
            try:
                vault = await open_vault(place, await self.settings.passphrase(), make=True)
                return await self._send(where, place, vault, seen)
            finally:
                await place.close()

    async def versions(self) -> list[VersionRow]:
        """Newest first. Raises as `back_up`."""
        _where, place = await self.settings.opened()
        try:
            return await _versions(place)
        finally:
            await place.close()

    async def preview(self, name: str) -> BackupPreview:
        """Raises as `back_up`, UnknownName."""
        async with self._open(name) as (_place, _vault, version):
            rows = {row.id: row.updated for row in await self._sessions.rows()}
            new = tuple(one for one in version.sessions if one.id not in rows)
            same = sum(rows.get(one.id) == one.updated for one in version.sessions)
            changed = tuple(one for one in version.sessions if one.id in rows and rows[one.id] != one.updated)
            here = await self._others.here()
            missing = [one for one in version.items if not here.is_same(one)]
            new_items = tuple(one for one in missing if here.is_new(one))
            changed_items = tuple(one for one in missing if not here.is_new(one))
            return BackupPreview(version, new, changed, same, new_items, changed_items)

    async def restore(
        self, name: str, chosen: Collection[str] | None = None, progress: BackupProgress | None = None
    ) -> RestoreReport:
        """Adds what is not here; nothing that is here is changed. Raises as `preview`.

        `chosen`: these sessions alone, and nothing of the settings.
        """
        seen = progress or BackupProgress()
        async with self._at_work, self._open(name) as (place, vault, version):
            with scratch(self._folder) as aside:
                copy = Path(aside) / "sessions.db"
                await self._fetch(place, vault, version, copy, seen)
                if not await asyncio.to_thread(is_sound, copy, len(MIGRATIONS)):
                    raise DataDamaged("the database of the backup is not sound", reason="BACKUP_PIECE")
                other = Database(copy)
                try:
                    sessions = await self._bring_together(other, place, vault, version, chosen)
                finally:
                    await other.close()
            items = await self._bring_others(place, vault, version) if chosen is None and version.others else []
            return RestoreReport(tuple(sessions), tuple(items))

    # ------------------------------------------------------------ out

    async def _send(self, where: BackupPlace, place: StoragePlace, vault: Vault, seen: BackupProgress) -> BackupVersion:
        rows = await self._sessions.rows()
        copy = (await self._backups.make("remote")).path
        there = set(await place.names(_pieces(where.computer)))
        size = (await asyncio.to_thread(copy.stat)).st_size
        files = await asyncio.to_thread(self._files)
        seen.total = size + sum(files.values())
        items = await self._others.items()
        with scratch(self._folder) as aside:
            named = await self._others.write(Path(aside))
            seen.total += sum([(await asyncio.to_thread(path.stat)).st_size for path in named.values()])
            others = {
                name: await self._send_file(path, where, place, vault, there, seen) for name, path in named.items()
            }
        database = await self._send_file(copy, where, place, vault, there, seen)
        sent = {
            ref: await self._send_file(self._folder / "attachments" / ref, where, place, vault, there, seen)
            for ref in files
        }
        moment = self._clock.now()
        listed = [ListedSession(row.id, row.title, row.updated) for row in rows]
        version = BackupVersion(where.computer, where.name, moment, size, database, sent, listed, others, items)
        stamp = utc_time(moment).strftime(STAMP)
        data = await asyncio.to_thread(vault.sealed, version.to_bytes())
        await place.put(f"versions/{where.computer}/{stamp}.age", data)
        seen.sent += len(data)
        await self._prune(where, place, vault, version)
        return version

    def _files(self) -> dict[str, int]:
        folder = self._folder / "attachments"
        if not folder.is_dir():
            return {}
        return {one.name: one.stat().st_size for one in sorted(folder.iterdir()) if len(one.name) == 64}

    async def _send_file(
        self, path: Path, where: BackupPlace, place: StoragePlace, vault: Vault, there: set[str], seen: BackupProgress
    ) -> list[str]:
        names: list[str] = []
        with path.open("rb") as file:
            while content := await asyncio.to_thread(file.read, PIECE):
                name = vault.name_of(content)
                if name not in there:
                    data = await asyncio.to_thread(vault.sealed, content)
                    await place.put(f"{_pieces(where.computer)}/{name}", data)
                    there.add(name)
                    seen.sent += len(data)
                names.append(name)
                seen.done += len(content)
        return names

    async def _prune(self, where: BackupPlace, place: StoragePlace, vault: Vault, newest: BackupVersion) -> None:
        """Only of this computer: another may be at work at this moment."""
        own = [row for row in await _versions(place) if row.computer == where.computer]
        gone, kept = own[where.keep :], own[: where.keep]
        if not gone:
            return
        needed = set(newest.pieces)
        for row in kept:
            needed |= (await _read(place, vault, row)).pieces
        for row in gone:
            await place.delete(f"versions/{row.name}.age")
        for name in await place.names(_pieces(where.computer)):
            if name not in needed:
                await place.delete(f"{_pieces(where.computer)}/{name}")

    # ------------------------------------------------------------ in

    def _open(self, name: str) -> _Opened:
        return _Opened(self.settings, name)

    async def _fetch(
        self, place: StoragePlace, vault: Vault, version: BackupVersion, target: Path, seen: BackupProgress
    ) -> None:
        seen.total = version.size
        with target.open("wb") as file:
            for name in version.database:
                content = await _piece(place, vault, version, name)
                await asyncio.to_thread(file.write, content)
                seen.done += len(content)
        if seen.done != version.size:
            raise DataDamaged("the backup is not whole", reason="BACKUP_PIECE")

    async def _bring_others(self, place: StoragePlace, vault: Vault, version: BackupVersion) -> list[ListedItem]:
        with scratch(self._folder) as aside:
            for name, pieces in version.others.items():
                with place_of(name, Path(aside)).open("wb") as file:
                    for one in pieces:
                        await asyncio.to_thread(file.write, await _piece(place, vault, version, one))
            return await self._others.add(Path(aside), list(version.items), version.name)

    async def _bring_together(
        self, other: Database, place: StoragePlace, vault: Vault, version: BackupVersion, chosen: Collection[str] | None
    ) -> list[Inserted]:
        await other.open()
        theirs, ours = TransferStore(other), TransferStore(self._db)
        tainted = set(await NoteStore(other).sessions_with(IMPORTED))
        here = {row.id for row in await self._sessions.rows()}
        await self._backups.make("before-restore")
        added: list[Inserted] = []
        for listed in version.sessions:
            if chosen is not None and listed.id not in chosen:
                continue
            try:
                document = await theirs.read(listed.id)
            except UnknownName:
                continue  # deleted between the list and the copy
            if listed.id in here:
                if _is_within(document, await ours.read(listed.id)):
                    continue
                document = _named_after(document, version.name)
            sizes: dict[str, int] = {}
            for ref in _refs(document):
                if ref in version.files:
                    data = b"".join([await _piece(place, vault, version, one) for one in version.files[ref]])
                    await self._attachments.keep(ref, data)
                    sizes[ref] = len(data)
            note = IMPORTED if listed.id in tainted else ""
            added += [one for one in await ours.insert([document], sizes, note=note) if not one.known]
        for one in added:
            self._sessions.changed(one.id)
        return added


class _Opened:
    """A version with its place and its key; the place is closed at the end."""

    def __init__(self, settings: BackupSettings, name: str) -> None:
        self._settings, self._name = settings, name
        self._place: StoragePlace | None = None

    async def __aenter__(self) -> tuple[StoragePlace, Vault, BackupVersion]:
        _where, self._place = await self._settings.opened()
        try:
            vault = await open_vault(self._place, await self._settings.passphrase(), make=False)
            rows = await _versions(self._place)
            row = rows[0] if self._name == "latest" and rows else next((r for r in rows if r.name == self._name), None)
            if row is None:
                raise UnknownName("backup", self._name, [row.name for row in rows])
            return self._place, vault, await _read(self._place, vault, row)
        except BaseException:
            await self._place.close()
            raise

    async def __aexit__(self, *_error: object) -> None:
        if self._place is not None:
            await self._place.close()


def _pieces(computer: str) -> str:
    return f"pieces/{computer}"


async def _versions(place: StoragePlace) -> list[VersionRow]:
    rows: list[VersionRow] = []
    for computer in await place.names("versions"):
        for name in await place.names(f"versions/{computer}"):
            if name.endswith(".age"):
                stamp = name.removesuffix(".age")
                rows.append(VersionRow(f"{computer}/{stamp}", computer, stamp))
    return sorted(rows, key=_newest, reverse=True)


def _newest(row: VersionRow) -> str:
    return row.stamp


async def _read(place: StoragePlace, vault: Vault, row: VersionRow) -> BackupVersion:
    data = await place.get(f"versions/{row.name}.age")
    if data is None:
        raise BadInput("the version is no longer there", reason="NO_BACKUP_HERE")
    return BackupVersion.from_bytes(await asyncio.to_thread(vault.unsealed, data))


async def _piece(place: StoragePlace, vault: Vault, version: BackupVersion, name: str) -> bytes:
    data = await place.get(f"{_pieces(version.computer)}/{name}")
    if data is None:
        raise DataDamaged("a piece of the backup is missing", reason="BACKUP_PIECE")
    content = await asyncio.to_thread(vault.unsealed, data)
    if vault.name_of(content) != name:
        raise DataDamaged("a piece of the backup is not what its name says", reason="BACKUP_PIECE")
    return content


def _is_within(document: SessionDocument, here: SessionDocument) -> bool:
    """Whether all that was said there is here as well."""
    own_messages = {message["id"]: message for message in here.messages}
    return all(own_messages.get(message["id"], {}).get("parts") == message["parts"] for message in document.messages)


def _named_after(document: SessionDocument, computer: str) -> SessionDocument:
    title = _("{title} (from {computer})").format(title=document.session["title"], computer=computer)
    return replace(document, session={**document.session, "title": title[:1_000]})


def _refs(document: SessionDocument) -> Iterator[str]:
    import json
    import re

    with suppress(TypeError, ValueError):
        text = json.dumps([message["parts"] for message in document.messages])
        yield from sorted({*re.findall(r'"ref": "([0-9a-f]{64})"', text), *re.findall(r'"att:([0-9a-f]{64})"', text)})
