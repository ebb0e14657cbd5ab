"""A provider that speaks the protocol properly: `/v1/chat/completions`, streamed or not, and `/v1/models`.

    async with FaultServer(speaks([{"content": "hello"}, {"tool_calls": [{"name": "add", "arguments": {…}}]}])):

Turns are taken one by one by chat requests; the last one repeats if `repeat_last`. A callable in place of
the list gets the request's body and returns the turn.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tests.rigs.fault_server import Exchange, Scenario

Turn = Mapping[str, Any]
"""`content`, `reasoning`, `tool_calls: [{name, arguments, id?}]`, `finish`, `usage`, `status` (an HTTP error)."""


def speaks(
    turns: Sequence[Turn] | Callable[[Any], Turn],
    *,
    models: Sequence[str] = ("test-model",),
    piece: int = 12,
    pause: float = 0.0,
    repeat_last: bool = False,
    reasoning_field: str = "reasoning_content",
) -> Scenario:
    """`piece` characters per chunk, `pause` seconds between chunks."""
    taken = 0

    async def scenario(exchange: Exchange) -> None:
        nonlocal taken
        if exchange.path.endswith("/models"):
            await exchange.reply(200, {"object": "list", "data": [{"id": m, "object": "model"} for m in models]})
            return
        if callable(turns):
            turn = turns(exchange.json)
        elif taken < len(turns) or (repeat_last and turns):
            turn = turns[min(taken, len(turns) - 1)]
        else:
            turn = {"status": 500, "content": "the list of turns has come to its end"}
        taken += 1
        await _answer(exchange, turn, piece, pause, reasoning_field)

    return scenario


async def _answer(exchange: Exchange, turn: Turn, piece: int, pause: float, reasoning_field: str) -> None:
    if "status" in turn:
        await exchange.reply(turn["status"], {"error": {"message": turn.get("content", "scripted"), **_code(turn)}})
        return
    calls = _calls(turn)
    finish = turn.get("finish") or ("tool_calls" if calls else "stop")
    usage = turn.get("usage") or {"prompt_tokens": len(exchange.body) // 4, "completion_tokens": 7}
    usage = {**usage, "total_tokens": usage["prompt_tokens"] + usage["completion_tokens"]}
    if not (exchange.json or {}).get("stream"):
        await exchange.reply(200, _whole(turn, calls, finish, usage, reasoning_field))
        return
    await exchange.head(chunked=True)
    for delta in _deltas(turn, calls, piece, reasoning_field):
        await exchange.event(_chunk({"index": 0, "delta": delta, "finish_reason": None}))
        if pause:
            await asyncio.sleep(pause)
    await exchange.event(_chunk({"index": 0, "delta": {}, "finish_reason": finish}))
    if ((exchange.json or {}).get("stream_options") or {}).get("include_usage"):
        await exchange.event({**_chunk(None), "usage": usage})
    await exchange.done()
    await exchange.end_chunks()


def _code(turn: Turn) -> dict[str, Any]:
    return {"code": turn["code"]} if "code" in turn else {}


def _calls(turn: Turn) -> list[dict[str, Any]]:
    made = []
    for number, call in enumerate(turn.get("tool_calls") or ()):
        given = call.get("arguments", {})
        text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        made.append({"id": call.get("id", f"call_{number}"), "name": call["name"], "arguments": text})
    return made


def _deltas(turn: Turn, calls: list[dict[str, Any]], piece: int, reasoning_field: str) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for part in _pieces(turn.get("reasoning") or "", piece):
        yield {reasoning_field: part}
    for part in _pieces(turn.get("content") or "", piece):
        yield {"content": part}
    for index, call in enumerate(calls):
        function = {"name": call["name"], "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]}
        for part in _pieces(call["arguments"], piece):
            yield {"tool_calls": [{"index": index, "function": {"arguments": part}}]}


def _pieces(text: str, size: int) -> Iterator[str]:
    for at in range(0, len(text), size):
        yield text[at : at + size]


def _chunk(choice: dict[str, Any] | None) -> dict[str, Any]:
    frame = {"id": "chatcmpl-test", "object": "chat.completion.chunk", "created": 1, "model": "test-model"}
    return {**frame, "choices": [choice] if choice else []}


def _whole(
    turn: Turn, calls: list[dict[str, Any]], finish: str, usage: dict[str, Any], reasoning_field: str
) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.get("content")}
    if turn.get("reasoning"):
        message[reasoning_field] = turn["reasoning"]
    if calls:
        message["tool_calls"] = [
            {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
            for c in calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "chatcmpl-test", "object": "chat.completion", "choices": [choice], "usage": usage}
