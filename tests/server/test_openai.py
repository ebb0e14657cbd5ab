"""The official client of the protocol talks to agents as models."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from operator import mul
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

from app.core.run.chat_model import SystemTurn, UserTurn
from app.server.openai.answering import Answering
from app.server.openai.caller_tools import grouped_name
from app.services.providers.entries import ProviderEntry
from tests.fakes import AskedModel
from tests.knowledge.vector_server import vector_server

from .conftest import TOKEN, Served, until

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "the weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


@pytest.fixture
async def client(served: Served) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=f"{served.address}/v1", api_key=TOKEN, max_retries=0) as one:
        yield one


def user(text: str) -> Any:
    return {"role": "user", "content": text}


async def test_models_and_completions(served: Served, client: AsyncOpenAI) -> None:
    names = [model.id async for model in client.models.list()]
    assert {"travel:plan", "assistant", "research:auto"} <= set(names)
    served.plays({"content": "the first "} | CALL, {"reasoning": "hm", "content": "It is 42."})
    whole = await client.chat.completions.create(model="assistant:react", messages=[user("6*7?")])
    assert whole.choices[0].message.content == "It is 42."
    assert whole.choices[0].finish_reason == "stop"
    served.plays({"reasoning": "hm", "content": "It is 42."})
    stream = await client.chat.completions.create(
        model="assistant:direct", messages=[user("6*7?")], stream=True, stream_options={"include_usage": True}
    )
    chunks = [chunk async for chunk in stream]
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == "It is 42."
    assert "".join(getattr(delta, "reasoning_content", "") for delta in deltas) == "hm"
    assert chunks[-1].usage is not None
    for _ in range(1_000):
        if await served.services.sessions.rows() == []:
            return
        await asyncio.sleep(0.02)
    pytest.fail("such conversations belong to the caller")


async def test_the_whole_conversation_and_the_settings_reach_the_model(
    served: Served, client: AsyncOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = AskedModel(lambda _request: "aye")

    async def choose(*_args: Any, **_named: Any) -> AskedModel:
        return model

    monkeypatch.setattr(served.services.models, "choose", choose)
    await client.chat.completions.create(
        model="assistant:direct",
        temperature=0.3,
        max_completion_tokens=77,
        messages=[
            {"role": "system", "content": "Answer like a pirate."},
            user("one"),
            {"role": "assistant", "content": "two"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "three"},
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
                ],
            },
        ],
    )
    (request,) = model.requests
    system, *turns = request.turns
    assert isinstance(system, SystemTurn)
    assert "Answer like a pirate." in system.text
    assert [getattr(turn, "text", "").partition("\n")[0] for turn in turns] == ["one", "two", "three"]
    assert isinstance(turns[-1], UserTurn)
    assert base64.b64decode(turns[-1].images[0].partition(",")[2]) == base64.b64decode(PIXEL)
    assert (request.temperature, request.max_output_tokens) == (0.3, 77)


async def test_errors_are_those_the_client_knows(served: Served, client: AsyncOpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="unknown model"):
        await client.chat.completions.create(model="nobody", messages=[user("x")])
    with pytest.raises(openai.BadRequestError, match="there is a tool calculator already"):
        clash = json.loads(json.dumps(WEATHER).replace('"get_weather"', '"calculator"'))
        await client.chat.completions.create(model="assistant:react", messages=[user("x")], tools=[clash])
    question = json.loads(json.dumps(WEATHER).replace('"get_weather"', '"ask_user"'))
    served.plays({"tool_calls": [{"name": "ask_user", "arguments": {"city": "Rome"}}]})
    asked = await client.chat.completions.create(model="assistant:react", messages=[user("x")], tools=[question])
    assert asked.choices[0].finish_reason == "tool_calls", "nobody answers ours here: the caller's takes its place"
    served.plays({"raise": "429"})
    with pytest.raises(openai.RateLimitError):
        await client.chat.completions.create(
            model="assistant:direct", messages=[user("x")], extra_body={"settings": {}}
        )
    stream = await client.chat.completions.create(model="assistant:direct", messages=[user("x")], stream=True)
    with pytest.raises(openai.APIError):
        async for _chunk in stream:
            pass
    with pytest.raises(openai.RateLimitError):
        await client.responses.create(model="assistant:direct", input="x")
    events = [event async for event in await client.responses.create(model="assistant:direct", input="x", stream=True)]
    assert events[-1].type == "response.failed"
    assert events[-1].response.error is not None
    assert events[-1].response.usage is None
    async with AsyncOpenAI(base_url=f"{served.address}/v1", api_key="wrong") as stranger:
        with pytest.raises(openai.AuthenticationError):
            await stranger.models.list()


async def test_tools_of_the_caller_come_back_as_calls_and_the_run_goes_on_with_their_results(
    served: Served, client: AsyncOpenAI
) -> None:
    both = {"tool_calls": [
        {"name": "get_weather", "arguments": {"city": "Rome"}},
        {"name": "calculator", "arguments": {"expression": "6*7"}},
        {"name": "get_weather", "arguments": {"city": "Oslo"}},
    ]}  # fmt: skip
    for streams in (False, True):
        served.plays(both, {"content": "Rome is warm, Oslo is not."}, repeat_last=False)
        messages = [user("weather?")]
        first = await _asked(client, messages, streams)
        assert first["finish"] == "tool_calls"
        cities = [json.loads(call["function"]["arguments"])["city"] for call in first["calls"]]
        assert sorted(cities) == ["Oslo", "Rome"]
        messages += [{"role": "assistant", "content": None, "tool_calls": first["calls"]}]
        results = zip(first["calls"], cities, strict=True)
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": f"{city}: ok"} for call, city in results]
        second = await _asked(client, messages, streams)
        assert (second["finish"], second["content"]) == ("stop", "Rome is warm, Oslo is not.")
        # The same results once more, as after a restart: nobody waits for them, the conversation says it all.
        served.plays({"content": "Once more: warm."})
        third = await _asked(client, messages, streams)
        assert third["content"] == "Once more: warm."
    await until(lambda: not served.services.chat.running_sessions(), "no run is left")


async def test_results_may_come_before_the_first_answer_is_put_away(
    served: Served, client: AsyncOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, leave, left = Answering.begin, Answering.leave, list[Any]()

    async def begins(self: Answering, *args: Any) -> Any:
        exchange = await begin(self, *args)
        while left:
            leave(*left.pop())
        return exchange

    monkeypatch.setattr(Answering, "begin", begins)
    monkeypatch.setattr(Answering, "leave", lambda *args: left.append(args))
    call = {"name": WEATHER["function"]["name"], "arguments": {"city": "Rome"}}
    served.plays({"tool_calls": [call]}, {"content": "Rome is warm."}, repeat_last=False)
    messages = [user("weather?")]
    first = await _asked(client, messages, True)
    messages += [{"role": "assistant", "content": None, "tool_calls": first["calls"]}]
    messages += [{"role": "tool", "tool_call_id": first["calls"][0]["id"], "content": "warm"}]
    await until(lambda: left, "the end of the first response")
    assert (await _asked(client, messages, True))["content"] == "Rome is warm."
    await until(lambda: left, "the end of the second response")
    leave(*left.pop())
    await until(lambda: not served.services.chat.running_sessions(), "no run is left")


async def _asked(client: AsyncOpenAI, messages: list[Any], streams: bool) -> dict[str, Any]:
    if not streams:
        whole = await client.chat.completions.create(model="assistant:react", messages=messages, tools=[WEATHER])
        message = whole.choices[0].message
        calls = [call.model_dump() for call in message.tool_calls or []]
        return {"finish": whole.choices[0].finish_reason, "content": message.content, "calls": calls}
    found: dict[str, Any] = {"finish": "", "content": "", "calls": []}
    stream = await client.chat.completions.create(
        model="assistant:react", messages=messages, tools=[WEATHER], stream=True
    )
    async for chunk in stream:
        choice = chunk.choices[0]
        found["content"] += choice.delta.content or ""
        found["calls"] += [
            {key: value for key, value in call.model_dump().items() if key != "index"}
            for call in choice.delta.tool_calls or []
        ]
        found["finish"] = choice.finish_reason or found["finish"]
    return found


async def test_responses_stream_items_and_remember_what_was_said(served: Served, client: AsyncOpenAI) -> None:
    served.plays({"reasoning": "hm", "content": "It is 42."})
    first = await client.responses.create(model="assistant:direct", input="6*7?", instructions="short")
    assert first.output_text == "It is 42."
    assert [item.type for item in first.output] == ["reasoning", "message"]
    second = await client.responses.create(model="assistant:direct", input="and again?", previous_response_id=first.id)
    assert second.previous_response_id == first.id
    async with client.responses.stream(model="assistant:direct", input="6*7?") as stream:
        kinds = [event.type async for event in stream]
        final = await stream.get_final_response()
    assert final.output_text == "It is 42."
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"
    tool: Any = {"type": "function", **WEATHER["function"], "strict": False}
    served.plays({"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}, {"content": "warm"})
    called = await client.responses.create(model="assistant:react", input="weather?", tools=[tool])
    call = next(item for item in called.output if item.type == "function_call")
    assert json.loads(call.arguments) == {"city": "Rome"}
    output: Any = [{"type": "function_call_output", "call_id": call.call_id, "output": "30 degrees"}]
    ended = await client.responses.create(
        model="assistant:react", input=output, tools=[tool], previous_response_id=called.id
    )
    assert ended.output_text == "warm"


async def test_what_is_said_before_a_call_is_left_out_of_a_whole_answer_and_a_paragraph_of_a_streamed_one(
    served: Served, client: AsyncOpenAI
) -> None:
    answers: dict[str, str | None] = {}
    ask: Any = {"model": "assistant:react"}

    def play() -> None:
        served.plays({"content": "I will compute it.", **CALL}, {"content": "It is 42."}, repeat_last=False)

    play()
    answers["whole"] = (await client.chat.completions.create(**ask, messages=[user("6*7?")])).choices[0].message.content
    play()
    stream = await client.chat.completions.create(**ask, messages=[user("6*7?")], stream=True)
    answers["streamed"] = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
    play()
    answers["whole response"] = (await client.responses.create(**ask, input="6*7?")).output_text
    play()
    async with client.responses.stream(**ask, input="6*7?") as events:
        answers["streamed response"] = (await events.get_final_response()).output_text
    both = "I will compute it.\n\nIt is 42."
    assert answers == {
        "whole": "It is 42.", "streamed": both, "whole response": "It is 42.", "streamed response": both,
    }  # fmt: skip


async def test_a_reader_that_goes_stops_the_run_and_many_runs_leave_nothing(
    served: Served, client: AsyncOpenAI
) -> None:
    served.plays({"chunks": ["word "] * 400, "delay": 0.05})
    stream = await client.chat.completions.create(model="assistant:direct", messages=[user("long")], stream=True)
    async for chunk in stream:
        if chunk.choices[0].delta.content:
            break
    (session,) = served.services.chat.running_sessions()
    run = served.services.chat.running(session)
    assert run is not None
    await stream.close()
    assert getattr(await run.result(), "reason", "") == "cancelled"
    served.plays({"content": "yes"})
    ask = client.chat.completions.create
    await asyncio.gather(*(ask(model="assistant:direct", messages=[user("x")]) for _ in range(40)))
    figures = (await served.http.get("/api/metrics")).text
    assert 'triptych_runs_total{agent="assistant",mode="direct",outcome="answered"} 40' in figures
    assert "triptych_runs_active 0" in figures


async def test_a_run_waits_half_an_hour_for_the_results_of_its_callers_tools(
    served: Served, client: AsyncOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    time, ahead = loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: time() + ahead)
    call = {"name": WEATHER["function"]["name"], "arguments": {"city": "Rome"}}
    served.plays({"tool_calls": [call]}, {"content": "Rome is warm."}, repeat_last=False)
    running = served.services.chat.running_sessions
    for minutes, finishes in ((29, True), (31, False)):
        messages = [user("weather?")]
        first = await _asked(client, messages, False)
        (session,) = running()
        run = served.services.chat.running(session)
        assert run is not None
        ahead += minutes * 60
        if not finishes:
            await until(lambda: not running(), "the end of what nobody came back for")
            assert (await run.result()).type == "loop_error"
            continue
        await asyncio.sleep(0.05)
        assert list(running()) == [session]
        messages += [{"role": "assistant", "content": None, "tool_calls": first["calls"]}]
        messages += [{"role": "tool", "tool_call_id": first["calls"][0]["id"], "content": "warm"}]
        assert (await _asked(client, messages, False))["content"] == "Rome is warm."
        assert (await run.result()).type == "loop_end"


async def test_vectors_come_from_the_model_that_is_set(
    served: Served, client: AsyncOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.providers.vectors.embeddings.PAUSE", 0.0)
    with vector_server() as server:
        entry = ProviderEntry("near", "", "Near", server.address, needs_key=False)
        await served.services.providers.save_provider(entry)
        await served.services.knowledge.models.set(embedding="near/m")
        server.most, server.busy = 2, 1
        texts = ["vacation", "假期", "dog"]
        answer = await client.embeddings.create(model="whatever", input=texts)
        assert (answer.model, [one.index for one in answer.data]) == ("near/m", [0, 1, 2])
        vectors = [one.embedding for one in answer.data]
        holiday, same, other = vectors
        assert all(abs(sum(x * x for x in one) - 1) < 1e-5 for one in vectors)
        assert sum(map(mul, holiday, same)) > 0.9 > sum(map(mul, holiday, other))
        plain = await client.embeddings.create(model="near/m", input="dog", encoding_format="float")
        assert plain.data[0].embedding == pytest.approx(other)
        assert "near/m" in [model.id async for model in client.models.list()]
        server.broken = True
        with pytest.raises(openai.InternalServerError):
            await client.embeddings.create(model="near/m", input="cat")


async def test_tools_that_take_a_text_and_those_of_a_service_are_taken_by_responses(
    served: Served, client: AsyncOpenAI
) -> None:
    tools: Any = [
        {"type": "custom", "name": "apply_patch", "description": "a patch", "format": {"type": "text"}},
        {"type": "web_search"}, {"type": "image_generation"}, {"type": "tool_search"},
    ]  # fmt: skip
    turns = ({"tool_calls": [{"name": "apply_patch", "arguments": {"input": "*** Begin"}}]}, {"content": "patched"})
    for streams in (False, True):
        served.plays(*turns, repeat_last=False)
        ask: Any = {"model": "assistant:react", "input": "patch it", "tools": tools}
        if streams:
            async with client.responses.stream(**ask) as stream:
                kinds = {event.type async for event in stream}
                called = await stream.get_final_response()
            assert {"response.custom_tool_call_input.delta", "response.custom_tool_call_input.done"} <= kinds
        else:
            called = await client.responses.create(**ask)
        call = next(item for item in called.output if item.type == "custom_tool_call")
        assert (call.name, call.input) == ("apply_patch", "*** Begin")
        history: Any = [
            {"role": "user", "content": "patch it"},
            {"type": "web_search_call", "id": "ws_1", "status": "completed"},
            {"type": "custom_tool_call", "call_id": call.call_id, "name": call.name, "input": call.input},
            {"type": "custom_tool_call_output", "call_id": call.call_id, "output": "done"},
        ]
        ended = await client.responses.create(model="assistant:react", input=history, tools=tools)
        assert ended.output_text == "patched"
        # As after a restart: nobody waits for the result, the items say it all.
        served.plays({"content": "as said"})
        assert (await client.responses.create(model="assistant:react", input=history, tools=tools)).output_text


async def test_tools_of_a_group_are_called_by_the_name_and_the_group_that_the_caller_knows(
    served: Served, client: AsyncOpenAI
) -> None:
    """A coding agent sends those of its own servers so."""
    long = "l" * 60
    weigh = {"type": "function", "name": "weigh", "parameters": WEATHER["function"]["parameters"]}
    tools: Any = [
        {"type": "namespace", "name": "mcp__scale", "description": "d", "tools": [weigh, {**weigh, "name": long}]},
        {"type": "namespace", "name": "other__", "tools": [weigh, {"type": "custom", "name": "note"}]},
        weigh,
    ]
    cut = grouped_name("mcp__scale", long)
    assert len(cut) == 64
    seen: list[str] = []
    for model_name, group, name in (
        ("mcp__scale__weigh", "mcp__scale", "weigh"), ("other__weigh", "other__", "weigh"),
        ("weigh", None, "weigh"), (cut, "mcp__scale", long), ("other__note", "other__", "note"),
    ):  # fmt: skip
        arguments = {"input": "n"} if name == "note" else {"city": "Bern"}
        served.plays(
            {"tool_calls": [{"name": model_name, "arguments": arguments}]}, {"content": "done"}, repeat_last=False
        )
        async with client.responses.stream(model="assistant:react", input="weigh", tools=tools) as stream:
            called = (await stream.get_final_response()).output[-1]
        seen.append(f"{called.type} {getattr(called, 'namespace', None)} {getattr(called, 'name', '')}")
        kind = "custom_tool_call" if name == "note" else "function_call"
        assert seen[-1] == f"{kind} {group} {name}", seen
        item = called.model_dump(exclude_none=True, exclude={"parsed_arguments"})
        result: Any = {"type": f"{kind}_output", "call_id": item["call_id"], "output": "4711"}
        asked: Any = [user("weigh"), item, result]
        ended = await client.responses.create(model="assistant:react", input=asked, tools=tools)
        assert ended.output_text == "done"
        served.plays({"content": "as said"})  # as after a restart: the items say it all
        assert (await client.responses.create(model="assistant:react", input=asked, tools=tools)).output_text
    wrong_lists: Any = (
        [{"type": "namespace", "tools": [weigh]}], [{"type": "namespace", "name": "n", "tools": 3}],
        [{"type": "namespace", "name": "n", "tools": [{"type": "namespace", "name": "m", "tools": [weigh]}]}],
        [{"type": "namespace", "name": "a", "tools": [weigh]}, {**weigh, "name": "a__weigh"}],
        [{"type": "namespace", "name": "a b", "tools": [weigh]}],
        [{"type": "namespace", "name": f"n{n}", "tools": [{**weigh, "name": f"t{k}"} for k in range(120)]}
         for n in range(5)],
    )  # fmt: skip
    for wrong in wrong_lists:
        with pytest.raises(openai.BadRequestError):
            await client.responses.create(model="assistant:react", input="x", tools=wrong)
