"""Backups of everything: made automatically, kept by a rule, restored with one call.

One is made when the data changed and half an hour passed, when a window closes, before an import and before a restore
(migrations make their own). Each is checked when it is written.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.errors import BadInput, DataDamaged, InternalError, TriptychError, UnknownName
from app.core.system.clock import CLOCK, Clock
from app.storage.db.backup import Backup, backups_in, is_sound
from app.storage.db.backup_rule import is_due, superfluous
from app.storage.db.database import Database
from app.storage.db.migrations import MIGRATIONS

from .data_folder import RunningSessions

if TYPE_CHECKING:
    from app.storage.maintenance.salvage import Salvaged

log = logging.getLogger(__name__)

EVERY = 1_800.0
"""Seconds."""
SPARED = 50_000_000
"""Bytes."""
LATEST = "latest"


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did, to be told in a sentence."""

    backup: Backup
    before: Backup | None
    """The copy of what was there until then."""
    damaged: Path | None
    """Where the damaged database was put; also one that could not be copied."""
    salvaged: Salvaged
    """What was read out of it that the backup did not have."""


class BackupService:
    def __init__(self, database: Database, folder: Path, runs: RunningSessions, *, clock: Clock = CLOCK) -> None:
        self._db, self._folder, self._runs, self._clock = database, folder, runs, clock
        self._watch: asyncio.Task[None] | None = None
        self._making = asyncio.Lock()
        self._changes = 0
        """Of the database, when the last copy was made."""

    def rows(self) -> list[Backup]:
        """Newest first."""
        return backups_in(self._folder)

    async def make(self, why: str = "manual") -> Backup:
        """Raises DataDamaged if the copy is not sound, DiskFull, FolderUnusable."""
        async with self._making:
            changes = self._db.changes
            path = await self._db.back_up(why, now=self._clock.now())
            self._changes = changes
        await asyncio.to_thread(self._prune)
        return next(backup for backup in self.rows() if backup.path == path)

    async def make_if_due(self, every: float = EVERY) -> Backup | None:
        """If the data changed since the last one and that is long enough ago."""
        if not is_due(self.rows(), self._changed(), self._clock.now(), every):
            return None
        if not await asyncio.to_thread(self._has_room):
            log.warning("there is too little space for a copy of the conversations")
            return None
        return await self.make("regular")

    def watch(self) -> None:
        """For a process that stays: makes copies by itself from now on, and one at the end."""
        if self._watch is None:
            self._watch = asyncio.create_task(self._make_regularly(), name="backups")

    async def close(self) -> None:
        """Before the database is closed. A copy that cannot be made does not hold up the shutdown."""
        watched, self._watch = self._watch, None
        if watched is not None:
            watched.cancel()
            await asyncio.gather(watched, return_exceptions=True)
        if self._db.changes == self._changes:
            return
        with contextlib.suppress(TriptychError, OSError):
            await self.make_if_due(0.0 if watched is not None else EVERY)

    async def newest_good(self) -> Backup | None:
        """The newest copy that could be restored."""
        return await asyncio.to_thread(lambda: next((b for b in self.rows() if _is_good(b.path)), None))

    async def offer(self, error: DataDamaged) -> DataDamaged:
        """`error` with the way out: which copy there is and how to take it back."""
        backup = await self.newest_good()
        if backup is None:
            return error
        hint = f"`triptych sessions restore --backup latest` takes back the copy {backup.path}"
        return DataDamaged(error.message, hint=hint, **{**error.params, "copy": str(backup.path)})

    async def start_anew(self) -> Backup:
        """Deletes every copy and makes a new one: for what was erased and shall not be in any."""
        fresh = await self.make("fresh")
        for backup in self.rows():
            if backup.path != fresh.path:
                with contextlib.suppress(OSError):
                    backup.path.unlink()
        return fresh

    async def begin_empty(self) -> Path | None:
        """For who has nothing worth taking back: an empty database; the old one is set aside, the copies stay.

        Returns where the old one is now. Raises BadInput while an agent works.
        """
        if self._runs.running_sessions():
            raise BadInput(
                "an agent is still working", hint="stop it, or wait until it has ended", reason="AGENT_WORKING"
            )
        return await self._db.begin_empty()

    async def restore(self, name: str = LATEST) -> Restored:
        """`name` of a row, or the newest good one. Raises UnknownName, DataDamaged, and BadInput while an agent works.

        What is there now is copied first if it is sound; if not it is set aside, and what can still be
        read in it is added to what the backup holds.
        """
        if self._runs.running_sessions():
            raise BadInput(
                "an agent is still working", hint="stop it, or wait until it has ended", reason="AGENT_WORKING"
            )
        backup = await self._named(name)
        before = await self._copy_before()
        # Loaded when it is needed, which is hardly ever.
        from app.storage.maintenance.salvage import Salvaged, salvage

        damaged = await self._db.take_back(backup.path, keep=before is None)
        salvaged = Salvaged()
        if damaged is not None:
            try:
                salvaged = await salvage(self._db, damaged)
            except Exception as error:  # noqa: BLE001 - out of a damaged file may come anything; the copy is back
                log.warning("nothing could be read out of %s: %s", damaged, error)
        return Restored(backup, before, damaged, salvaged)

    async def _named(self, name: str) -> Backup:
        if name == LATEST:
            backup = await self.newest_good()
            if backup is None:
                raise DataDamaged("there is no backup that could be restored", reason="NO_COPY", path=str(self._folder))
            return backup
        rows = self.rows()
        wanted = next((row for row in rows if name in (row.name, row.path.name)), None)
        if wanted is None:
            raise UnknownName("backup", name, [row.name for row in rows])
        if not await asyncio.to_thread(_is_good, wanted.path):
            raise DataDamaged(
                f"the copy {wanted.path} is damaged",
                hint="take an older one",
                reason="COPY_DAMAGED",
                file=wanted.path.name,
                path=str(wanted.path),
            )
        return wanted

    async def _copy_before(self) -> Backup | None:
        try:
            return await self.make("before-restore") if await asyncio.to_thread(_is_good, self._db.path) else None
        except (DataDamaged, InternalError):
            return None

    def _changed(self) -> float:
        """When the data last did, by the files."""
        files = (self._db.path, self._db.path.with_name(self._db.path.name + "-wal"))
        return max((path.stat().st_mtime for path in files if path.exists()), default=0.0)

    def _has_room(self) -> bool:
        """A copy made unasked never takes the last space."""
        return shutil.disk_usage(self._db.path.parent).free > 2 * self._db.path.stat().st_size + SPARED

    def _prune(self) -> None:
        rows = self.rows()
        for backup in superfluous(rows, self._clock.now()):
            with contextlib.suppress(OSError):
                backup.path.unlink()

    async def _make_regularly(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            if self._db.changes == self._changes:
                continue
            try:
                await self.make_if_due()
            except (TriptychError, OSError) as error:
                log.warning("no backup could be made: %s", error)


def _is_good(path: Path) -> bool:
    return is_sound(path, len(MIGRATIONS))


__all__ = ["Backup", "BackupService", "Restored"]
