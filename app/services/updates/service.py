"""Whether there is a newer release: asked only when the person asks, never while an agent works.

Nothing is downloaded but the feed, and nothing is installed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.errors import BadInput, NotConfigured, ToolError
from app.core.http import SingleRequest
from app.core.system.clock import CLOCK, Clock
from app.core.system.update_feed import LARGEST, PUBLIC_KEYS, Feed, FeedRefused, ReleaseFile, is_newer, read_feed
from app.core.system.version import version
from app.storage.config.settings import SettingsFiles

from ..data.data_folder import RunningSessions
from ..settings.settings import SettingsService

FILE = "updates"


@dataclass(frozen=True, slots=True)
class UpdateState:
    """What the feed says; `is_newer`: it is about a release newer than this one."""

    feed: Feed
    here: str
    is_newer: bool

    def files_for(self, system: str) -> list[ReleaseFile]:
        return [file for file in self.feed.files if file.system == system]


class UpdateService:
    def __init__(
        self,
        settings: SettingsService,
        files: SettingsFiles,
        http: SingleRequest,
        runs: RunningSessions,
        *,
        keys: Sequence[str] = PUBLIC_KEYS,
        clock: Clock = CLOCK,
    ) -> None:
        self._settings, self._files, self._http, self._runs = settings, files, http, runs
        self._keys, self._clock = keys, clock

    @property
    def address(self) -> str:
        """ "" while none is set."""
        return self._settings.preferences.update_feed.strip()

    async def check(self) -> UpdateState:
        """Raises NotConfigured without an address, BadInput while an agent works, FeedRefused."""
        if not self.address:
            raise NotConfigured("no update feed is set", hint="`update_feed` in the settings", reason="NO_FEED")
        if self._runs.running_sessions():
            raise BadInput(
                "an agent is still working", hint="stop it, or wait until it has ended", reason="AGENT_WORKING"
            )
        data = await self._fetched()
        seen = await asyncio.to_thread(self._seen)
        # Verifying is quick, but its library is slow to load.
        feed = await asyncio.to_thread(read_feed, data, self._keys, least=seen, now=self._clock.now())
        if feed.number > seen:
            await asyncio.to_thread(self._files.save, FILE, {"number": feed.number})
        here = version()
        return UpdateState(feed, here, is_newer(feed.release, here))

    async def _fetched(self) -> bytes:
        try:
            reply = await self._http.once(self.address, own_address=True)
        except ToolError as error:
            raise FeedRefused(error.message, reason="FEED_UNREACHABLE") from error
        if reply.location:
            raise FeedRefused("the feed sends on to another address", reason="FEED_MOVED")
        if reply.truncated or len(reply.body) > LARGEST:
            raise FeedRefused("the feed is too large", reason="FEED_LARGE")
        if reply.status != 200:
            raise FeedRefused(f"HTTP {reply.status}", reason="FEED_UNREACHABLE")
        return reply.body

    def _seen(self) -> int:
        values, _problem = self._files.load(FILE)
        number = values.get("number", 0)
        return number if isinstance(number, int) else 0
