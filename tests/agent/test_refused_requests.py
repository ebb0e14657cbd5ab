"""N09, N10 and N29 of the network catalogue as whole runs: what a provider refuses, and calls that come in pieces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from app.agent.run import Run
from app.core.run.chat_model import AssistantTurn, Turn, UserTurn
from app.core.run.event_line import Stamped
from app.core.run.events import Compacted, LoopEnd, LoopError, ToolReturned
from app.core.tools.tool import Tool, ToolContext, ToolResult
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from tests.fakes import MODES_BY_ID, context, end_of, error_of, finish, of
from tests.rigs.fault_server import Exchange, FaultServer
from tests.rigs.stream_faults import CANARY_KEY, FAULTS

READS = 8_000
"""Characters the model of these tests takes."""


async def _run(url: str, tools: dict[str, Tool] | None = None, history: Sequence[Turn] = ()) -> list[Stamped]:
    model = OpenAIChat(ModelEndpoint("fault", url, CANARY_KEY), "m")
    ctx = context(model, tools or {}, history=history, settings={"max_retries": 3})
    lines = await finish(Run(ctx, MODES_BY_ID["react"]).start())
    await model.aclose()
    return lines


async def _says(exchange: Exchange, text: str) -> None:
    await exchange.head()
    await exchange.delta(content=text, finish="stop")
    await exchange.done()


# ------------------------------------------------------------ N09


@pytest.mark.parametrize("name", ["temperature", "stream_options"])
async def test_N09_an_optional_parameter_that_is_refused_by_name_is_left_out_once(name: str) -> None:
    async def particular(exchange: Exchange) -> None:
        if name in exchange.json:
            await exchange.reply(400, {"error": {"message": f"Unrecognized request argument: {name}", "param": name}})
        else:
            await _says(exchange, "fine")

    async with FaultServer(particular) as server:
        lines = await _run(server.base_url)
        assert [name in body for body in server.chats] == [True, False]
    assert (end_of(lines).answer, end_of(lines).stop_reason) == ("fine", "answered")


async def test_N09_any_other_refusal_is_told_in_the_providers_words_and_not_tried_again() -> None:
    words = "An assistant message with 'tool_calls' must be followed by tool messages. " + "x" * 5_000

    async def refuses(exchange: Exchange) -> None:
        await exchange.reply(400, {"error": {"message": words, "type": "invalid_request_error"}})

    async with FaultServer(refuses) as server:
        lines = await _run(server.base_url)
        assert len(server.requests) == 1
    error = error_of(lines).error
    assert (error_of(lines).reason, error.code, error.retryable) == ("api", "BAD_REQUEST", False)
    assert "must be followed by tool messages" in error.message
    assert len(error.message) <= 600


# ------------------------------------------------------------ N10


def _sent(body: Any) -> int:
    return sum(len(message["content"]) for message in body["messages"] if message["role"] != "system")


async def test_N10_a_conversation_that_is_too_long_is_sent_once_more_shortened_and_stays_as_it_was() -> None:
    async def short_of_breath(exchange: Exchange) -> None:
        if exchange.json["messages"][-1]["content"].startswith("Summarise") or _sent(exchange.json) <= READS:
            await _says(exchange, "still here")
        else:
            words = "This model's maximum context length is 2000 tokens. However, your messages resulted in 4000."
            await exchange.reply(400, {"error": {"message": words, "code": "context_length_exceeded"}})

    history: list[Turn] = []
    for n in range(10):
        history += [UserTurn(f"question {n}"), AssistantTurn(f"answer {n}: " + "word " * 280)]
    before = list(history)
    async with FaultServer(short_of_breath) as server:
        lines = await _run(server.base_url, history=history)
        refused = [body for body in server.chats if _sent(body) > READS]
        last = server.chats[-1]
    assert isinstance(lines[-1].event, LoopEnd), lines[-1].event
    assert end_of(lines).answer == "still here"
    assert len(refused) == 1, "once is enough"
    assert last["messages"][-1]["content"] == "what is 1 + 2?", "what was asked is sent whole"
    (told,) = of(lines, Compacted)
    assert told.after_chars < told.before_chars
    assert told.dropped
    assert history == before


async def test_N10_a_provider_that_finds_everything_too_long_is_believed() -> None:
    async def never(exchange: Exchange) -> None:
        await exchange.reply(400, {"error": {"message": "prompt is too long: maximum context length exceeded"}})

    async with FaultServer(never) as server:
        lines = await _run(server.base_url)
        assert len(server.requests) <= 2
    assert isinstance(lines[-1].event, LoopError)
    assert error_of(lines).error.code == "CONTEXT_OVERFLOW"


# ------------------------------------------------------------ N29


class _Kit:
    def __init__(self, *names: str) -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.tools = {name: self._tool(name) for name in names}

    def _tool(self, name: str) -> Tool:
        async def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
            self.ran.append((name, args))
            return ToolResult.success("done")

        return Tool(name, name, "app.write", body, lambda: {"type": "object"}, lambda _args: [], read_only=False)


async def _heard(fault: str, kit: _Kit) -> tuple[list[Stamped], list[Any]]:
    """The run whose first answer is that fault, and what was sent to the model."""

    async def scenario(exchange: Exchange) -> None:
        if len(server.requests) == 1:
            await FAULTS[fault](exchange)
        else:
            await _says(exchange, "so be it")

    async with FaultServer(scenario) as server:
        lines = await _run(server.base_url, kit.tools)
        return lines, server.chats


@pytest.mark.parametrize("fault", ["P09", "P10", "P10b"])
async def test_N29_a_call_cut_off_never_runs_and_the_model_is_told_once(fault: str) -> None:
    kit = _Kit("write")
    lines, chats = await _heard(fault, kit)
    assert kit.ran == []
    told = [message["content"] for message in chats[1]["messages"] if message["role"] == "tool"]
    assert len(told) == 1
    assert re.search("cut off|not valid JSON", told[0])
    assert end_of(lines).answer == "so be it"
    assert all(not result.ok for result in of(lines, ToolReturned))


async def test_N29_a_call_without_the_end_of_its_message_never_runs() -> None:
    kit = _Kit("write")
    lines, _chats = await _heard("P10c", kit)
    assert kit.ran == []
    assert of(lines, ToolReturned) == []


async def test_N29_interleaved_pieces_and_impossible_indexes_run_what_is_whole() -> None:
    kit = _Kit("f", "g")
    lines, chats = await _heard("P11", kit)
    assert kit.ran[:2] == [("f", {"i": 0}), ("g", {"i": 1})]
    assert all(args in ({"i": 0}, {"i": 1}, {}) for _name, args in kit.ran)
    asked = [call["id"] for message in chats[1]["messages"] for call in message.get("tool_calls") or ()]
    answered = [message["tool_call_id"] for message in chats[1]["messages"] if message["role"] == "tool"]
    assert asked == answered
    assert end_of(lines).answer == "so be it"


async def test_N29_calls_that_share_an_id_are_told_apart() -> None:
    kit = _Kit("f", "g", "h")
    lines, chats = await _heard("P12", kit)
    assert [name for name, _args in kit.ran] == ["f", "g", "h"]
    asked = [call["id"] for message in chats[1]["messages"] for call in message.get("tool_calls") or ()]
    assert len(set(asked)) == 3
    assert end_of(lines).answer == "so be it"
