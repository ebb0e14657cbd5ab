"""What stands around a run of a domain with guards or private names (ruling 47): the last change of all that leaves.

Requests are changed in `request/model_request.py`, the one place where a model is asked, whatever for: steps, plans,
answers, summaries. Arguments of tools that go out are changed in `tools/executor.py`. What is recorded of the wire is
recorded behind that, so logs hold stand-ins too. A model that is a program of ours reads the names, since nothing
leaves; the guards hold for it as well.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.core.domain import FixedReply, Guard, Restoring, Scrub, ScrubOf
from app.core.profile import AgentProfile
from app.core.run.chat_model import (
    AssistantTurn,
    CallDelta,
    CallTurn,
    Finished,
    ModelChunk,
    ModelRequest,
    ReasoningDelta,
    ResultTurn,
    SystemTurn,
    TextDelta,
    ToolSpec,
    Turn,
    UserTurn,
)
from app.core.stores import DocumentStore
from app.core.tools.tool import Tool

_ASKED = "ask_user"
_IMAGE = "[an image stays on this computer]"


@dataclass(frozen=True, slots=True)
class Privacy:
    guards: tuple[Guard, ...] = ()
    scrubs: tuple[ScrubOf, ...] = ()
    """Asked for every request: a name may be added while a run is active."""
    documents: DocumentStore | None = None
    """Where they find the names; there is one where there are scrubs."""
    unguarded: frozenset[str] = frozenset()
    """Tools whose forms no guard answers (`Domain.unguarded`)."""

    async def reply_to(self, turns: Sequence[Turn], profile: AgentProfile) -> FixedReply | None:
        """What a guard says to a text of the person since the last answer."""
        return await self.reply_to_texts(_since_the_answer(turns), profile)

    async def reply_to_texts(self, texts: Sequence[str], profile: AgentProfile) -> FixedReply | None:
        return await asyncio.to_thread(self._reply, texts, profile) if self.guards and texts else None

    def _reply(self, texts: Sequence[str], profile: AgentProfile) -> FixedReply | None:
        replies = (guard(text, profile) for text in texts for guard in self.guards)
        return next((reply for reply in replies if reply is not None), None)

    def then(self, following: Privacy) -> Privacy:
        """For an agent that reads what this one's has written: its guards, and the names of both."""
        scrubs = tuple(dict.fromkeys((*self.scrubs, *following.scrubs)))
        return Privacy(following.guards, scrubs, self.documents or following.documents, following.unguarded)

    async def scrub(self) -> Scrub | None:
        """All of them as one."""
        if self.documents is None:
            return None
        loaded = [await scrub_of(self.documents) for scrub_of in self.scrubs]
        return loaded[0] if len(loaded) == 1 else _joined(loaded) if loaded else None

    async def arguments(self, tool: Tool, args: dict[str, Any]) -> dict[str, Any]:
        """Of a call; changed where they leave this computer: before the person is asked, who sees what will be sent,
        and once more before it runs, since they may write a name into it."""
        scrub = await self.scrub() if tool.goes_out or tool.endpoint is not None else None
        if scrub is None:
            return args
        changed: dict[str, Any] = _changed(args, scrub.outgoing)
        return changed


def texts_in(value: Any) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in texts_in(inner)]
    return [text for inner in value for text in texts_in(inner)] if isinstance(value, list | tuple) else []


def _since_the_answer(turns: Sequence[Turn]) -> list[str]:
    texts: list[str] = []
    for turn in reversed(turns):
        if isinstance(turn, AssistantTurn) and not turn.calls:
            break
        if isinstance(turn, UserTurn) or (isinstance(turn, ResultTurn) and turn.name == _ASKED):
            texts.append(turn.text)
    return texts


def without_names(request: ModelRequest, scrub: Scrub) -> ModelRequest:
    tools = tuple(
        ToolSpec(tool.name, scrub.outgoing(tool.description), _changed(tool.parameters, scrub.outgoing))
        for tool in request.tools
    )
    schema = request.response_schema
    return replace(
        request,
        turns=[_turn(turn, scrub.outgoing) for turn in request.turns],
        tools=tools,
        response_schema=None if schema is None else _changed(schema, scrub.outgoing),
    )


def _turn(turn: Turn, change: Callable[[str], str]) -> Turn:
    match turn:
        case SystemTurn():
            return SystemTurn(change(turn.text))
        case UserTurn():
            text = "\n\n".join([turn.text, *([_IMAGE] if turn.images else [])])
            return UserTurn(change(text))
        case ResultTurn():
            return replace(turn, text=change(turn.text), data=None)
        case AssistantTurn():
            return _assistant(turn, change)


def _assistant(turn: AssistantTurn, change: Callable[[str], str]) -> AssistantTurn:
    """`echo` stays: it is what the provider itself has sent, before names were put back."""
    calls = tuple(_call(call, change) for call in turn.calls)
    return replace(turn, text=change(turn.text), reasoning=change(turn.reasoning), calls=calls)


def _call(call: CallTurn, change: Callable[[str], str]) -> CallTurn:
    why = change(call.why)
    if call.args is None:
        return replace(call, args_text=change(call.args_text), why=why)
    args = _changed(call.args, change)
    return replace(call, args=args, args_text=json.dumps(args, ensure_ascii=False), why=why)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """Every text in a JSON value changed, keys as well."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(str(key)): _changed(inner, change) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_changed(inner, change) for inner in value]
    return value


class WithNames:
    """The chunks of one reply with the names back, held back where a stand-in may continue in the next piece."""

    def __init__(self, scrub: Scrub) -> None:
        self._scrub = scrub
        self._texts: dict[type[TextDelta | ReasoningDelta], Restoring] = {}
        self._calls: dict[int, Restoring] = {}

    def pieces(self, chunk: ModelChunk) -> list[ModelChunk]:
        match chunk:
            case TextDelta() | ReasoningDelta():
                kind = type(chunk)
                restoring = self._texts.setdefault(kind, self._scrub.incoming())
                text = restoring.feed(chunk.text)
                return [kind(text)] if text else []
            case CallDelta():
                restoring = self._calls.setdefault(chunk.position, self._scrub.incoming())
                return [replace(chunk, args_text=restoring.feed(chunk.args_text))]
            case Finished():
                ends: list[ModelChunk] = [kind(text) for kind, one in self._texts.items() if (text := one.end())]
                return [*ends, replace(chunk, turn=_assistant(chunk.turn, self._whole))]
        return [chunk]

    def _whole(self, text: str) -> str:
        restoring = self._scrub.incoming()
        return restoring.feed(text) + restoring.end()


def _joined(scrubs: Sequence[Scrub]) -> Scrub:
    def outgoing(text: str) -> str:
        for scrub in scrubs:
            text = scrub.outgoing(text)
        return text

    return Scrub(outgoing, lambda: _OneAfterAnother([scrub.incoming() for scrub in reversed(scrubs)]))


class _OneAfterAnother:
    def __init__(self, stages: Sequence[Restoring]) -> None:
        self._stages = stages

    def feed(self, piece: str) -> str:
        for stage in self._stages:
            piece = stage.feed(piece)
        return piece

    def end(self) -> str:
        rest = ""
        for stage in self._stages:
            rest = stage.feed(rest) + stage.end()
        return rest
