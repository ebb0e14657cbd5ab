"""Tiles of a street map: only where the person has switched them on, kept on the disk, asked for once.

Who draws asks for the few tiles under the places shown; nothing is fetched ahead, and nothing while they are off.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.core.errors import ToolError
from app.core.http import SingleRequest
from app.core.preferences import Preferences
from app.services.exchange.picture_facts import picture_facts

from ..settings.settings import SettingsService

DEEPEST: Final = 19
AT_ONCE: Final = 2
"""Requests at a time: what the service of OpenStreetMap asks of programs."""
LARGEST: Final = 512_000
SIDE: Final = 1_024
FRESH_DAYS: Final = 14
"""Younger ones are taken from the disk without a question."""
MOST_BYTES: Final = 64_000_000
"""Of all kept tiles; the oldest go."""
PAUSE: Final = 300.0
"""Seconds for which one that could not be had is left in peace."""
_USUAL: Final[str] = Preferences.model_fields["map_tile_address"].default
_DAY: Final = 86_400.0
_LOOK_AFTER: Final = 50
"""So many new tiles between two looks at the size of the folder."""


@dataclass(frozen=True, slots=True)
class TileWishes:
    is_on: bool
    address: str
    """A template with {z}, {x} and {y}."""
    credit: str = ""

    @property
    def is_own(self) -> bool:
        """The person typed it, so it may be one of their own network."""
        return self.address != _USUAL

    @property
    def is_usable(self) -> bool:
        parts = ("{z}", "{x}", "{y}")
        return self.is_on and self.address.startswith(("https://", "http://")) and all(p in self.address for p in parts)


class TileService:
    def __init__(
        self, http: SingleRequest, folder: Path, settings: SettingsService, *, most_bytes: int = MOST_BYTES
    ) -> None:
        self._http, self._folder, self._settings, self._most_bytes = http, folder, settings, most_bytes
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._asked: dict[str, asyncio.Task[bytes | None]] = {}
        self._refused: dict[str, float] = {}
        """Addresses that had no tile, and until when they are not asked for again."""
        self._kept = 0

    @property
    def wishes(self) -> TileWishes:
        """By the preferences as they are now."""
        now = self._settings.preferences
        return TileWishes(now.map_tiles, now.map_tile_address.strip(), now.map_tile_credit.strip())

    async def tile(self, z: int, x: int, y: int) -> bytes | None:
        """The picture of a tile; None where there is none to be had now."""
        wishes = self.wishes
        if not wishes.is_usable or not (0 <= z <= DEEPEST and 0 <= x < 2**z and 0 <= y < 2**z):
            return None
        address = wishes.address.replace("{z}", str(z)).replace("{x}", str(x)).replace("{y}", str(y))
        if (request := self._asked.get(address)) is None:
            request = self._asked[address] = asyncio.get_running_loop().create_task(self._load(address))
            request.add_done_callback(lambda _task: self._asked.pop(address, None))
        return await asyncio.shield(request)

    async def _load(self, address: str) -> bytes | None:
        path = self._folder / f"{hashlib.sha256(address.encode()).hexdigest()[:32]}.tile"
        stored = await asyncio.to_thread(_read, path)
        if stored is not None and stored[1] < FRESH_DAYS * _DAY:
            return stored[0]
        old = stored[0] if stored is not None else None
        if self._refused.get(address, 0.0) > time.monotonic():
            return old
        async with self._slots:
            data = await self._fetch(address) if self.wishes.is_usable else None
        if data is None:
            self._refused[address] = time.monotonic() + PAUSE
            return old
        self._kept += 1
        with contextlib.suppress(OSError):  # a full or read-only disk: the map is drawn all the same
            await asyncio.to_thread(self._keep, path, data, prune=self._kept % _LOOK_AFTER == 1)
        return data

    async def _fetch(self, address: str) -> bytes | None:
        try:
            reply = await self._http.once(address, own_address=self.wishes.is_own)
        except ToolError:
            return None
        facts = picture_facts(reply.body) if len(reply.body) <= LARGEST else None
        is_tile = facts is not None and facts.width <= SIDE and facts.height <= SIDE
        return reply.body if is_tile and reply.status == 200 and not reply.truncated else None

    def _keep(self, path: Path, data: bytes, *, prune: bool) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(data)
        part.replace(path)
        if prune:
            _prune(self._folder, self._most_bytes)


def _read(path: Path) -> tuple[bytes, float] | None:
    """The kept bytes and their age in seconds."""
    try:
        return path.read_bytes(), max(0.0, time.time() - path.stat().st_mtime)
    except OSError:
        return None


def _prune(folder: Path, most: int) -> None:
    files = [(file.stat().st_mtime, file.stat().st_size, file) for file in folder.iterdir()]
    total = sum(size for _when, size, _file in files)
    for _when, size, file in sorted(files):
        if total <= most:
            break
        file.unlink(missing_ok=True)
        total -= size
