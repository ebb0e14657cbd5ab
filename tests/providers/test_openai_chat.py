"""A model over a real connection: whole conversations, lessons, a bad environment, certificates."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from app.core import errors
from app.core.errors import ModelError
from app.core.run.chat_model import (
    Finished,
    ModelChunk,
    ModelRequest,
    ModelTraits,
    ReasoningDelta,
    ResultTurn,
    SystemTurn,
    TextDelta,
    ToolSpec,
    Turn,
    Usage,
    UserTurn,
)
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.http.endpoint_quirks import QuirkStore
from tests.local_network import OFFLINE
from tests.rigs.fault_server import Exchange, FaultServer
from tests.rigs.speaking_server import speaks

KEY = "sk-test-0123456789abc"
TOOLS = (ToolSpec("add", "adds two numbers", {"type": "object", "properties": {"a": {"type": "integer"}}}),)


def _model(server: FaultServer, **more: Any) -> OpenAIChat:
    return OpenAIChat(ModelEndpoint("test", server.base_url, KEY), "test-model", **more)


async def _all(model: OpenAIChat, *turns: Turn, **more: Any) -> list[ModelChunk]:
    request = ModelRequest(list(turns) or [UserTurn("hi")], **more)
    return [chunk async for chunk in model.stream(request)]


async def _finished(model: OpenAIChat, *turns: Turn, **more: Any) -> Finished:
    last = (await _all(model, *turns, **more))[-1]
    assert isinstance(last, Finished)
    return last


async def _error(model: OpenAIChat, **more: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await _all(model, **more)
    await model.aclose()
    return caught.value


async def test_a_conversation_with_a_tool_goes_round() -> None:
    turns: list[dict[str, Any]] = [
        {"reasoning": "I add.", "content": "Let me add.", "tool_calls": [{"name": "add", "arguments": {"a": 1}}]},
        {"content": "It is 2. 完成", "usage": {"prompt_tokens": 30, "completion_tokens": 4}},
    ]
    async with FaultServer(speaks(turns)) as server:
        model = _model(server)
        asked = await _finished(model, SystemTurn("be brief"), UserTurn("1+1?"), tools=TOOLS)
        (call,) = asked.turn.calls
        assert (call.name, call.args, asked.finish) == ("add", {"a": 1}, "tool_calls")
        history: list[Turn] = [SystemTurn("be brief"), UserTurn("1+1?"), asked.turn, ResultTurn(call.id, "add", "2")]
        chunks = await _all(model, *history, tools=TOOLS)
        answer = chunks[-1]
        assert isinstance(answer, Finished)
        assert answer.turn.text == "It is 2. 完成" == "".join(c.text for c in chunks if isinstance(c, TextDelta))
        assert answer.usage == Usage(30, 4)
        await model.aclose()
    sent = server.chats[1]["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "tool"]
    assert sent[2]["reasoning_content"] == "I add."
    assert sent[2]["tool_calls"][0]["id"] == sent[3]["tool_call_id"] == "call_0"


async def test_one_model_serves_several_requests_at_once() -> None:
    async with FaultServer(speaks([{"content": "same answer"}], repeat_last=True)) as server:
        model = _model(server)
        answers = await asyncio.gather(*(_finished(model) for _ in range(5)))
        await model.aclose()
    assert {answer.turn.text for answer in answers} == {"same answer"}


async def test_reasoning_and_text_are_told_apart() -> None:
    async with FaultServer(speaks([{"reasoning": "hm", "content": "yes"}], reasoning_field="reasoning")) as server:
        model = _model(server)
        chunks = await _all(model)
        await model.aclose()
    assert [c.text for c in chunks if isinstance(c, ReasoningDelta)] == ["hm"]


# ---------------------------------------------------------------- lessons


def _refuses(reason: Callable[[Any], str]) -> Any:
    """A server that answers 400 as long as `reason(body)` says something."""
    answer = speaks([{"content": "fine"}], repeat_last=True)

    async def scenario(exchange: Exchange) -> None:
        told = reason(exchange.json)
        if told:
            await exchange.reply(400, {"error": {"message": told}})
        else:
            await answer(exchange)

    return scenario


async def test_a_refused_parameter_costs_one_request_and_is_remembered_for_all_models_of_the_address() -> None:
    def reason(body: Any) -> str:
        return "unknown field stream_options" if "stream_options" in body else ""

    learned = QuirkStore()
    async with FaultServer(_refuses(reason)) as server:
        for _ in range(2):
            model = _model(server, learned=learned)
            assert (await _finished(model)).turn.text == "fine"
            await model.aclose()
        assert len(server.chats) == 3


async def test_several_lessons_follow_each_other() -> None:
    def reason(body: Any) -> str:
        if "stream_options" in body:
            return "stream_options is not allowed"
        if "temperature" in body:
            return "Unsupported value: temperature"
        return "use 'max_completion_tokens', max_tokens is unsupported" if "max_tokens" in body else ""

    async with FaultServer(_refuses(reason)) as server:
        model = _model(server)
        await _finished(model, temperature=0.2, max_output_tokens=9)
        await model.aclose()
    assert set(server.chats[-1]) == {"model", "stream", "messages", "max_completion_tokens"}


async def test_a_model_without_tools_answers_without_them_and_says_so() -> None:
    async with FaultServer(
        _refuses(lambda body: "test-model does not support tools" if "tools" in body else "")
    ) as server:
        model = _model(server)
        assert (await _finished(model, tools=TOOLS, dialect="native")).notices == ("tools_unsupported",)
        await model.aclose()


async def test_a_refusal_that_teaches_nothing_is_an_error_at_once() -> None:
    async with FaultServer(_refuses(lambda _: "messages[0] is wrong")) as server:
        assert isinstance(await _error(_model(server)), errors.RequestRefused)
        assert len(server.chats) == 1


# ---------------------------------------------------------------- kept connections


@contextlib.asynccontextmanager
async def _raw_server(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[OpenAIChat]:
    """A model at a server that keeps its connections; all of them are closed at the end."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        finally:
            writer.close()
            await writer.wait_closed()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(serve(reader, writer)))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    model = OpenAIChat(ModelEndpoint("x", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"), "m")
    yield model
    await model.aclose()
    server.close()
    await asyncio.gather(*tasks)


async def test_N22_a_connection_that_died_while_it_waited_is_replaced_without_a_word() -> None:
    connections = 0
    event = b'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(event), event))
        # The second request on this connection is read and never answered.
        await reader.read(1)

    async with _raw_server(connected) as model:
        for _ in range(2):
            assert (await _finished(model)).turn.text == "ok"
    assert connections == 2


async def _head(reader: asyncio.StreamReader) -> bytes:
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        return (await reader.readuntil(b"\r\n\r\n")).lower()
    return b""


async def test_connections_are_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # The server of this very process may be slow to end its answer.
    monkeypatch.setattr("app.providers.http.read_ahead.SETTLE_SECONDS", 60.0)
    ports = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ports.add(writer.get_extra_info("peername")[1])
        while head := await _head(reader):
            await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            done = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
            writer.write(b"%x\r\n%s\r\n" % (len(done), done))
            await writer.drain()
            await asyncio.sleep(0.01)
            writer.write(b"0\r\n\r\n")

    async with _raw_server(connected) as model:
        for _ in range(3):
            await _finished(model)
    assert len(ports) == 1


# ---------------------------------------------------------------- a bad environment


@pytest.mark.parametrize(
    ("name", "value"),
    [("ALL_PROXY", "socks://127.0.0.1:7890"), ("HTTPS_PROXY", "socks5://127.0.0.1:1"), ("HTTPS_PROXY", "::bad::")],
)
async def test_R29_a_bad_proxy_of_the_system_is_an_error_of_the_request(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    model = OpenAIChat(ModelEndpoint("test", "https://model.example/v1", KEY), "m")
    error = await _error(model)
    assert isinstance(error, errors.ProxyFailed)
    assert error.params["source"] == "system"


async def test_a_bad_environment_does_not_touch_what_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:7890")
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at/all.pem")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-environment")
    async with FaultServer(speaks([{"content": "ok"}])) as server:
        model = _model(server)
        assert (await _finished(model)).turn.text == "ok"
        await model.aclose()
    headers = server.requests[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert "openai-organization" not in headers


async def test_no_key_means_no_authorization_header() -> None:
    async with FaultServer(speaks([{"content": "ok"}])) as server:
        model = OpenAIChat(ModelEndpoint("local", server.base_url), "m")
        await _finished(model)
        await model.aclose()
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("key", ["sk-é123456", "密钥密钥密钥", "sk-1\n23456"])
async def test_a_key_that_cannot_be_sent_is_refused_with_a_reason(key: str) -> None:
    error = await _error(OpenAIChat(ModelEndpoint("x", "http://127.0.0.1:9/v1", key), "m"))
    assert isinstance(error, errors.KeyRefused)
    assert key not in str(error)
    assert error.params["address"] == "127.0.0.1:9", "the person is told where it was"


async def test_offline_reaches_this_computer_only() -> None:
    async with FaultServer(speaks([{"content": "ok"}])) as server:
        near = OpenAIChat(ModelEndpoint("near", server.base_url, network=OFFLINE), "m")
        assert (await _finished(near)).turn.text == "ok"
        await near.aclose()
    far = OpenAIChat(ModelEndpoint("far", "https://model.example/v1", network=OFFLINE), "m")
    assert isinstance(await _error(far), errors.BlockedOffline)


async def test_nothing_listening_is_said_as_such() -> None:
    async with FaultServer(speaks([])) as server:
        url = server.base_url
    error = await _error(OpenAIChat(ModelEndpoint("x", url), "m"))
    assert isinstance(error, errors.NetworkFailed)
    assert error.params["phase"] == "refused"


async def test_a_host_nobody_knows_is_said_as_such() -> None:
    error = await _error(OpenAIChat(ModelEndpoint("x", "http://no-such-host.invalid/v1", proxy="direct"), "m"))
    assert isinstance(error, errors.NetworkFailed)
    assert error.params["phase"] == "dns"


@pytest.mark.parametrize("url", ["", "http://", "nonsense", "http://[::1/v1"])
async def test_an_address_that_is_none_is_a_model_error(url: str) -> None:
    await _error(OpenAIChat(ModelEndpoint("x", url), "m"))


# ---------------------------------------------------------------- certificates


@pytest.fixture
def self_signed(tmp_path: Path) -> ssl.SSLContext:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl program to make a certificate with")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


async def test_N04_an_untrusted_certificate_is_named_and_nothing_is_sent(self_signed: ssl.SSLContext) -> None:
    async with FaultServer(speaks([{"content": "never"}]), tls=self_signed) as server:
        error = await _error(_model(server))
    assert isinstance(error, errors.CertificateRefused)
    assert error.params["check"] in ("self_signed", "untrusted")
    assert server.requests == []


async def test_a_certificate_the_person_trusts_is_accepted(
    self_signed: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    async with FaultServer(speaks([{"content": "private"}]), tls=self_signed) as server:
        model = _model(server)
        assert (await _finished(model)).turn.text == "private"
        await model.aclose()


async def test_N04_a_provider_may_bring_its_own_certificates(self_signed: ssl.SSLContext, tmp_path: Path) -> None:
    async with FaultServer(speaks([{"content": "private"}]), tls=self_signed) as server:
        model = OpenAIChat(ModelEndpoint("x", server.base_url, KEY, ca_file=str(tmp_path / "cert.pem")), "m")
        assert (await _finished(model)).turn.text == "private"
        await model.aclose()
        error = await _error(
            OpenAIChat(ModelEndpoint("x", server.base_url, KEY, ca_file=str(tmp_path / "none.pem")), "m")
        )
    assert isinstance(error, errors.CertificateRefused)
    assert error.params["check"] == "ca_file"


async def test_traits_are_obeyed_over_the_wire() -> None:
    traits = ModelTraits(system_role="developer", include_usage=False, max_tokens_name="max_completion_tokens")
    async with FaultServer(speaks([{"content": "ok"}])) as server:
        model = _model(server, traits=traits)
        await _finished(model, SystemTurn("s"), UserTurn("u"), max_output_tokens=5)
        await model.aclose()
    body = server.chats[0]
    assert body["messages"][0]["role"] == "developer"
    assert body["max_completion_tokens"] == 5
    assert "stream_options" not in body
