"""P21 of the quality page: what the local API adds to a stream.

    python -m tests.benchmarks.served p21 [--json] [--short]

20 streams at once of `/v1/chat/completions`, a scripted model at 50 tokens a second, against a bare Starlette
application on uvicorn that sends the same chunks as server-sent events. Processor time of the server's process per
token, requests included; both in turn, median of the ratios. Beside it the time to the first byte, median of the
streams of a turn (at most twice the floor's; wall time, so the turn with the least counts).
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.benchmarks.program import figure
from tests.benchmarks.start import ROOT

STREAMS, PACE = 20, 0.02
TOKENS, SHORT_TOKENS = 300, 60
TURNS, SHORT_TURNS = 3, 2
GOAL, FIRST_GOAL = 2.0, 2.0
TOKEN = "a token of the bench"

FLOOR = """
import asyncio, json, socket, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route
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
listener = socket.create_server(("127.0.0.1", 0))
print("http://127.0.0.1:%d" % listener.getsockname()[1], flush=True)
app = Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"])])
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
            costs: list[tuple[float, float]] = []
            firsts: list[tuple[float, float]] = []
            for turn in range(turns + 1):
                (floor_cost, floor_first), (cost, first) = await streams(*bare, tokens), await streams(*ours, tokens)
                if turn:  # the first turn warms both up
                    costs.append((cost, floor_cost))
                    firsts.append((first, floor_first))
    ratio = statistics.median(cost / floor_cost for cost, floor_cost in costs)
    first, floor_first = min(first for first, _floor in firsts), min(floor for _first, floor in firsts)
    return {
        "name": "P21",
        "ours": round(statistics.median(cost for cost, _floor in costs) * 1e6, 1),
        "floor": round(statistics.median(floor for _cost, floor in costs) * 1e6, 1),
        "ratio": round(ratio, 3),
        "goal": GOAL,
        "ok": ratio <= GOAL and first / floor_first <= FIRST_GOAL,
        "first_byte_ms": round(first * 1000, 1),
        "first_byte_ratio": round(first / floor_first, 2),
        "first_byte_goal": FIRST_GOAL,
    }


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


async def streams(address: str, process: int, tokens: int) -> tuple[float, float]:
    """Processor seconds per token, and the median time to the first byte of the body."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    limits = httpx2.Limits(max_connections=STREAMS)
    async with httpx2.AsyncClient(base_url=address, headers=headers, timeout=120, limits=limits) as http:
        before = spent(process)
        firsts = await asyncio.gather(*(stream(http, tokens) for _ in range(STREAMS)))
        return (spent(process) - before) / (STREAMS * tokens), statistics.median(firsts)


async def stream(http: httpx2.AsyncClient, tokens: int) -> float:
    question = {"role": "user", "content": "many words"}
    body = {"model": "assistant:direct", "stream": True, "messages": [question]}
    began, first, pieces = time.monotonic(), 0.0, list[bytes]()
    async with http.stream("POST", "/v1/chat/completions", json=body) as response:
        async for data in response.aiter_bytes():
            first = first or time.monotonic() - began
            pieces.append(data)
    received = b"".join(pieces).count(b"word ")
    assert received == tokens, f"{received} of {tokens} tokens"
    return first


def spent(process: int) -> float:
    """Processor seconds so far, of all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    raise SystemExit(main())
