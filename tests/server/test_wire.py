"""Bytes that no client library sends: each answer is whole, typed, and the connection ends in time."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

from app.server import bounded_body, serve

from .conftest import TOKEN, Served
from .test_guard import raw


def head(served: Served, line: str, *headers: str, token: str = TOKEN) -> bytes:
    port = served.address.rpartition(":")[2]
    lines = (line, f"Host: localhost:{port}", f"Authorization: Bearer {token}", *headers)
    return "".join(f"{one}\r\n" for one in lines).encode("latin-1") + b"\r\n"


def error_of(answer: bytes) -> tuple[int, dict[str, Any]]:
    top, _blank, body = answer.partition(b"\r\n\r\n")
    return int(top.split()[1]), json.loads(body).get("error", {})


async def test_what_is_no_clean_request_is_refused_as_json(served: Served) -> None:
    get = "GET /api/health HTTP/1.1"
    post = "POST /api/chat HTTP/1.1"
    body = b'{"message": "x"}'
    cases: list[tuple[str, bytes, int]] = [
        ("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
        ("no version", b"GET /\r\n\r\n", 400),
        ("no host", b"GET / HTTP/1.1\r\n\r\n", 400),
        ("two hosts", head(served, get, "Host: localhost"), 400),
        ("two tokens", head(served, get, "Authorization: Bearer x"), 400),
        ("a space before the colon", head(served, get, "X : a"), 400),
        ("two lengths", head(served, post, "Content-Length: 16", "Content-Length: 17") + body, 400),
        ("no length", head(served, post, "Content-Length: -1") + body, 400),
        ("length and chunks", head(served, post, "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
         400),
        ("chunks twice", head(served, post, "Transfer-Encoding: chunked, chunked") + b"0\r\n\r\n", 400),
        ("another encoding", head(served, post, "Transfer-Encoding: gzip") + b"0\r\n\r\n", 400),
        ("no chunk", head(served, post, "Transfer-Encoding: chunked") + b"zz\r\nxx\r\n", 400),
        ("a long header", head(served, get, f"X: {'x' * 100_000}"), 431),
        ("many headers", head(served, get, *(f"X{n}: a" for n in range(200))), 431),
        ("a head without end", head(served, get, f"X: {'x' * 300_000}").rstrip(), 431),
        ("a long address", head(served, f"GET /api/health?{'x' * 20_000} HTTP/1.1"), 414),
    ]  # fmt: skip
    faults = []
    for name, request, status in cases:
        answer = await raw(served, request)
        if error_of(answer)[0] != status or not {"code", "message"} <= error_of(answer)[1].keys():
            faults.append(f"{name}: {answer!r}")
    assert faults == []
    assert await served.services.sessions.rows() == []


async def test_a_body_that_is_still_sent_gets_its_answer_and_an_end(served: Served, monkeypatch: Any) -> None:
    """Also one without a length, and one whose sender is not known: else whoever writes on sees a reset."""
    monkeypatch.setattr(bounded_body, "MOST_DRAINED", 40_000_000)
    piece = b"x" * 65_536
    cases = {
        "/api/chat": (TOKEN, 413, 2_000_000), "/v1/chat/completions": (TOKEN, 413, 34_000_000),
        "/api/sessions": ("wrong", 401, 20_000_000), "/api/agents": (TOKEN, 405, 900_000),
    }  # fmt: skip
    faults = []
    for path, (token, status, size) in cases.items():
        for framing in (f"Content-Length: {size}", "Transfer-Encoding: chunked"):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rpartition(":")[2]))
            try:
                writer.write(head(served, f"POST {path} HTTP/1.1", framing, token=token))
                for sent in range(0, size, len(piece)):
                    data = piece[: size - sent]
                    writer.write(data if "Length" in framing else b"%x\r\n%s\r\n" % (len(data), data))
                    await writer.drain()
                if "Length" not in framing:
                    writer.write(b"0\r\n\r\n")
                answer = await asyncio.wait_for(reader.read(), 30)
                if error_of(answer)[0] != status or b"connection: close" not in answer.lower():
                    faults.append(f"{path} {framing}: {answer!r}")
            except OSError as error:
                faults.append(f"{path} {framing}: {error!r}")
            finally:
                writer.close()
    assert faults == []


async def test_who_never_ends_its_body_is_left(served: Served, monkeypatch: Any) -> None:
    monkeypatch.setattr(bounded_body, "DRAIN_SECONDS", 0.05)
    monkeypatch.setattr(bounded_body, "MOST_DRAINED", 3_000_000)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rpartition(":")[2]))
    writer.write(head(served, "POST /api/chat HTTP/1.1", "Content-Length: 5000000"))
    assert error_of(await asyncio.wait_for(reader.read(), 30))[0] == 413
    writer.close()


def test_answers_are_sent_at_once() -> None:
    """asyncio sends small pieces at once only on connections whose protocol it knows, and those inherit it."""
    listener = serve.listen(0)
    with listener, socket.create_connection(listener.getsockname()):
        connection, _address = listener.accept()
        with connection:
            assert connection.proto == socket.IPPROTO_TCP
