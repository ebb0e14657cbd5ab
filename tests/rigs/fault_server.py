"""A provider that does exactly what a test wants, byte by byte and second by second.

    async with FaultServer(scenario) as server:                 one scenario for every request
    async with FaultServer({"P01": scenario, …}) as server:     `server.url("P01")` leads to that one
    async with FaultServer(speaks([{"content": "hi"}])) as server:   a provider that answers properly

A scenario is an `async def scenario(exchange)`. What it sent and what it was asked is kept:
`server.requests`, `exchange.sent`. The proper provider is in `speaking_server.py`, the faults of the
catalogue in `stream_faults.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

Scenario = Callable[["Exchange"], Awaitable[None]]

EVENT_STREAM = "text/event-stream"


@dataclass
class Exchange:
    """One request and the writing of its answer."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    _writer: asyncio.StreamWriter = field(repr=False)
    sent: bytearray = field(default_factory=bytearray, repr=False)
    gone: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    """Set when the client has closed its end."""
    _chunked: bool = False

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None

    async def head(
        self,
        status: int = 200,
        content_type: str = EVENT_STREAM,
        headers: Mapping[str, str] | None = None,
        *,
        length: int | None = None,
        chunked: bool = False,
    ) -> None:
        """Without length and without chunks the body ends where the connection ends."""
        lines = [f"HTTP/1.1 {status} Test", f"Content-Type: {content_type}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if length is not None:
            lines.append(f"Content-Length: {length}")
        if chunked:
            lines.append("Transfer-Encoding: chunked")
            self._chunked = True
        lines.append("Connection: close")
        await self._write("\r\n".join(lines).encode() + b"\r\n\r\n")

    async def send(self, data: bytes | str) -> None:
        data = data.encode() if isinstance(data, str) else data
        self.sent += data
        await self._write(b"%x\r\n%s\r\n" % (len(data), data) if self._chunked else data)

    async def event(self, payload: object) -> None:
        """One `data:` event; a dictionary is written as JSON, a string as it is."""
        text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
        await self.send(f"data: {text}\n\n")

    async def delta(self, finish: str | None = None, **delta: Any) -> None:
        await self.event({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    async def done(self) -> None:
        await self.event("[DONE]")

    async def reply(
        self, status: int, body: object, headers: Mapping[str, str] | None = None, content_type: str = ""
    ) -> None:
        """A whole answer at once; a dictionary or list is written as JSON."""
        data = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
        kind = content_type or ("text/html" if data[:1] == b"<" else "application/json")
        await self.head(status, kind, headers, length=len(data))
        await self.send(data)

    async def end_chunks(self) -> None:
        await self._write(b"0\r\n\r\n")

    def reset(self) -> None:
        """TCP RST instead of a goodbye."""
        raw = self._writer.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def until_gone(self) -> None:
        """Silence, until the client gives up."""
        await self.gone.wait()

    async def _write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


class FaultServer:
    """Listens on a free loopback port while the `async with` lasts."""

    def __init__(self, scenario: Scenario | Mapping[str, Scenario], *, tls: ssl.SSLContext | None = None) -> None:
        self._scenario = scenario
        self._tls = tls
        self._port = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.requests: list[Exchange] = []
        self.asked = asyncio.Event()
        """Set when the first request has come."""
        self.errors: list[BaseException] = []
        """What a scenario itself raised: a mistake of the test."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, ssl=self._tls, limit=1 << 20)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.errors and error is None:
            raise self.errors[0]

    @property
    def port(self) -> int:
        """Also known after the server has gone."""
        return self._port

    @property
    def base_url(self) -> str:
        return self.url("")

    def url(self, name: str) -> str:
        """The base URL under which the scenario of that name answers."""
        scheme = "https" if self._tls else "http"
        return f"{scheme}://127.0.0.1:{self.port}/{name}/v1" if name else f"{scheme}://127.0.0.1:{self.port}/v1"

    @property
    def chats(self) -> list[Any]:
        """The bodies of all chat requests, in order."""
        return [exchange.json for exchange in self.requests if exchange.path.endswith("/chat/completions")]

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A task of our own: asyncio 3.11 reports a cancelled one of its own as an error.
        task = asyncio.create_task(self._serve(reader, writer), name="one exchange")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            exchange = await _read_request(reader, writer)
            if exchange is not None:
                await self._answer(exchange, reader)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            with contextlib.suppress(ConnectionError, RuntimeError):
                writer.close()

    async def _answer(self, exchange: Exchange, reader: asyncio.StreamReader) -> None:
        self.requests.append(exchange)
        self.asked.set()
        watcher = asyncio.create_task(_watch(reader, exchange.gone), name="client gone?")
        try:
            await self._scenario_for(exchange.path)(exchange)
        except ConnectionError:
            exchange.gone.set()  # the one who writes may notice before the one who watches
            raise
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self.errors.append(error)
        finally:
            watcher.cancel()

    def _scenario_for(self, path: str) -> Scenario:
        if not isinstance(self._scenario, Mapping):
            return self._scenario
        return self._scenario.get(path.strip("/").split("/")[0], _unknown)


async def _unknown(exchange: Exchange) -> None:
    await exchange.reply(404, {"error": {"message": f"no scenario at {exchange.path}", "code": "not_found"}})


async def _watch(reader: asyncio.StreamReader, gone: asyncio.Event) -> None:
    with contextlib.suppress(ConnectionError):
        while await reader.read(1024):
            pass
    gone.set()


async def _read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Exchange | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines) if name
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Exchange(method, path, headers, body, writer)
