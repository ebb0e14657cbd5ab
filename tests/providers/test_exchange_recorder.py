"""Requests as they were sent: whole, bounded, and without a key (product.md R8)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from app.core.errors import ModelError
from app.core.run.chat_model import ModelRequest, ModelTraits, UserTurn
from app.core.run.model_call import KEPT_HEAD, KEPT_TAIL, MASK, ModelCall
from app.providers.chat.exchange_recorder import ExchangeRecorder
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from tests.rigs.fault_server import Exchange, FaultServer
from tests.rigs.speaking_server import speaks

KEY = "sk-CANARY-0123456789abc"
PICTURE = "data:image/png;base64," + "A" * 5_000


async def calls_of(server: FaultServer, turn: UserTurn, *, fails: bool = False) -> list[ModelCall]:
    told: list[ModelCall] = []
    endpoint = ModelEndpoint("test", server.base_url, KEY, {"X-Team": "secret-team-name"})
    model = OpenAIChat(endpoint, "test-model", ModelTraits(vision=True))
    request = ModelRequest([turn], record=told.append)
    try:
        async for _chunk in model.stream(request):
            pass
        assert not fails
    except ModelError:
        assert fails
    await model.aclose()
    return told


async def test_R08_a_call_is_told_as_it_went_over_the_wire() -> None:
    async with FaultServer(speaks([{"content": f"you said {KEY}"}])) as server:
        (call,) = await calls_of(server, UserTurn(f"say {KEY}", (PICTURE,)))
    assert (call.method, call.status, call.finish, call.error) == ("POST", 200, "stop", "")
    assert call.url == f"{server.base_url}/chat/completions"
    body = json.loads(call.body)
    assert (body["model"], body["stream"]) == ("test-model", True)
    assert body["messages"][0]["content"][0]["text"] == f"say {MASK}"
    assert body["messages"][0]["content"][1]["image_url"]["url"] == "data:image/png;base64,… (5,022 characters)"
    assert "data: [DONE]" in call.response
    everything = json.dumps(call.to_json())
    assert KEY not in everything
    assert "secret-team-name" not in everything
    assert call.headers["Authorization"] == f"Bearer {MASK}"
    assert ModelCall.from_json(json.loads(everything)) == call


async def test_R08_a_refusal_is_told_with_its_body() -> None:
    async def refuse(exchange: Exchange) -> None:
        await exchange.reply(401, json.dumps({"error": {"message": f"bad key {KEY}"}}))

    async with FaultServer(refuse) as server:
        (call,) = await calls_of(server, UserTurn("hi"), fails=True)
    assert (call.status, call.finish) == (401, "")
    assert call.error.startswith("AUTH")
    assert call.response == json.dumps({"error": {"message": f"bad key {MASK}"}})


async def test_R08_a_lesson_is_a_call_of_its_own() -> None:
    async def strict(exchange: Exchange) -> None:
        if "stream_options" in exchange.json:
            await exchange.reply(400, '{"error": {"message": "unknown field stream_options"}}')
        else:
            await speaks([{"content": "fine"}])(exchange)

    async with FaultServer(strict) as server:
        first, second = await calls_of(server, UserTurn("hi"))
    assert (first.status, second.status) == (400, 200)
    assert "stream_options" in first.body
    assert "stream_options" not in second.body


def test_long_bodies_are_kept_in_part() -> None:
    tape = ExchangeRecorder([])
    tape.sent("POST", "http://x", {}, {"messages": ["y" * 500_000]})
    for _n in range(200):
        tape.read(b"z" * 5_000)
    tape.read(b"the end")
    call = tape.call()
    assert call.cut
    assert len(call.body) < KEPT_HEAD + KEPT_TAIL + 100
    assert len(call.response) < KEPT_HEAD + 2 * KEPT_TAIL + 100
    assert call.response.endswith("the end")


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="no shell to read the command")
def test_the_curl_command_is_read_by_a_shell_as_it_was_meant() -> None:
    body = json.dumps({"text": 'it\'s $HOME `id` \\ "quoted" 中文\n'})
    call = ModelCall(method="POST", url="http://h/v1?a=b&c", headers={"Authorization": f"Bearer {MASK}"}, body=body)
    script = call.as_curl().replace("curl ", "printf '%s\\0' ", 1)
    read = subprocess.run(["/bin/sh", "-c", script], capture_output=True, env={"API_KEY": "k1"}, check=True)
    assert read.stdout.decode().split("\0")[:-1] == [
        "http://h/v1?a=b&c", "-H", "Authorization: Bearer k1", "--data-raw", body,
    ]  # fmt: skip
