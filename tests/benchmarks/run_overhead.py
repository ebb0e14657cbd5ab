"""P1: what one step of a ReAct run costs in CPU time, stored event by event, against a loop written by hand.

    python -m tests.benchmarks.run_overhead p1 [--short] [--json] [--profile]

Ours is a question to the whole program without its window: session, run, tool gate, events, log and
message in SQLite. The floor is what anybody writes in twenty lines: `openai` `create(stream=True)`, the
tool called by name, its result appended. Both ask the same local server, a process of its own, in turn;
the median of the ratios counts.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import multiprocessing
import pstats
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any

STEPS = 8
"""Requests that ask for a tool; one more is the answer."""
WORDS = 24
"""Deltas of text in every reply."""
PIECES = 6
"""Deltas of the arguments of a call."""
GOAL = 1.0
KEY = "sk-bench-0123456789"
TOOL = {
    "type": "function",
    "function": {
        "name": "calculator",
        "description": "Compute an arithmetic expression exactly.",
        "parameters": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]},
    },
}


@dataclass(frozen=True)
class Figure:
    """`ours` and `floor` are milliseconds of CPU per step; `goal` is the highest ratio allowed."""

    name: str
    ours: float
    floor: float
    ratio: float
    goal: float
    ok: bool


# ---------------------------------------------------------------- the server, in a process of its own


def _serve(pipe: Connection) -> None:
    asyncio.run(_serve_forever(pipe))


async def _serve_forever(pipe: Connection) -> None:
    answers = [_answer(n) for n in range(STEPS + 1)]

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                at = head.index(b"content-length:") + 15
                body = await reader.readexactly(int(head[at : head.index(b"\r\n", at)]))
                done = sum(message["role"] == "tool" for message in json.loads(body)["messages"])
                writer.write(answers[done])
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 24)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def _answer(done: int) -> bytes:
    """Some words, then a call with arguments of its own, or the end."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": f" word{n}"} for n in range(WORDS)]
    if done < STEPS:
        arguments = json.dumps({"expression": f"{done} + 1234567890 * {done}"})
        size = -(-len(arguments) // PIECES)
        first = {
            "index": 0,
            "id": f"call_{done}",
            "type": "function",
            "function": {"name": "calculator", "arguments": ""},
        }
        deltas.append({"tool_calls": [first]})
        for at in range(0, len(arguments), size):
            deltas.append({"tool_calls": [{"index": 0, "function": {"arguments": arguments[at : at + size]}}]})
    frames = [_frame([{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}]) for delta in deltas]
    finish = "tool_calls" if done < STEPS else "stop"
    frames.append(_frame([{"index": 0, "delta": {}, "logprobs": None, "finish_reason": finish}]))
    frames.append(_frame([], usage={"prompt_tokens": 90, "completion_tokens": 30, "total_tokens": 120}))
    events = [f"data: {json.dumps(frame)}\n\n".encode() for frame in frames] + [b"data: [DONE]\n\n"]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(event), event) for event in events) + b"0\r\n\r\n"


def _frame(choices: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-8f2b1c", "object": "chat.completion.chunk", "created": 1790000000, "model": "bench-model",
        "system_fingerprint": "fp_44", "choices": choices, **more,
    }  # fmt: skip


class _Server:
    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)

    def __enter__(self) -> str:
        self._process.start()
        return f"http://127.0.0.1:{self._pipe.recv()}/v1"

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join()


# ---------------------------------------------------------------- the floor


