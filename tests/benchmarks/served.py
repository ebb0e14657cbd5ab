"""P21 of the quality page: what the local API adds to a stream.

    python -m tests.benchmarks.served p21 [--json] [--short]

20 streams at once of `/v1/chat/completions` among 100 clients, a scripted model at 50 tokens a second, against a bare
Starlette application on uvicorn that sends the same chunks as server-sent events; the other 80 hold a stream of events
open in which nothing happens. Processor time of the server's process per token, requests included; both in turn, median
of the ratios. Beside it the time to the first token, median of the streams of a turn (at most twice the floor's; wall
time, so the turn with the least counts); and both once more with one stream alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.benchmarks.program import figure
from tests.benchmarks.start import ROOT

CLIENTS, STREAMS, PACE = 100, 20, 0.02
TOKENS, SHORT_TOKENS = 300, 60
TURNS, SHORT_TURNS = 3, 2
GOAL, FIRST_GOAL = 2.0, 2.0
TOKEN = "a token of the bench"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}

FLOOR = """
import asyncio, json, socket, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route
async def idle(request):
    async def comments():
        yield ": following\\n\\n"
        await asyncio.Event().wait()
    return StreamingResponse(comments(), media_type="text/event-stream")
HEAD = {"id": "chatcmpl-x", "object": "chat.completion.chunk", "created": 1, "model": "assistant:direct"}
async def chat(request):
    await request.json()
    async def chunks():
        for _ in range(int(sys.argv[1])):
            await asyncio.sleep(float(sys.argv[2]))
            choice = {"index": 0, "delta": {"content": "word "}, "finish_reason": None, "logprobs": None}
            yield "data: " + json.dumps({**HEAD, "choices": [choice]}) + "\\n\\n"
        yield "data: [DONE]\\n\\n"
    return StreamingResponse(chunks(), media_type="text/event-stream")
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # so that nothing waits to be sent
listener.bind(("127.0.0.1", 0))
listener.listen(128)
print("http://127.0.0.1:%d" % listener.getsockname()[1], flush=True)
app = Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"]), Route("/idle", idle)])
config = uvicorn.Config(app, log_config=None, access_log=False)
uvicorn.Server(config).run([listener])
"""


def main() -> int:
    return figure(__doc__, ["p21"], lambda _name, short: asyncio.run(measure(short)))


async def measure(short: bool) -> dict[str, Any]:
    tokens, turns = (SHORT_TOKENS, SHORT_TURNS) if short else (TOKENS, TURNS)
    with tempfile.TemporaryDirectory(prefix="triptych-p21-") as folder:
        script = Path(folder) / "script.json"
        script.write_text(json.dumps({"turns": [{"chunks": ["word "] * tokens, "delay": PACE}], "repeat_last": True}))
        own = [sys.executable, "-m", "app", "--data-dir", f"{folder}/data", "serve", "--port", "0"]
        environ = {"TRIPTYCH_API_TOKEN": TOKEN, "TRIPTYCH_MODEL": f"script/{script.as_posix()}"}
        floor = [sys.executable, "-c", FLOOR, str(tokens), str(PACE)]
        with serving(floor, {}) as bare, serving(own, environ) as ours:
            async with idle_clients(bare[0], "/idle"), idle_clients(ours[0], await events_of_a_session(ours[0])):
                many = await in_turn(bare, ours, tokens, turns, STREAMS)
                one = await in_turn(bare, ours, tokens, turns, 1)
    return {
        "name": "P21",
        "ours": many.ours,
        "floor": many.floor,
        "ratio": many.ratio,
        "goal": GOAL,
        "ok": all(each.ratio <= GOAL and each.first_ratio <= FIRST_GOAL for each in (many, one)),
        "first_byte_ms": many.first_ms,
        "first_byte_ratio": many.first_ratio,
        "first_byte_goal": FIRST_GOAL,
        "one_stream_ratio": one.ratio,
        "one_stream_first_byte_ms": one.first_ms,
        "one_stream_first_byte_ratio": one.first_ratio,
    }


@dataclass(frozen=True)
class Costs:
    """Microseconds per token, ours and the floor's, and the first byte."""

    ours: float
    floor: float
    ratio: float
    first_ms: float
    first_ratio: float


