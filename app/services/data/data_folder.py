"""Where the data is, whether that is a good place, and how it gets to another one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection
from pathlib import Path
from typing import Protocol

from app.core.errors import BadInput, TriptychError
from app.storage.db import lease
from app.storage.db.database import Database
from app.storage.folder.location_file import Pointer, read_pointer, write_pointer
from app.storage.folder.paths import DataFolder, usual_place
from app.storage.folder.sync_detection import Danger, danger_of
from app.storage.maintenance.relocate import check_target, copy_all, delete_old


class RunningSessions(Protocol):
    """What must not happen while an agent works asks this first."""

    def running_sessions(self) -> Collection[str]: ...


class DataFolderService:
    def __init__(self, folder: DataFolder, database: Database, runs: RunningSessions) -> None:
        self._folder, self._db, self._runs = folder, database, runs
        self._lease: asyncio.Task[None] | None = None

    @property
    def root(self) -> Path:
        return self._folder.root

    @property
    def may_move(self) -> bool:
        """Not where `--data-dir` or the environment names the folder: they would name it again at the next start."""
        return self._folder.how != "named"

    @property
    def usual(self) -> Path:
        return usual_place()

    def prepare(self) -> None:
        """Raises FolderUnusable; `build` continues without, so that what can be read is shown."""
        self._folder.create()

    async def danger(self) -> Danger | None:
        """A place that is synchronised or on another machine."""
        return await asyncio.to_thread(danger_of, self.root)

    def watch(self) -> None:
        """For a process that stays: where several machines see the folder, it says that this one is at work."""
        if self._lease is None:
            self._lease = asyncio.create_task(self._keep_lease(), name="lease of the data folder")

    async def close(self) -> None:
        watched, self._lease = self._lease, None
        if watched is not None:
            watched.cancel()
            await asyncio.gather(watched, return_exceptions=True)

    async def _keep_lease(self) -> None:
        if await self.danger() is None:
            return
        while True:
            await asyncio.sleep(lease.RENEW_EVERY)
            with contextlib.suppress(TriptychError):
                await asyncio.to_thread(lease.take, self.root)

    def old(self) -> Path | None:
        """The folder it was moved from, while that is still there."""
        pointer = read_pointer(self.usual) if self.may_move else None
        old = pointer.old if pointer else None
        return old if old is not None and old != self.root and (old / "sessions.db").is_file() else None

    async def move(self, target: Path) -> Path:
        """Copies everything, compares it, and points to it: from the next start on it is the data folder.

        Until then nothing is written any more; the old folder stays as it is. Raises TargetRefused
        (BadInput), DiskFull, FolderUnusable, DataDamaged; then all is as before.
        """
        if not self.may_move:
            message = "the data folder is named by --data-dir or TRIPTYCH_DATA_DIR"
            raise BadInput(message, hint="name another one there", reason="FOLDER_NAMED")
        if self._runs.running_sessions():
            raise BadInput(
                "an agent is still working", hint="stop it, or wait until it has ended", reason="AGENT_WORKING"
            )
        checked = await asyncio.to_thread(check_target, self.root, target)
        await self._db.hold_still(lambda: copy_all(self.root, checked))
        folder = None if checked == self.usual else checked
        await asyncio.to_thread(write_pointer, self.usual, Pointer(folder, old=self.root))
        self._db.retire(f"the data was moved to {checked}; start Triptych again")
        return checked

    async def use(self, folder: Path) -> None:
        """Another folder from the next start on, as it is: for when the one that is named is not there."""
        chosen = None if folder == self.usual else folder
        pointer = await asyncio.to_thread(read_pointer, self.usual) or Pointer()
        await asyncio.to_thread(write_pointer, self.usual, Pointer(chosen, pointer.old))

    async def delete_old(self) -> None:
        """What was left behind by a move. Raises BadInput if there is nothing."""
        old = self.old()
        if old is None:
            raise BadInput("there is no old data folder", reason="NO_OLD_FOLDER")
        await asyncio.to_thread(delete_old, old)
        pointer = await asyncio.to_thread(read_pointer, self.usual) or Pointer()
        await asyncio.to_thread(write_pointer, self.usual, Pointer(pointer.folder))


__all__ = ["Danger", "DataFolderService"]
