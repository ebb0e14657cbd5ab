"""The whole way to a provider over a real connection: an answer, tools, and a key that is refused."""

from __future__ import annotations

import gc
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any

import openai
import truststore

from app.compose import build
from app.core.run.analysis.context_use import context_use
from app.core.run.chat_model import Finished, ModelChunk, ModelRequest, UserTurn
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, Retry, ToolReturned
from app.services.runs.run_options import RunOptions
from tests.fakes import end_of, error_of, of
from tests.grammar import check_grammar
from tests.rigs.fault_server import Exchange, FaultServer, Scenario
from tests.rigs.speaking_server import speaks

KEY = "sk-very-secret-1234567890abcdef"


async def ask(tmp_path: Path, scenario: Scenario, **settings: Any) -> tuple[list[Stamped], FaultServer]:
    async with FaultServer(scenario) as server:
        environ: Mapping[str, str] = {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_MODEL": "test-model",
        }
        services = build(tmp_path / "data", environ)
        await services.open()
        session = await services.sessions.create("assistant")
        options = RunOptions(mode="react", interactive=False, overrides={"max_retries": 0, **settings})
        run = await services.chat.send(session.id, "6*7?", options=options)
        lines = [line async for line in run.events()]
        check_grammar(lines)
        await services.chat.recorded()
        check_grammar(await services.runs.events(run.id))
        await services.close()
    return lines, server


async def test_an_answer_with_tools_and_thinking(tmp_path: Path) -> None:
    turns: list[Mapping[str, Any]] = [
        {"reasoning": "compute first", "tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]},
        {"content": "It is 42."},
    ]
    lines, server = await ask(tmp_path, speaks(turns))
    assert (end_of(lines).answer, end_of(lines).thinking) == ("It is 42.", "compute first")
    assert of(lines, ToolReturned)[0].summary == "6*7 = 42"
    assert end_of(lines).usage.exact
    second = server.chats[1]["messages"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "tool"]
    assert second[2]["tool_calls"][0]["id"] == second[3]["tool_call_id"]


async def test_the_context_meter_counts_what_is_on_the_wire(tmp_path: Path) -> None:
    """The schemas of the tools, twice as much as all messages, were left out."""
    async with FaultServer(speaks([{"content": "yes"}])) as server:
        environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "test-model"}
        services = build(tmp_path / "data", environ)
        await services.open()
        session = await services.sessions.create("assistant")
        options = RunOptions(mode="react", interactive=False)
        run = await services.chat.send(session.id, "is it so? " * 50, options=options)
        await run.result()
        (body,) = server.chats
        system, tools = await services.chat.frame(services.settings.profile("assistant"), "react")
        question = (await services.sessions.messages(session.id))[:1]
        counted = {item.kind: item.chars for item in context_use(system, question, tools=tools).items}
        wire = {message["role"]: len(message["content"]) for message in body["messages"]}
        functions = [tool["function"] for tool in body["tools"]]
        schemas = sum(
            len(one["name"] + one["description"] + json.dumps(one["parameters"], ensure_ascii=False))
            for one in functions
        )
        assert (counted["system"], counted["said"], counted["tools"]) == (wire["system"], wire["user"], schemas)
        await services.chat.recorded()
        await services.close()


async def test_a_wrong_key_is_told_in_the_providers_words_without_the_key(tmp_path: Path) -> None:
    async def refuse(exchange: Exchange) -> None:
        assert exchange.headers["authorization"] == f"Bearer {KEY}"
        await exchange.reply(
            401, {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
        )

    lines, _server = await ask(tmp_path, refuse)
    error = error_of(lines).error
    assert error.code == "AUTH"
    assert "Incorrect API key provided" in error.message
    told = "".join(str(line.to_json()) for line in lines)
    assert KEY not in told
    assert not files_with(tmp_path, KEY[3:])


def files_with(folder: Path, text: str) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


async def test_a_server_that_stumbles_is_asked_again(tmp_path: Path) -> None:
    lines, server = await ask(tmp_path, speaks([{"status": 503}, {"content": "here"}]), max_retries=1)
    assert [retry.code for retry in of(lines, Retry)] == ["SERVER"]
    assert isinstance(lines[-1].event, LoopEnd)
    assert len(server.chats) == 2


async def test_a_connection_that_breaks_keeps_the_text_on_the_disk(tmp_path: Path) -> None:
    async def breaks(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.delta(content="half an ")
        await exchange.delta(content="answer")

    lines, server = await ask(tmp_path, breaks, max_retries=3)
    assert (error_of(lines).error.code, error_of(lines).partial) == ("INCOMPLETE", "half an answer")
    assert of(lines, Retry) == []
    assert len(server.chats) == 1


async def test_many_models_share_what_is_large_and_keep_few_connections(tmp_path: Path) -> None:
    """Each distinct name kept a client for ever, with certificates of almost a megabyte."""
    async with FaultServer(speaks([{"content": "ok"}] * 41)) as server:
        environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "test-model"}
        services = build(tmp_path / "data", environ)
        await services.open()
        profile = services.settings.profile("assistant")

        async def begin(name: str) -> AsyncGenerator[ModelChunk, None]:
            model = await services.models.choose(profile, wanted=f"env/{name}")
            return model.stream(ModelRequest([UserTurn("hello")]))

        def alive(kind: type[object]) -> set[int]:
            return {id(thing) for thing in gc.get_objects() if type(thing) is kind}

        gc.collect()
        others = {kind: alive(kind) for kind in (truststore.SSLContext, openai.AsyncOpenAI)}  # of earlier tests
        in_use = await begin("the first one")
        assert await anext(in_use) is not None
        for n in range(40):
            async with aclosing(await begin(f"model-{n}")) as answer:
                assert isinstance([chunk async for chunk in answer][-1], Finished)
        gc.collect()
        assert len(alive(truststore.SSLContext) - others[truststore.SSLContext]) <= 2
        assert len(alive(openai.AsyncOpenAI) - others[openai.AsyncOpenAI]) < 20
        # The one that answers all the while has not been cut off.
        assert isinstance([chunk async for chunk in in_use][-1], Finished)
        await services.close()
