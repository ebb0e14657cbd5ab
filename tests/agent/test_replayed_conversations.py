"""Whole conversations through the loop: what it sends next is what the recorded client sent.

The model plays recorded streams, the tools return what the recorded tools returned; each request is
compared, as it would go over the wire, with the one on record. A conversation of our own is always
there, those of real providers where they lie beside the checkout.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.agent.run import Run
from app.core.run.chat_model import Finished, ModelChunk, ModelRequest, ModelTraits, SystemTurn, Turn, UserTurn
from app.core.tools.tool import Tool, ToolContext, ToolResult, canonical_args
from app.providers.request.messages import to_messages
from tests.fakes import MODES_BY_ID, context, end_of, finish
from tests.rigs.replay import replay
from tests.rigs.wire_message import text_of, told

LEAST = 20
"""Requests that must be compared where the recordings are there; else this test has lost its material."""

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Cassette:
    name: str
    requests: Sequence[Sequence[Body]]
    """The messages of each request."""
    answers: Sequence[bytes]
    """The stream that came back for each."""


class Recorded:
    """Plays a cassette; `sent` is what it was asked, as on the wire."""

    ref = "recorded/model"
    traits = ModelTraits(vision=True)

    def __init__(self, cassette: Cassette) -> None:
        self._answers = cassette.answers
        self.sent: list[Sequence[Body]] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        number = len(self.sent)
        self.sent.append(to_messages(request.turns, self.traits, provider="recorded"))
        outcome = replay(self._answers[number])
        assert outcome.finished is not None, outcome.error
        for chunk in outcome.chunks:
            if not isinstance(chunk, Finished):
                yield chunk
        turn = outcome.finished.turn
        calls = tuple(replace(call, id=f"{number}-{call.id}") for call in turn.calls)
        yield replace(outcome.finished, turn=replace(turn, calls=calls))

    async def aclose(self) -> None:
        return


def _tools(messages: Sequence[Body]) -> dict[str, Tool]:
    """Every tool that was called, with the results it gave then, in their order."""
    results = {
        message["tool_call_id"]: text_of(message["content"]) for message in messages if message["role"] == "tool"
    }
    given: dict[tuple[str, str], list[str]] = {}
    for message in messages:
        for call in message.get("tool_calls") or ():
            args = json.loads(call["function"]["arguments"] or "{}")
            given.setdefault((call["function"]["name"], canonical_args(args)), []).append(results.get(call["id"], ""))

    def tool(name: str) -> Tool:
        async def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
            return ToolResult.success(given[name, canonical_args(args)].pop(0))

        return Tool(name, name, "app.write", body, lambda: {"type": "object"}, lambda _args: [], read_only=False)

    return {name: tool(name) for name, _args in given}


def _turn(message: Body) -> Turn:
    text = text_of(message.get("content"))
    return UserTurn(text) if message["role"] == "user" else SystemTurn(text)


async def _compared(cassette: Cassette) -> int:
    """Requests of the loop that say what the recorded ones say; a new question begins a new run."""
    model, tools = Recorded(cassette), _tools(cassette.requests[-1])
    turns = [_turn(message) for message in cassette.requests[0]]
    while True:
        query = turns[-1].text if isinstance(turns[-1], UserTurn) else ""
        settings = {"max_steps": 50, "tool_result_max_length": 200_000, "tool_results_total_length": 200_000}
        ctx = context(model, tools, query=query, settings=settings, approve="all")
        ctx.state.turns[:] = turns
        end_of(await finish(Run(ctx, MODES_BY_ID["react"]).start()))
        done = len(model.sent)
        if done == len(cassette.requests):
            break
        asked = cassette.requests[done][-1]
        assert asked["role"] == "user", f"{cassette.name}: the run ended before request {done + 1}"
        turns = [*ctx.state.turns, _turn(asked)]
    for number, (ours, theirs) in enumerate(zip(model.sent, cassette.requests, strict=True), 1):
        assert [told(m) for m in ours] == [told(m) for m in theirs], f"{cassette.name}, request {number}"
    return len(model.sent)


# ------------------------------------------------------------ a conversation of our own


def _stream(*deltas: Body, finish: str = "stop") -> bytes:
    frames = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    frames.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return b"".join(f"data: {json.dumps(frame)}\n\n".encode() for frame in frames) + b"data: [DONE]\n\n"


def _piece(index: int, id: str, name: str, arguments: str) -> Body:
    return {"tool_calls": [{"index": index, "id": id, "function": {"name": name, "arguments": arguments}}]}


def _call(id: str, name: str, **args: Any) -> Body:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}


def _ours() -> Cassette:
    """Two calls at once, a third after them, an answer, and a second question in the same session."""
    first: list[Body] = [{"role": "system", "content": "count"}, {"role": "user", "content": "how many in all?"}]
    both = {"role": "assistant", "content": "I look.", "tool_calls": [_call("a", "red", n=1), _call("b", "blue", n=2)]}
    second = [*first, both, _result("a", "3 red"), _result("b", "4 blue")]
    third = [*second, {"role": "assistant", "tool_calls": [_call("c", "add", of=[3, 4])]}, _result("c", "7")]
    fourth = [*third, {"role": "assistant", "content": "There are 7."}, {"role": "user", "content": "and without red?"}]
    answers = [
        _stream(
            {"content": "I look."}, _piece(0, "a", "red", '{"n":'), _piece(0, "", "", " 1}"),
            _piece(1, "b", "blue", '{"n": 2}'), finish="tool_calls",
        ),
        _stream(_piece(0, "c", "add", '{"of": [3, 4]}')),  # calls with the finish of an answer
        _stream({"content": "There "}, {"content": "are 7."}),
        _stream({"content": "Then 4."}),
    ]  # fmt: skip
    return Cassette("ours", [first, second, third, fourth], answers)


def _result(id: str, text: str) -> Body:
    return {"role": "tool", "tool_call_id": id, "content": text}


async def test_a_conversation_of_our_own_goes_through_the_loop_as_it_was_written() -> None:
    assert await _compared(_ours()) == 4


# ------------------------------------------------------------ recorded ones


def _cassettes(streams: Path) -> Iterator[Cassette]:
    for first in sorted((streams / "recorded").rglob("t00.request.json")):
        if (cassette := _cassette(first.parent)) is not None:
            yield cassette


def _cassette(folder: Path) -> Cassette | None:
    """As many requests as follow from one another; None for fewer than two."""
    requests: list[list[Body]] = []
    answers: list[bytes] = []
    for number in range(100):
        request, stream = folder / f"t{number:02}.request.json", folder / f"t{number:02}.sse"
        if not request.is_file() or not stream.is_file():
            break
        messages = list(json.loads(request.read_text("utf-8")).get("messages") or [])
        outcome = replay(stream.read_bytes())
        if outcome.finished is None or not messages or not _follows(messages, requests, answers):
            break
        requests.append(messages)
        answers.append(stream.read_bytes())
    # The last request is compared too; its own answer only has to be one.
    while requests and answers and _last_calls(answers[-1]):
        requests.pop()
        answers.pop()
    is_plain = bool(requests) and all(message["role"] in ("system", "developer", "user") for message in requests[0])
    return Cassette(folder.name, requests, answers) if is_plain and len(requests) > 1 else None


def _last_calls(answer: bytes) -> bool:
    outcome = replay(answer)
    return outcome.finished is None or bool(outcome.finished.turn.calls) or not outcome.finished.turn.text.strip()


def _follows(messages: list[Body], requests: list[list[Body]], answers: list[bytes]) -> bool:
    """Some recordings put together turns of different days: those are no conversation."""
    if not requests:
        return True
    before = requests[-1]
    added = messages[len(before) :]
    outcome = replay(answers[-1])
    if messages[: len(before)] != before or not added or added[0]["role"] != "assistant" or outcome.finished is None:
        return False
    known = [call.get("id") for call in added[0].get("tool_calls") or ()]
    return known == [call.wire_id for call in outcome.finished.turn.calls]


async def test_recorded_conversations_go_through_the_loop_as_their_own_client_led_them(streams_dir: Path) -> None:
    compared = {cassette.name: await _compared(cassette) for cassette in _cassettes(streams_dir)}
    assert sum(compared.values()) >= LEAST, compared
