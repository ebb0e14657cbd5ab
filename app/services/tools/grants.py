"""What the person has allowed permanently: which tool of which agent, for which arguments; listed and revoked.

A grant turns asking into allowing and nothing else (security-reliability.md d.1). It ends after 30 days without use,
when the tool changes, and with its agent; no import, backup or restore creates one.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from app.agent.policy.patterns import pattern, without_links
from app.agent.policy.subject import Subject
from app.core.errors import UnknownName
from app.core.ids import new_id
from app.core.run.events import Notice
from app.core.system.clock import CLOCK, Clock
from app.core.tools.tool import Tool, canonical_args
from app.storage.config.grants import GrantFile

from ..changes import Changes
from ..settings.settings import SettingsService

LASTS = 30 * 86_400.0
"""Seconds without use."""
_NOTED_EVERY = 3_600.0
"""Seconds between two notes of a use: the day counts, not the second."""
_MOST = 500


@dataclass(frozen=True, slots=True)
class Grant:
    id: str
    agent: str
    tool: str
    pattern: str
    """As `agent.policy.patterns` reads it."""
    created: float
    used: float = 0.0
    """Seconds since 1970; 0 = not yet."""
    made_of: str = ""
    """The tool as it was: another one of that name does not inherit it."""

    @property
    def ends(self) -> float:
        return max(self.created, self.used) + LASTS


@dataclass(frozen=True, slots=True)
class RunGrant:
    """Allowed for the rest of one active run."""

    agent: str
    tool: str
    pattern: str
    revoke: Callable[[], None]


class NamedTools(Protocol):
    def named(self, name: str) -> Tool | None:
        """As it is now; None if there is none."""


class GrantService:
    def __init__(
        self,
        file: GrantFile,
        settings: SettingsService,
        tools: NamedTools,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self._file, self._settings, self._tools, self._clock = file, settings, tools, clock
        self._grants: list[Grant] = []
        self._is_locked = False
        self._changes: Changes[None] = Changes()
        self._writing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        settings.listen(self._agents_changed)

    async def open(self) -> None:
        """Reads what was granted; an edited file grants nothing, and the person is told."""
        rows, state = await self._file.load()
        self._grants = [grant for row in rows if (grant := _read(row)) is not None]
        self._is_locked = state == "locked"
        if state == "edited":
            text = "the file of permissions was changed from outside; everything asks again"
            self._settings.add_notice(Notice("grants_reset", text))
        elif self._is_locked:
            self._settings.add_notice(Notice("grants_locked", "the keyring does not answer; everything asks"))

    async def close(self) -> None:
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=2.0)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._changes.listen(lambda _nothing: listener())

    def grants(self) -> list[Grant]:
        """Those in force, newest first."""
        now = self._clock.now()
        return sorted((one for one in self._grants if one.ends > now), key=lambda one: one.created, reverse=True)

    def _newest(self) -> list[Grant]:
        """All of them, those in force first."""
        now = self._clock.now()
        return sorted(self._grants, key=lambda one: (one.ends > now, one.created), reverse=True)

    # ------------------------------------------------------------ asked by the gate

    def standing(self, agent: str) -> Callable[[Subject], bool]:
        """For the runs of one agent: whether a grant covers a tool with this subject. It counts as a use."""

        def covers(subject: Subject) -> bool:
            grant = next((one for one in self.grants() if one.agent == agent and _fits(one, subject)), None)
            if grant is not None:
                self._note_use(grant)
            return grant is not None

        return covers

    def _note_use(self, grant: Grant) -> None:
        now = self._clock.now()
        if now - grant.used < _NOTED_EVERY:
            return
        self._grants = [replace(one, used=now) if one.id == grant.id else one for one in self._grants]
        self._keep_soon()

    # ------------------------------------------------------------ said by the person

    async def add(self, agent: str, name: str, text: str) -> Grant:
        """`text` is the pattern. In force at once.

        Raises UnknownName, or what the disk raises, and then nothing has changed.
        """
        tool = self._tools.named(name)
        if tool is None:
            raise UnknownName("tool", name)
        text = await asyncio.to_thread(without_links, text)
        grant = Grant(new_id(), agent, tool.name, text, self._clock.now(), made_of=made_of(tool))
        same = [one for one in self._newest() if (one.agent, one.tool, one.pattern) != (agent, tool.name, text)]
        await self._set([grant, *same][:_MOST])
        return grant

    async def revoke(self, id: str) -> None:
        await self._set([one for one in self._grants if one.id != id])

    async def revoke_all(self) -> None:
        await self._set([])

    async def _set(self, grants: list[Grant]) -> None:
        before, self._grants = self._grants, grants
        try:
            await self._keep()
        except BaseException:
            self._grants = before
            raise
        self._changes.notify(None)

    # ------------------------------------------------------------ keeping

    async def _keep(self) -> None:
        async with self._writing:
            if not self._is_locked or not self._grants:
                # While the keyring is locked what is granted holds for this session; the file waits.
                # Those that have ended too: the clock may be wrong just now.
                await self._file.save([asdict(one) for one in self._newest()[:_MOST]])

    def _keep_soon(self) -> None:
        task = asyncio.get_running_loop().create_task(self._keep(), name="keep grants")
        self._tasks.add(task)
        task.add_done_callback(self._kept)

    def _kept(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # a note of a use that could not be written is no trouble for anybody

    def _agents_changed(self) -> None:
        """An agent that is gone takes its grants along: another one may get its name."""
        agent_ids = {profile.id for profile in self._settings.profiles()}
        remaining = [one for one in self._grants if one.agent in agent_ids]
        if len(remaining) != len(self._grants):
            self._grants = remaining
            self._keep_soon()
            self._changes.notify(None)


def made_of(tool: Tool) -> str:
    """What makes a tool the one that was granted: where it comes from, what it says it does and takes."""
    parts = (tool.name, tool.origin, tool.permission, tool.description, canonical_args(dict(tool.parameters)))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _fits(grant: Grant, subject: Subject) -> bool:
    tool = subject.tool
    return (
        grant.tool == tool.name
        and grant.made_of == made_of(tool)
        and pattern(grant.pattern).allows(subject, fixed=True)
    )


def _read(row: dict[str, Any]) -> Grant | None:
    try:
        id, agent, tool, pattern, made_of = (str(row[name]) for name in ("id", "agent", "tool", "pattern", "made_of"))
        return Grant(id, agent, tool, pattern, float(row["created"]), float(row["used"]), made_of)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