async def in_turn(bare: tuple[str, int], ours: tuple[str, int], tokens: int, turns: int, count: int) -> Costs:
    costs: list[tuple[float, float]] = []
    firsts: list[tuple[float, float]] = []
    for turn in range(turns + 1):
        floor_cost, floor_first = await streams(*bare, tokens, count)
        cost, first = await streams(*ours, tokens, count)
        if turn:  # the first turn warms both up
            costs.append((cost, floor_cost))
            firsts.append((first, floor_first))
    first, floor_first = min(first for first, _floor in firsts), min(floor for _first, floor in firsts)
    return Costs(
        round(statistics.median(cost for cost, _floor in costs) * 1e6, 1),
        round(statistics.median(floor for _cost, floor in costs) * 1e6, 1),
        round(statistics.median(cost / floor_cost for cost, floor_cost in costs), 3),
        round(first * 1000, 1),
        round(first / floor_first, 2),
    )


@asynccontextmanager
async def idle_clients(address: str, path: str) -> AsyncIterator[None]:
    """Streams in which nothing happens, one connection each."""
    count = CLIENTS - STREAMS
    limits = httpx2.Limits(max_connections=count)
    async with AsyncExitStack() as opened:
        http = httpx2.AsyncClient(base_url=address, headers=HEADERS, timeout=600, limits=limits)
        await opened.enter_async_context(http)
        for _ in range(count):
            response = await opened.enter_async_context(http.stream("GET", path))
            assert response.status_code == 200, response.status_code
        yield


async def events_of_a_session(address: str) -> str:
    """Of a new one, whose run has ended."""
    async with httpx2.AsyncClient(base_url=address, headers=HEADERS, timeout=120) as http:
        await http.post("/api/chat", json={"message": "x", "mode": "direct"})
        rows = (await http.get("/api/sessions")).json()["sessions"]
    return f"/api/sessions/{rows[0]['id']}/events"


@contextmanager
def serving(command: list[str], environ: dict[str, str]) -> Iterator[tuple[str, int]]:
    """The address it prints, and its process."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "TRIPTYCH_"))}
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**kept, "PYTHONPATH": str(ROOT), "TRIPTYCH_LANG": "en", **environ},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield next(word for word in process.stdout.readline().split() if "://" in word), process.pid
    finally:
        process.terminate()
        process.wait()


async def streams(address: str, process: int, tokens: int, count: int) -> tuple[float, float]:
    """Processor seconds per token, and the median time to the first token."""
    limits = httpx2.Limits(max_connections=count)
    async with httpx2.AsyncClient(base_url=address, headers=HEADERS, timeout=120, limits=limits) as http:
        before = spent(process)
        firsts = await asyncio.gather(*(stream(http, tokens) for _ in range(count)))
        return (spent(process) - before) / (count * tokens), statistics.median(firsts)


async def stream(http: httpx2.AsyncClient, tokens: int) -> float:
    question = {"role": "user", "content": "many words"}
    body = {"model": "assistant:direct", "stream": True, "messages": [question]}
    began, first, pieces = time.monotonic(), 0.0, list[bytes]()
    async with http.stream("POST", "/v1/chat/completions", json=body) as response:
        async for data in response.aiter_bytes():
            pieces.append(data)
            if not first and b"word " in data:
                first = time.monotonic() - began
    received = b"".join(pieces).count(b"word ")
    assert received == tokens, f"{received} of {tokens} tokens"
    return first


def spent(process: int) -> float:
    """Processor seconds so far, of all its threads."""
    return sum(int(one.read_text().split()[0]) for one in Path(f"/proc/{process}/task").glob("*/schedstat")) / 1e9


if __name__ == "__main__":
    raise SystemExit(main())
