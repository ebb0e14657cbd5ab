"""Clients that read nothing: what the server holds for them stays bounded, and nobody else waits."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.compose import build
from app.core.run.chat_model import AssistantTurn, Finished, ModelChunk, ModelRequest, ModelTraits, TextDelta
from app.core.run.events import LoopError, Token
from app.core.run.run_handle import RunHandle
from app.server import serve
from app.server.application import make_application
from app.server.sse import EventStream
from app.services.runs.run_options import RunOptions
from tests.fakes import AskedModel

from .conftest import TOKEN, Served, serving, until

PIECE = "0123456789abcdef" * 2_000
PIECES = 250
PRODUCED = len(PIECE) * PIECES
BOUND = PRODUCED // 2
"""Bytes that one client may hold: the buffers of the system and of the connection are far smaller; a queue in the
server would be as large as all that is produced."""
PATHS: dict[str, dict[str, Any]] = {
    "/api/query/stream": {"message": "long"},
    "/api/chat": {"message": "long"},
    "/v1/chat/completions": {
        "model": "assistant:direct", "stream": True, "messages": [{"role": "user", "content": "long"}],
    },
}  # fmt: skip


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Bytes by path that the connection has taken from the application."""
    counts: Counter[str] = Counter()
    make = make_application

    def counting(*args: Any, **more: Any) -> ASGIApp:
        inner = make(*args, **more)

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            async def counted(message: Message) -> None:
                counts[scope.get("path", "")] += len(message.get("body", b""))
                await send(message)

            await inner(scope, receive, counted)

        return application

    usual = serve.listen

    def listen(port: int) -> socket.socket:
        listener = usual(port)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)  # else megabytes, different on each system
        return listener

    monkeypatch.setattr(serve, "make_application", counting)
    monkeypatch.setattr(serve, "listen", listen)
    return counts


def ask_and_read_nothing(address: str, path: str, body: dict[str, Any] | None = None) -> socket.socket:
    """POST, or GET without a body."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_192)
    host, port = address.removeprefix("http://").split(":")
    client.connect((host, int(port)))
    data = b"" if body is None else json.dumps(body).encode()
    method = "GET" if body is None else "POST"
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    client.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
    return client


class LongModel:
    """Streams much, then nothing more until it is stopped, or the end."""

    ref = "fake/long"
    traits = ModelTraits()

    def __init__(self, *, ends: bool = False) -> None:
        self._ends = ends

    async def stream(self, _request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        for _ in range(PIECES):
            yield TextDelta(PIECE)
            await asyncio.sleep(0)
        if not self._ends:
            await asyncio.Event().wait()
        yield Finished(AssistantTurn(PIECE * PIECES), "stop")

    async def aclose(self) -> None:
        return


@pytest.fixture
async def served(tmp_path: Path, taken: Counter[str]) -> AsyncIterator[Served]:
    """As the fixture of this folder, behind the counter."""
    assert not taken
    services = build(tmp_path / "data", {"TRIPTYCH_API_TOKEN": TOKEN})
    async with serving(services) as server:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(base_url=server.address, headers=headers, timeout=60.0) as client:
            yield Served(services, client, server.address, tmp_path)
    await services.close()


async def read_all(run: RunHandle) -> None:
    """As another client or the window reads it: returns when everything that was produced has come."""
    count = 0
    async for stamped in run.events():
        if isinstance(stamped.event, Token):
            count += len(stamped.event.text)
        if count == PRODUCED:
            return


async def test_what_is_held_for_a_client_that_reads_nothing_is_bounded_and_nobody_else_waits(
    served: Served, taken: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def choose(*_args: Any, **_named: Any) -> LongModel:
        return LongModel()

    chat = served.services.chat
    monkeypatch.setattr(served.services.models, "choose", choose)
    faults = []
    for path, body in PATHS.items():
        client = await asyncio.to_thread(ask_and_read_nothing, served.address, path, body)
        await until(chat.running_sessions, f"a run of {path}")
        (session,) = chat.running_sessions()
        run = chat.running(session)
        assert run is not None
        await asyncio.wait_for(read_all(run), 60)
        health = (await served.http.get("/api/health")).json()
        held = taken[path]
        client.close()
        end = await asyncio.wait_for(run.result(), 60)
        if not 0 < held < BOUND:
            faults.append(f"{path}: {held:,} bytes of {PRODUCED:,} were taken for a client that reads nothing")
        if health["running"] != 1:
            faults.append(f"{path}: {health['running']} runs while it waits")
        if not isinstance(end, LoopError) or end.reason != "cancelled":
            faults.append(f"{path}: after the client has gone the run ends with {end}")
        await until(lambda: not chat.running_sessions(), f"the end of the run of {path}")
    assert not faults, "\n".join(faults)


async def test_a_follower_that_is_many_runs_behind_is_let_go(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may come back with `Last-Event-ID`; until then nothing of those runs is held for it."""
    monkeypatch.setattr("app.server.run_hub.MOST_BEHIND", 3)
    models: list[Any] = [LongModel(ends=True)]

    async def choose(*_args: Any, **_named: Any) -> Any:
        return models.pop() if models else AskedModel(lambda _request: "short")

    monkeypatch.setattr(served.services.models, "choose", choose)
    session = (await served.services.sessions.create("assistant")).id
    follower = await asyncio.to_thread(ask_and_read_nothing, served.address, f"/api/sessions/{session}/events")
    await asyncio.to_thread(follower.recv, 64)  # its answer has begun, so it follows
    for n in range(6):
        run = await served.services.chat.send(session, f"question {n}", options=RunOptions(mode="direct"))
        await run.result()
        await until(lambda: not served.services.chat.running_sessions(), f"the end of run {n}")
    reader, writer = await asyncio.open_connection(sock=follower, limit=4 * PRODUCED)
    rest = await asyncio.wait_for(reader.readuntil(b"\r\n0\r\n\r\n"), 60)
    writer.close()
    assert rest.count(b'"type": "loop_start"') == 1


async def test_who_has_gone_holds_nobody_up_although_much_is_stored_for_it() -> None:
    """Neither events of a run that has ended nor a connection that is gone ever waits for anything."""
    taken: list[int] = []
    others: list[int] = []

    async def frames() -> AsyncGenerator[bytes, None]:
        for _ in range(1_000):
            yield PIECE.encode()

    async def send(message: Message) -> None:
        taken.append(len(message.get("body", b"")))

    async def receive() -> Message:
        await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def other() -> None:
        for _ in range(3):
            others.append(len(taken))
            await asyncio.sleep(0)

    working = asyncio.create_task(other())
    await EventStream(frames())({"type": "http"}, receive, send)
    await working
    assert sum(taken) < BOUND, "it goes on for one that has gone"
    assert max(others) < 100


async def test_long_runs_that_have_ended_are_not_held(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of their events are in memory."""
    monkeypatch.setattr("app.server.run_hub.MOST_HELD", PRODUCED)

    async def choose(*_args: Any, **_named: Any) -> LongModel:
        return LongModel(ends=True)

    monkeypatch.setattr(served.services.models, "choose", choose)
    ids = []
    for _ in range(3):
        body = {"message": "long", "mode": "direct"}
        ids.append((await served.frames("/api/query/stream", body))[0]["run"])
    answers = [(await served.http.post(f"/api/runs/{id}/cancel")).status_code for id in ids]
    assert answers == [404, 404, 409], "the newest is known, and has ended"
