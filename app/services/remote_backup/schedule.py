"""Backups by themselves while a process stays: as often as the person wants, looked for at the place first.

Two processes of one computer may both think that it is time; who comes second finds the version of the first.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from app.core.errors import TriptychError
from app.core.system.clock import CLOCK, Clock

if TYPE_CHECKING:
    from .settings import BackupPlace, BackupSettings
    from .version import BackupVersion, VersionRow

log = logging.getLogger(__name__)

STAMP = "%Y%m%dT%H%M%S%fZ"
"""Of a version's name; microseconds, UTC."""
FIRST, EACH, AFTER_FAULT = 120.0, 600.0, 3_600.0
"""Seconds until it looks whether it is time."""
_HOUR = 3_600.0


class Backups(Protocol):
    @property
    def settings(self) -> BackupSettings: ...

    async def versions(self) -> list[VersionRow]: ...

    async def back_up(self) -> BackupVersion: ...


class BackupSchedule:
    def __init__(self, backups: Backups, clock: Clock = CLOCK) -> None:
        self._backups, self._clock = backups, clock
        self.fault: TriptychError | None = None
        """Why the last one by itself was not made."""
        self._known: tuple[BackupPlace, float] | None = None
        """When the newest of this computer was made, at which place."""
        self._watch: asyncio.Task[None] | None = None

    def watch(self) -> None:
        if self._watch is None:
            self._watch = asyncio.create_task(self._make_regularly(), name="backups elsewhere")

    async def close(self) -> None:
        """What is half sent is used by the next one."""
        watched, self._watch = self._watch, None
        if watched is not None:
            watched.cancel()
            await asyncio.gather(watched, return_exceptions=True)

    async def make_if_due(self) -> BackupVersion | None:
        """Raises as `RemoteBackupService.back_up`."""
        place = self._backups.settings.place()
        if place is None or place.every <= 0:
            return None
        if self._known is not None and self._known[0] == place and not self._is_due(place, self._known[1]):
            return None
        own = [row for row in await self._backups.versions() if row.computer == place.computer]
        newest = moment_of(own[0].stamp) if own else 0.0
        self._known = place, newest
        if not self._is_due(place, newest):
            return None
        version = await self._backups.back_up()
        self._known = place, version.made
        return version

    def _is_due(self, place: BackupPlace, made: float) -> bool:
        # One from the far future is of a clock that was wrong.
        return not -_HOUR <= self._clock.now() - made < place.every * _HOUR

    async def _make_regularly(self) -> None:
        await self._clock.sleep(FIRST)
        while True:
            try:
                await self.make_if_due()
                self.fault = None
            except TriptychError as error:
                self.fault = error
                log.warning("no backup elsewhere: %s", error)
            except OSError as error:
                log.warning("no backup elsewhere: %s", error)
            await self._clock.sleep(EACH if self.fault is None else AFTER_FAULT)


def moment_of(stamp: str) -> float:
    """Seconds of the epoch; 0 for a name somebody else gave."""
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0