def by_hand(client: Any) -> Callable[[], Awaitable[None]]:
    async def once() -> None:
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "compute it step by step"},
        ]
        for _step in range(STEPS + 1):
            stream = await client.chat.completions.create(
                model="bench-model", messages=messages, tools=[TOOL], stream=True,
                stream_options={"include_usage": True},
            )  # fmt: skip
            text = ""
            calls: dict[int, dict[str, str]] = {}
            async for chunk in stream:
                if not chunk.choices:
                    continue
                delta = chunk.choices[0].delta
                text += delta.content or ""
                for part in delta.tool_calls or ():
                    found = calls.setdefault(part.index, {"id": part.id, "name": part.function.name, "arguments": ""})
                    found["arguments"] += part.function.arguments or ""
            asked = [
                {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
                for c in calls.values()
            ]
            messages.append({"role": "assistant", "content": text, **({"tool_calls": asked} if asked else {})})
            if not asked:
                break
            for made in calls.values():
                result = _compute(**json.loads(made["arguments"]))
                messages.append({"role": "tool", "tool_call_id": made["id"], "content": result})
        assert len(messages) == 2 + 2 * STEPS + 1

    return once


def _compute(expression: str) -> str:
    left, right = expression.split(" * ")
    first, second = left.split(" + ")
    return str(int(first) + int(second) * int(right))


# ---------------------------------------------------------------- ours


def whole_program(services: Any) -> Callable[[], Awaitable[None]]:
    from app.core.run.events import LoopEnd
    from app.services.runs.run_options import RunOptions

    options = RunOptions(
        mode="react",
        overrides={"max_steps": STEPS + 2, "enable_reflection": False, "tools": {"calculator": "allow"}},
        interactive=False,
    )

    async def once() -> None:
        session = await services.sessions.create("assistant", mode="react", model="env/bench-model")
        run = await services.chat.send(session.id, "compute it step by step", options=options)
        async for _line in run.events():
            pass
        end = await run.result()
        assert isinstance(end, LoopEnd)
        assert end.steps == STEPS + 1
        await services.chat.recorded()

    return once


# ---------------------------------------------------------------- measuring


async def _cpu(work: Callable[[], Awaitable[None]], times: int) -> float:
    gc.collect()
    before = time.process_time()
    for _ in range(times):
        await work()
    return (time.process_time() - before) / times / (STEPS + 1)


async def _measure(base_url: str, *, pairs: int, times: int, profile: bool) -> Figure:
    from openai import AsyncOpenAI

    from app.compose import build

    client = AsyncOpenAI(base_url=base_url, api_key=KEY, max_retries=0)
    with tempfile.TemporaryDirectory() as folder:
        services = build(folder, {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": KEY, "OPENAI_MODEL": "bench-model"})
        await services.open()
        ours, floor = whole_program(services), by_hand(client)
        for warm in (ours, floor, ours, floor):
            await warm()
        both = [(await _cpu(ours, times), await _cpu(floor, times)) for _ in range(pairs)]
        if profile:
            await _profiled(ours, times)
        await services.close()
    await client.close()
    ratio = statistics.median(mine / base for mine, base in both)
    mine, base = (statistics.median(column) * 1e3 for column in zip(*both, strict=True))
    return Figure("P1", round(mine, 3), round(base, 3), round(ratio, 3), GOAL, ratio <= GOAL)


async def _profiled(work: Callable[[], Awaitable[None]], times: int) -> None:
    """Where our time goes; of the loop's thread only."""
    profiler = cProfile.Profile(time.thread_time)
    profiler.enable()
    for _ in range(times):
        await work()
    profiler.disable()
    stats = pstats.Stats(profiler)
    stats.sort_stats("tottime").print_stats(30)
    stats.sort_stats("cumulative").print_stats("app/", 40)


def measure(*, short: bool = False, profile: bool = False) -> Figure:
    with _Server() as base_url:
        return asyncio.run(_measure(base_url, pairs=5 if short else 9, times=1 if short else 10, profile=profile))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("which", choices=["p1"], nargs="?", default="p1")
    parser.add_argument("--short", action="store_true", help="fewer rounds, for a smoke alarm")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--profile", action="store_true", help="show where our time goes")
    options = parser.parse_args()
    figure = measure(short=options.short, profile=options.profile)
    if options.json:
        print(json.dumps(asdict(figure)))
    else:
        mark = "ok" if figure.ok else "MISSED"
        print(f"P1 one step, ms CPU: {figure.ours} / {figure.floor} = {figure.ratio}× ≤ {figure.goal}  {mark}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
