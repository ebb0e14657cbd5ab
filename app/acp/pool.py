"""The agents of other programs that run now: one process for each session, kept for its next question, ended later."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app.agent.context import RunContext
from app.agent.modes.base import Mode
from app.core.acp_program import OWN
from app.core.run.chat_model import AssistantTurn, Turn, UserTurn
from app.core.run.events import RunEvent
from app.core.run.mode import ACP
from app.core.stores import DocumentStore

from .launch import Launches, LaunchPlan

if TYPE_CHECKING:
    from .link import AgentLink
    from .turn import ForeignTurn

CANCEL_SECONDS: Final = 3.0
"""After a cancel: an agent that has not ended its answer by then is ended itself."""
MOST_IDLE: Final = 4
IDLE_SECONDS: Final = 600.0
_KIND: Final = "acp.session"
_BEFORE: Final = "What was said before in this conversation:"


@dataclass(frozen=True, slots=True)
class _Start:
    root: Path
    can_work: bool
    """The person has picked the folder."""
    stored: Mapping[str, Any]
    past: str
    """What was said so far, as `_trace` has it."""

    @property
    def known(self) -> str:
        """The agent's own session, where it is about this conversation."""
        return str(self.stored.get("theirs", "")) if self.past and self.stored.get("seen") == self.past else ""


