"""Fakes at the seams, and the shortest way to a run: a script, some small tools, the events.

    model = scripted(call("add", a=1, b=2), says("3"))
    lines = await run_mode("react", model, query="1 + 2?")

`run_mode` passes every stream through the grammar before a test looks at it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any, TypedDict, TypeVar

from app.agent.budget import Spending
from app.agent.context import RunContext
from app.agent.inbox import RunClock
from app.agent.modes import MODES, Mode
from app.agent.policy.hooks import Hooks
from app.agent.policy.permission import Permissions
from app.agent.run import Run
from app.agent.run_parts import RunRequest, RunServices, RunState
from app.core.profile import AgentProfile, Budget
from app.core.run.chat_model import (
    AssistantTurn,
    Finished,
    ModelChunk,
    ModelRequest,
    ModelTraits,
    SystemTurn,
    TextDelta,
    Turn,
    UserTurn,
)
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopError, RunEvent
from app.core.system.clock import Clock
from app.core.tools.card import Card
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from app.providers.scripted import ScriptedModel, read_script
from tests.grammar import check_grammar

_P = TypeVar("_P", RunRequest, RunServices, RunState)
TODAY = date(2026, 11, 20)
MODES_BY_ID: Mapping[str, Mode] = {mode.id: mode for mode in MODES}


class SleeplessClock(Clock):
    """The computer's time, but waiting takes none of it."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        """Seconds of each wait."""

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


class FakeClock(SleeplessClock):
    """Stands still until a test moves `time`."""

    def __init__(self, time: float = 0.0, day: date = TODAY) -> None:
        super().__init__()
        self.time, self.day = time, day

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def today(self) -> date:
        return self.day


# ---------------------------------------------------------------- scripts


def says(text: str, **turn: Any) -> dict[str, Any]:
    return {"content": text, **turn}


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    return calls((name, arguments))


