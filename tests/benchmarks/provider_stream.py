"""P3 and P4: what a request with a long history and a token of the answer cost in CPU time.

    python -m tests.benchmarks.provider_stream p3|p4 [--short] [--json]

Server and client are two processes; each measurement is a client process of its own kind of work repeated
in turn with the floor: ours, floor, ours, floor … and the median of the ratios counts. P3: the floor is
httpx2 sending the same body. P4: the floor is the SDK's `create(stream=True)` read to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any

from app.core.run.chat_model import AssistantTurn, Finished, ModelRequest, TextDelta, Turn, UserTurn
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat

Work = Callable[[], Awaitable[None]]
KEY = "sk-bench-0123456789"


@dataclass(frozen=True)
class Figure:
    """One line of the table. `goal` is the highest ratio allowed."""

    name: str
    what: str
    ours: float
    floor: float
    ratio: float
    goal: float
    ok: bool


# ---------------------------------------------------------------- the server, in a process of its own


def _serve(pipe: Connection, tokens: int) -> None:
    asyncio.run(_serve_forever(pipe, _answer(tokens)))


def _answer(tokens: int) -> bytes:
    frame: dict[str, Any] = {
        "id": "chatcmpl-8f2b1c",
        "object": "chat.completion.chunk",
        "created": 1790000000,
        "model": "bench-model",
        "system_fingerprint": "fp_44",
    }
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    made = [head]
    deltas: list[tuple[dict[str, str], str | None]] = [({"content": f" tok{n % 97}"}, None) for n in range(tokens)]
    for delta, finish in [*deltas, ({}, "stop")]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        event = b"data: %s\n\n" % json.dumps({**frame, "choices": [choice]}).encode()
        made.append(b"%x\r\n%s\r\n" % (len(event), event))
    done = b"data: [DONE]\n\n"
    made.append(b"%x\r\n%s\r\n0\r\n\r\n" % (len(done), done))
    return b"".join(made)


async def _serve_forever(pipe: Connection, answer: bytes) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                at = head.index(b"content-length:") + 15
                await reader.readexactly(int(head[at : head.index(b"\r\n", at)]))
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 24)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


class _Server:
    def __init__(self, tokens: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, tokens), daemon=True)

    def __enter__(self) -> str:
        self._process.start()
        return f"http://127.0.0.1:{self._pipe.recv()}/v1"

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join()


# ---------------------------------------------------------------- measuring


async def _cpu(work: Work, times: int) -> float:
    gc.collect()
    before = time.process_time()
    for _ in range(times):
        await work()
    return (time.process_time() - before) / times


async def _in_turn(ours: Work, floor: Work, *, pairs: int, times: int) -> tuple[float, float, float]:
    await ours()
    await floor()
    both = [(await _cpu(ours, times), await _cpu(floor, times)) for _ in range(pairs)]
    ratio = statistics.median(mine / base for mine, base in both)
    return statistics.median(a for a, _ in both), statistics.median(b for _, b in both), ratio


def _figure(name: str, what: str, measured: tuple[float, float, float], goal: float, unit: float) -> Figure:
    ours, floor, ratio = measured
    return Figure(name, what, round(ours * unit, 3), round(floor * unit, 3), round(ratio, 3), goal, ratio <= goal)


def _model(base_url: str) -> OpenAIChat:
    return OpenAIChat(ModelEndpoint("bench", base_url, KEY), "bench-model")


async def _read_all(model: OpenAIChat, request: ModelRequest) -> int:
    size = 0
    async for chunk in model.stream(request):
        if isinstance(chunk, TextDelta):
            size += len(chunk.text)
        elif isinstance(chunk, Finished):
            assert chunk.finish == "stop"
    return size


# ---------------------------------------------------------------- P3


def history(messages: int) -> list[Turn]:
    """Questions and answers of an ordinary length."""
    sentence = "The museum opens at nine, and the tram from the station takes about twenty minutes. "
    return [
        UserTurn(f"{n}: {sentence * 3}") if n % 2 == 0 else AssistantTurn(text=f"{n}: {sentence * 5}")
        for n in range(messages)
    ]


async def p3(base_url: str, *, short: bool) -> list[Figure]:
    import httpx2

    pairs, times = (5, 2) if short else (9, 20)
    model = _model(base_url)
    long = ModelRequest([*history(400), UserTurn("and now?")])
    brief = ModelRequest([*history(20), UserTurn("and now?")])

    def as_json(request: ModelRequest) -> dict[str, Any]:
        messages = [
            {"role": "user" if isinstance(turn, UserTurn) else "assistant", "content": turn.text}
            for turn in request.turns
            if isinstance(turn, (UserTurn, AssistantTurn))
        ]
        return {"model": "bench-model", "stream": True, "messages": messages}

    body = as_json(long)
    async with httpx2.AsyncClient() as client:

        async def floor() -> None:
            headers = {"Authorization": f"Bearer {KEY}"}
            url = f"{base_url}/chat/completions"
            async with client.stream("POST", url, json=body, headers=headers) as response:
                async for _ in response.aiter_raw():
                    pass

        async def ours() -> None:
            await _read_all(model, long)

        async def ours_brief() -> None:
            await _read_all(model, brief)

        against_httpx = await _in_turn(ours, floor, pairs=pairs, times=times)
        against_brief = await _in_turn(ours, ours_brief, pairs=pairs, times=times)
    await model.aclose()
    return [
        _figure("P3", "request after 400 messages / httpx2, ms CPU", against_httpx, 3.0, 1e3),
        _figure("P3", "request after 400 messages / after 20, ms CPU", against_brief, 3.0, 1e3),
    ]


# ---------------------------------------------------------------- P4


async def p4(base_url: str, tokens: int, *, short: bool) -> list[Figure]:
    from openai import AsyncOpenAI

    model = _model(base_url)
    client = AsyncOpenAI(base_url=base_url, api_key=KEY, max_retries=0)
    request = ModelRequest([UserTurn("count")])

    async def ours() -> None:
        assert await _read_all(model, request) > tokens

    async def floor() -> None:
        size = 0
        stream = await client.chat.completions.create(
            model="bench-model", messages=[{"role": "user", "content": "count"}], stream=True
        )
        async for chunk in stream:
            size += len(chunk.choices[0].delta.content or "") if chunk.choices else 0
        assert size > tokens

    measured = await _in_turn(ours, floor, pairs=5 if short else 7, times=1)
    await model.aclose()
    await client.close()
    return [_figure("P4", "one token of the answer / SDK stream, µs CPU", measured, 0.35, 1e6 / tokens)]


def measure(which: str, *, short: bool = False) -> list[Figure]:
    """The figures of `p3` or `p4`."""
    tokens = {"p3": 5, "p4": 1_000 if short else 20_000}[which]
    with _Server(tokens) as base_url:
        run = p3(base_url, short=short) if which == "p3" else p4(base_url, tokens, short=short)
        return asyncio.run(run)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("which", choices=["p3", "p4", "all"], nargs="?", default="all")
    parser.add_argument("--short", action="store_true", help="fewer rounds, for a smoke alarm")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    options = parser.parse_args()
    figures = [
        figure
        for which in (["p3", "p4"] if options.which == "all" else [options.which])
        for figure in measure(which, short=options.short)
    ]
    if options.json:
        for name in sorted({figure.name for figure in figures}):
            # P3 has two ratios and both must hold: the worse one stands for it.
            worst = max((figure for figure in figures if figure.name == name), key=lambda figure: figure.ratio)
            print(json.dumps(asdict(worst), ensure_ascii=False))
    else:
        for figure in figures:
            mark = "ok" if figure.ok else "MISSED"
            numbers = f"{figure.ours:9} {figure.floor:9} {figure.ratio:7}× ≤ {figure.goal}"
            print(f"{figure.name} {figure.what:50} {numbers}  {mark}")
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