class AgentPool:
    def __init__(self, launches: Launches, scratch: Path) -> None:
        """`scratch` has a folder for each agent that works in none of the person's."""
        self._launches, self.scratch = launches, scratch
        self._links: dict[tuple[str, str], AgentLink] = {}
        self._busy: set[tuple[str, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.errors: dict[str, list[str]] = {}
        """By agent: the last lines its program wrote to standard error."""

    @property
    def mode(self) -> Mode:
        """Of every agent that is another program; none a person chooses."""
        return Mode(ACP, self._run)

    async def close(self) -> None:
        links, self._links = list(self._links.values()), {}
        for task in self._tasks:
            task.cancel()
        if links:
            await asyncio.wait([asyncio.ensure_future(link.close()) for link in links])

    async def forget(self, agent: str) -> None:
        """What runs of this agent is ended: it is set up otherwise now, or gone."""
        for key in [key for key in self._links if key[1] == agent]:
            await self._links.pop(key).close()

    async def _run(self, ctx: RunContext) -> AsyncGenerator[RunEvent, None]:
        for event in ctx.enter("executing"):
            yield event
        await asyncio.to_thread(import_module, f"{__package__}.turn")
        from .terminals import Terminals
        from .turn import ForeignTurn

        key = (ctx.request.session_id, ctx.request.profile.id)
        workspace = ctx.services.tool_seams.get("workspace")
        terminals = Terminals()
        self._busy.add(key)
        try:
            root = await self._root(ctx, workspace)
            turn = ForeignTurn(ctx, terminals, root)
            work = self._ask(ctx, turn, key, root, can_work=workspace is not None)
            async for event in turn.events(work):
                yield event
        finally:
            self._busy.discard(key)
            await terminals.close()
            self._keep(key)

    async def _root(self, ctx: RunContext, workspace: Path | None) -> Path:
        if workspace is not None:
            return workspace
        program = ctx.request.profile.acp
        own = self.scratch / ctx.request.profile.id

        def made() -> Path:
            folder = Path(program.cwd).expanduser() if program is not None and program.cwd else own
            folder.mkdir(parents=True, exist_ok=True)
            return folder

        return await asyncio.to_thread(made)

    async def _ask(
        self, ctx: RunContext, turn: ForeignTurn, key: tuple[str, str], root: Path, *, can_work: bool
    ) -> None:
        plan = await self._launches.plan(ctx.request.profile)
        if not plan.is_agreed:
            await turn.requests.agree(plan)
        documents: DocumentStore | None = ctx.services.tool_seams.get("documents")
        stored = await _stored(documents, key)
        history = ctx.state.turns[:-1]  # calls that are run here are added to it
        past = _trace(history, "")
        link, knows = await self._link(key, plan, _Start(root, can_work, stored, past))
        model = ctx.services.model.ref.removeprefix(f"{OWN}{key[1]}").removeprefix("/")
        try:
            await link.choose(plan.mode, model)
        except BaseException:
            await self._drop(key, link)
            raise
        before = "" if knows else _told(history, ctx.request.profile.context_limit)
        try:
            await turn.ask(link, before)
        except asyncio.CancelledError:
            link.seen = _trace(history, ctx.request.query)
            self._in_background(self._settle(key, link, turn.prompting))
            raise
        except BaseException:
            await self._drop(key, link)
            raise
        link.seen = _trace(history, ctx.request.query)
        if documents is not None:
            body = {"session": key[0], "theirs": link.session, "seen": link.seen}
            await documents.put(_KIND, "/".join(key), body)

    async def _link(self, key: tuple[str, str], plan: LaunchPlan, start: _Start) -> tuple[AgentLink, bool]:
        """A connection to ask by, and whether its agent knows what was said so far."""
        link = self._links.get(key)
        if link is not None:
            if link.is_alive and (link.folder, link.plan, link.seen) == (start.root, plan, start.past):
                return link, True
            await self._drop(key, link)
        from .link import AgentLink

        link = AgentLink(plan, start.root, can_work=start.can_work)
        try:
            knows = await link.open(start.known)
        finally:
            self.errors[key[1]] = link.program.log.lines()
        self._links[key] = link
        await self._launches.offered(key[1], link.offers)
        return link, knows or not start.past

    def _keep(self, key: tuple[str, str]) -> None:
        """For the next question; the longest unused of too many is ended, and each after a while."""
        if (link := self._links.get(key)) is not None:
            self.errors[key[1]] = link.program.log.lines()
        idle = sorted((one for one in self._links if one not in self._busy), key=lambda one: self._links[one].used)
        for old in idle[: max(0, len(idle) - MOST_IDLE)]:
            self._in_background(self._drop(old, self._links[old]))
        if link is not None:
            self._in_background(self._drop_idle(key, link, link.used))

    async def _drop_idle(self, key: tuple[str, str], link: AgentLink, used: float) -> None:
        await asyncio.sleep(IDLE_SECONDS)
        if link.used == used and key not in self._busy:
            await self._drop(key, link)

    async def _settle(self, key: tuple[str, str], link: AgentLink, prompting: asyncio.Future[Any] | None) -> None:
        """It was stopped in the middle. An agent that ends its answer soon is kept, another is ended."""
        self._busy.add(key)
        try:
            await link.cancel()
            if prompting is not None:
                await asyncio.wait([prompting], timeout=CANCEL_SECONDS)
        finally:
            self._busy.discard(key)
        if prompting is None or not prompting.done() or prompting.cancelled() or prompting.exception() is not None:
            await self._drop(key, link)

    async def _drop(self, key: tuple[str, str], link: AgentLink) -> None:
        if self._links.get(key) is link:
            del self._links[key]
        self.errors[key[1]] = link.program.log.lines()
        await link.close()

    def _in_background(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _stored(documents: DocumentStore | None, key: tuple[str, str]) -> Mapping[str, Any]:
    """The agent's own session of the last question."""
    document = await documents.get(_KIND, "/".join(key)) if documents is not None else None
    return document.body if document is not None and isinstance(document.body, Mapping) else {}


def _trace(turns: Sequence[Turn], query: str) -> str:
    """Says whether two conversations are the same, by what the person wrote; "" for an empty one."""
    texts = [turn.text for turn in turns if isinstance(turn, UserTurn)] + ([query] if query else [])
    heads = "\n".join(text.strip()[:100] for text in texts)
    return hashlib.sha256(heads.encode("utf-8", "replace")).hexdigest() if texts else ""


def _told(turns: Sequence[Turn], limit: int) -> str:
    """The conversation so far, for an agent that was not there: its end, if it is long."""
    lines = [
        f"{'User' if isinstance(turn, UserTurn) else 'Assistant'}: {turn.text}"
        for turn in turns
        if isinstance(turn, UserTurn | AssistantTurn) and turn.text.strip()
    ]
    text = "\n\n".join(lines)
    return f"{_BEFORE}\n\n{text[-limit:]}" if text else ""
