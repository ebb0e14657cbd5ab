"""One request of the OpenAI protocol as a run: what it streams, and where it ends.

A request names its model `agent:mode`. The answer ends with the run, or with calls of the caller's tools: then the run
waits (`caller_tools`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.core.errors import UnknownName
from app.core.profile import AgentProfile
from app.core.run.events import (
    Discard,
    LoopEnd,
    LoopError,
    PhaseStart,
    PlanStepChanged,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)
from app.core.run.messages import Attachment
from app.core.run.mode import mode_ids
from app.core.run.run_handle import RunHandle
from app.core.text.i18n import language_of
from app.core.wording.progress import progress_text
from app.services.api.clients import ApiClient
from app.services.runs.run_options import RunOptions
from app.services.tools.caller_tools import CallerTools

from ..access import check_agent, check_right
from ..errors import ApiError, status_of
from ..parts import ServerParts
from .caller_tools import PendingRun, PendingRuns
from .conversation import WireConversation, parts_of, stored_history


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A piece of text; `kind`: text, reasoning, progress."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Calls:
    """The response ends: these calls are the caller's."""

    calls: tuple[ToolCalled, ...]


Chunk = AnswerPiece | Calls | LoopEnd


@dataclass(slots=True)
class Exchange:
    """A run as far as one response shows it."""

    run: RunHandle
    tools: CallerTools
    session: str
    model: str
    client: str
    seen: int = -1
    """The `seq` of the last event that an earlier response has shown."""
    is_over: bool = False
    is_pending: bool = False
    """The run waits for results of the caller's tools, and the next request is answered by another exchange."""
    streamed: list[str] = field(default_factory=list)


class Answering:
    def __init__(self, parts: ServerParts) -> None:
        self._parts, self._pending = parts, PendingRuns()
        self._last_seen: dict[str, int] = {}
        self._cleanups: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        self._pending.close()
        if self._cleanups:
            await asyncio.wait(self._cleanups)

    def agent_of(self, model: str, client: ApiClient) -> tuple[AgentProfile, str]:
        """`agent` or `agent:mode`. Raises UnknownName."""
        agent, _colon, mode = model.partition(":")
        usable = [one.id for one in self._parts.settings.profiles() if client.may_use(one.id)]
        if agent not in usable:
            raise UnknownName("model", model, [*usable, *(f"{one}:{id}" for one in usable for id in mode_ids())])
        if mode and mode not in mode_ids():
            modes = ", ".join(f"{agent}:{id}" for id in mode_ids())
            raise ApiError(404, UnknownName.code, f"unknown model: {model}", hint=f"one of {modes}", param="model")
        return check_agent(client, self._parts.settings, agent), mode

    async def begin(
        self,
        model: str,
        conversation: WireConversation,
        tools: CallerTools,
        overrides: Mapping[str, Any],
        client: ApiClient,
    ) -> Exchange:
        """Raises what can be wrong with a request before anything is sent."""
        check_right(client, "run")
        if conversation.results and (waiting := self._pending.take(conversation.results, client.name)) is not None:
            waiting.tools.give(conversation.results)
            seen = self._last_seen.pop(waiting.run.id, -1)
            return Exchange(waiting.run, waiting.tools, waiting.session, waiting.model, client.name, seen)
        profile, mode = self.agent_of(model, client)
        changes = dict(overrides)
        if conversation.instructions:
            changes["system_prompt"] = f"{profile.system_prompt}\n\n{conversation.instructions}".strip()
        options = RunOptions(mode=mode, overrides=changes, approve="none", interactive=False, tools=tools.tools)
        session = (await self._parts.sessions.create(profile.id, temporary=True)).id
        try:
            for message in await stored_history(conversation.history, session, self._parts.attachments):
                await self._parts.sessions.add(session, message)
            question = await parts_of(conversation.question, session, self._parts.attachments)
            files = tuple(part for part in question if isinstance(part, Attachment))
            run = await self._parts.chat.send(session, conversation.question.text, attachments=files, options=options)
        except BaseException:
            self._drop(session)
            raise
        self._parts.hub.take(run)
        return Exchange(run, tools, session, model, client.name)

    async def chunks(self, exchange: Exchange) -> AsyncGenerator[Chunk, None]:
        """To the end of the run, or to calls of the caller's tools. Raises ApiError for a run that fails."""
        own: set[str] = set()
        """Calls of our tools that run."""
        callers: dict[str, ToolCalled] = {}
        is_waiting = is_after_call = False
        language = "en"
        async for stamped in exchange.run.events(gathered=True):
            is_new = stamped.seq > exchange.seen
            match stamped.event:
                case ToolCalled() as call if call.name in exchange.tools.names and is_new:
                    callers[call.id] = call
                case ToolStarted(id=id):
                    is_waiting = is_waiting or id in callers
                    if id not in callers and is_new:
                        own.add(id)
                        yield AnswerPiece("progress", progress_text(stamped.event, language))
                case ToolReturned(id=id):
                    is_after_call = True
                    own.discard(id)
                    callers.pop(id, None)
                case Token(text=text) if is_new:
                    if is_after_call and exchange.streamed:
                        text = f"\n\n{text}"  # what was said before a call is a paragraph of its own
                    is_after_call = False
                    exchange.streamed.append(text)
                    yield AnswerPiece("text", text)
                case Discard() if is_new:
                    exchange.streamed.clear()
                case Thinking(text=text) if is_new:
                    yield AnswerPiece("reasoning", text)
                case PhaseStart() if is_new:
                    yield AnswerPiece("progress", progress_text(stamped.event, language))
                case PlanStepChanged(step=step, status=status) if is_new:
                    yield AnswerPiece("progress", f"{step}: {status}")
                case LoopEnd() as end:
                    if rest := missing(end.answer, exchange.streamed):
                        yield AnswerPiece("text", rest)
                    exchange.is_over = True
                    yield end
                    return
                case LoopError(error=error, reason=reason):
                    exchange.is_over = True
                    raise ApiError(status_of(error, reason), error.code, error.message, hint=error.hint)
                case _ if stamped.event.type == "loop_start":
                    language = language_of(getattr(stamped.event, "query", ""))
            if is_waiting and callers and not own:
                self._keep(exchange, list(callers), stamped.seq)
                yield Calls(tuple(callers.values()))
                return

    def _keep(self, exchange: Exchange, calls: list[str], seq: int) -> None:
        pending = PendingRun(exchange.run, exchange.tools, exchange.session, exchange.client, exchange.model)
        self._last_seen[exchange.run.id] = seq
        exchange.is_pending = True
        self._pending.keep(pending, calls, self._expired)

    def _expired(self, pending: PendingRun) -> None:
        self._last_seen.pop(pending.run.id, None)
        pending.run.cancel()
        self._drop(pending.session)

    def leave(self, exchange: Exchange) -> None:
        """The response is complete, or its reader has gone: a run that nobody waits for ends."""
        if exchange.is_pending:  # the results may be here already, and the run taken on
            return
        if not exchange.is_over:
            exchange.run.cancel()
        self._drop(exchange.session)

    def _drop(self, session: str) -> None:
        task = asyncio.create_task(self._parts.chat.discard(session), name="end of a temporary session")
        self._cleanups.add(task)
        task.add_done_callback(self._cleanups.discard)


def missing(answer: str, streamed: list[str]) -> str:
    """What of the answer was not streamed: it may stand in a card, or follow after calls."""
    sent = "".join(streamed)
    if not answer or sent.rstrip().endswith(answer.rstrip()):
        return ""
    return f"\n\n{answer}" if sent.strip() else answer