def calls(*named: tuple[str, Mapping[str, Any] | str], **turn: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": arguments} for name, arguments in named], **turn}


def fails(word: str, **turn: Any) -> dict[str, Any]:
    return {"raise": word, **turn}


def scripted(*turns: Mapping[str, Any], repeat_last: bool = False) -> ScriptedModel:
    return ScriptedModel(read_script({"turns": list(turns), "repeat_last": repeat_last}))


class AskedModel:
    """Answers by a function of the request: for what a script cannot know beforehand."""

    def __init__(self, answer: Callable[[ModelRequest], str | AssistantTurn]) -> None:
        self._answer = answer
        self.requests: list[ModelRequest] = []

    @property
    def ref(self) -> str:
        return "fake/asked"

    @property
    def traits(self) -> ModelTraits:
        return ModelTraits()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        self.requests.append(request)
        said = self._answer(request)
        turn = said if isinstance(said, AssistantTurn) else AssistantTurn(said)
        if turn.text:
            yield TextDelta(turn.text)
        yield Finished(turn, "tool_calls" if turn.calls else "stop")

    async def aclose(self) -> None:
        return


# ---------------------------------------------------------------- tools


_derived: dict[str, Tool] = {}


def _derived_once(made: Tool) -> Tool:
    """With the schema of the first kit, whose functions are written in the same place: hundreds of tests make one."""
    return dataclasses.replace(_derived.setdefault(made.name, made), body=made.body)


class Kit:
    """Small real tools. `ran` says which of them ran, and with what."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.at_once = 0
        self.most_at_once = 0
        self.gate = asyncio.Event()
        """`wait` returns when this is set."""
        self.tools: dict[str, Tool] = {each.name: _derived_once(each) for each in self._make()}

    def ran_names(self) -> list[str]:
        return [name for name, _args in self.ran]

    def _make(self) -> list[Tool]:
        kit = self

        @tool("pure")
        def add(ctx: ToolContext, a: int, b: int = 0) -> ToolResult:
            """Add two whole numbers."""
            kit.ran.append(("add", {"a": a, "b": b}))
            return ToolResult.success({"sum": a + b}, f"{a} + {b} = {a + b}")

        @tool("pure")
        def city(ctx: ToolContext, name: str) -> ToolResult:
            """Facts of a city."""
            kit.ran.append(("city", {"name": name}))
            return ToolResult.success({"city": {"id": "beijing", "name": name}, "places": [{"id": "gugong"}]}, name)

        @tool("pure")
        def long_text(ctx: ToolContext, length: int, mark: str = "x") -> ToolResult:
            """A text of so many characters."""
            kit.ran.append(("long_text", {"length": length}))
            return ToolResult.success(mark * length)

        @tool("app.write")
        def save(ctx: ToolContext, text: str) -> ToolResult:
            """Store a text."""
            kit.ran.append(("save", {"text": text}))
            return ToolResult.success({"saved": text}, "saved")

        @tool("net", subject=lambda args: str(args.get("host", "")))
        def fetch(ctx: ToolContext, host: str, path: str = "/") -> ToolResult:
            """Get a page."""
            kit.ran.append(("fetch", {"host": host, "path": path}))
            return ToolResult.success("page", f"page of {host}")

        @tool("pure")
        async def wait(ctx: ToolContext, id: int = 0) -> ToolResult:
            """Wait until the test says so."""
            kit.ran.append(("wait", {"id": id}))
            kit.at_once += 1
            kit.most_at_once = max(kit.most_at_once, kit.at_once)
            try:
                await kit.gate.wait()
            finally:
                kit.at_once -= 1
            return ToolResult.success({"id": id}, "waited")

        @tool("pure", exclusive=True)
        async def alone(ctx: ToolContext) -> ToolResult:
            """Runs by itself."""
            kit.ran.append(("alone", {"others": kit.at_once}))
            await asyncio.sleep(0)
            return ToolResult.success({"others": kit.at_once}, "alone")

        @tool("pure")
        def broken(ctx: ToolContext, how: str = "raise") -> Any:
            """Misbehave."""
            kit.ran.append(("broken", {"how": how}))
            return misbehave(how)

        return [add, city, long_text, save, fetch, wait, alone, broken]


class Knot(TypedDict, total=False):
    self: Any


def misbehave(how: str) -> Any:
    """Everything a careless or hostile tool may do instead of returning a result."""
    knot: Knot = {}
    knot["self"] = knot
    match how:
        case "raise":
            raise ZeroDivisionError("division by zero")
        case "cancelled":
            raise asyncio.CancelledError
        case "none":
            return None
        case "text":
            return "just a text"
        case "circle":
            return ToolResult.success(knot)
        case "keys":
            return ToolResult.success({(1, 2): "tuple key"})
        case "objects":
            return ToolResult.success({"set": {1}, "bytes": b"x"})
        case "infinite":
            return ToolResult.success({"places": [{"price": float("inf")}]})
        case "meta_nan":
            return ToolResult.success({}, as_of=float("nan"))
        case "card":
            return ToolResult(ok=True, data={}, display="no card")  # type: ignore[arg-type]
        case "card_nan":
            return ToolResult.success({}, display=Card("map", {"points": [{"lat": float("nan")}]}))
        case "no_reason":
            return ToolResult(ok=False)
        case "surrogate":
            return ToolResult.success("half \ud83d of a pair")
    raise AssertionError(how)


# ---------------------------------------------------------------- runs


def profile(**fields: Any) -> AgentProfile:
    """Reflection off and every tool allowed, unless the test says otherwise."""
    usual: dict[str, Any] = {"id": "tester", "enable_reflection": False, "tools": {"*": "allow"}, "max_retries": 0}
    return AgentProfile(**{**usual, **fields})


def context(
    model: Any,
    tools: Mapping[str, Tool] | None = None,
    *,
    query: str = "what is 1 + 2?",
    history: Sequence[Turn] = (),
    settings: Mapping[str, Any] | None = None,
    budget: Budget | None = None,
    hooks: Hooks | None = None,
    **fields: Any,
) -> RunContext:
    """A context with counted ids, no waiting between retries and a fixed day."""
    agent = profile(**(settings or {}))
    ids = (f"id{n}" for n in count(1))

    usual: dict[str, Any] = {
        "permissions": Permissions(agent.tools, agent.permissions),
        "spending": Spending(budget),
        "hooks": hooks or Hooks(),
        "clock": RunClock(SleeplessClock()),
        "rng": random.Random(7),
        "today": TODAY,
        "ids": ids,
    }
    turns = [SystemTurn("be brief"), *history, UserTurn(query)]
    kit = Kit().tools if tools is None else tools
    every = {"model": model, "tools": kit, "turns": turns, **usual, **fields}
    every |= {"run_id": "r1", "session_id": "s1", "profile": agent, "query": query}
    return RunContext(_part(RunRequest, every), _part(RunServices, every), _part(RunState, every))


def _part(kind: type[_P], every: Mapping[str, Any]) -> _P:
    """That part of a context, of the fields that are its own."""
    own = {field.name for field in dataclasses.fields(kind)}
    return kind(**{name: value for name, value in every.items() if name in own})


async def run_mode(mode: str, model: Any, tools: Mapping[str, Tool] | None = None, **given: Any) -> list[Stamped]:
    """One whole run; its stream has passed the grammar."""
    return await finish(Run(context(model, tools, **given), MODES_BY_ID[mode]).start())


async def finish(run: Run) -> list[Stamped]:
    lines = [line async for line in run.events()]
    check_grammar(lines)
    assert await run.result() == lines[-1].event
    return lines


async def until(holds: Callable[[], bool]) -> None:
    """Let everybody else go on until it holds: turn by turn, and later with pauses in which a thread may work too."""
    for turn in range(60_000):
        if holds():
            return
        await asyncio.sleep(0 if turn < 50_000 else 0.005)
    raise AssertionError("it never came to hold")


# ---------------------------------------------------------------- looking at a stream


def events(lines: Sequence[Stamped]) -> list[RunEvent]:
    return [line.event for line in lines]


def of(lines: Sequence[Stamped], *kinds: type[Any]) -> list[Any]:
    """The events of these kinds, in order."""
    return [line.event for line in lines if isinstance(line.event, kinds)]


def end_of(lines: Sequence[Stamped]) -> LoopEnd:
    end = lines[-1].event
    assert isinstance(end, LoopEnd), end
    return end


def error_of(lines: Sequence[Stamped]) -> LoopError:
    end = lines[-1].event
    assert isinstance(end, LoopError), end
    return end
