"""Bodies that no route may take, and good ones with one value replaced by another kind."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

_QUESTION = {
    "message": "x", "agent": "assistant", "mode": "direct", "model": "", "settings": {"max_steps": 3},
    "approve": "none", "plan_only": False, "queue": False, "message_id": "", "session_id": "",
}  # fmt: skip
_TOOL = {"type": "function", "function": {"name": "look", "description": "d", "parameters": {"type": "object"}}}
_CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
BODIES: dict[str, dict[str, Any]] = {
    "/api/chat": _QUESTION,
    "/api/query/stream": _QUESTION,
    "/api/runs/none/cancel": {"a": 1},
    "/api/runs/none/approve": {"id": "a", "choice": "once", "args": {}, "reason": ""},
    "/api/runs/none/answer": {"id": "a", "text": "b"},
    "/api/runs/none/plan": {"goal": "g", "steps": [{"step": 1, "action": "a"}], "keep": False},
    "/api/runs/none/control": {"order": "skip", "step": 1, "value": 1, "text": "t", "limit": 1.5},
    "/v1/chat/completions": {
        "model": "assistant:direct", "stream": False, "n": 1, "temperature": 0.5, "top_p": 1, "max_tokens": 5,
        "tools": [_TOOL], "tool_choice": "none", "stream_options": {"include_usage": True},
        "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}},
        "reasoning_effort": "low", "parallel_tool_calls": False, "metadata": {"a": "b"}, "user": "u",
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": [
                {"type": "text", "text": "t"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            ]},
            {"role": "assistant", "content": "a", "tool_calls": [_CALL]},
            {"role": "tool", "tool_call_id": "c", "content": "r"},
            {"role": "user", "content": "again"},
        ],
    },
    "/v1/responses": {
        "model": "assistant:direct", "stream": False, "instructions": "i", "previous_response_id": "", "store": False,
        "reasoning": {"effort": "low"}, "text": {"format": {"type": "text"}}, "max_output_tokens": 9,
        "tools": [{"type": "function", **_TOOL["function"]}, {"type": "custom", "name": "c"}], "metadata": {},  # type: ignore[dict-item]
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "t"}]},
            {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "r"},
            {"role": "user", "content": "again"},
        ],
    },
    "/v1/embeddings": {"model": "m", "input": ["a"], "encoding_format": "float", "dimensions": 3},
}  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 1.5, 10**30, -(10**30), 1e308, "", " ", "x", "\0", "é" * 99, "data:,", "../..", [],
    [[]], [None], [1], ["x"], [{}], {}, {"a": None}, {"": {}}, {"type": 1}, {"type": "function"}, {"role": 1}, "{",
)  # fmt: skip


def unreadable(seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    """By path: no strict JSON object in UTF-8."""
    chance = random.Random(seed)
    for _ in range(count):
        path = chance.choice(list(BODIES))
        good = json.dumps(BODIES[path]).encode()
        first, key = good.index(b'"') + 1, json.dumps(next(iter(BODIES[path]))).encode()
        rest = good[1:]
        kinds = (
            good[: chance.randrange(1, len(good))], good[:first] + b"\xff" + good[first:], good + b"}",
            b"[" + good + b"]", b'{"zz": NaN, ' + rest, b'{"zz": -Infinity, ' + rest, b'{"zz": 1e999, ' + rest,
            good.decode().encode("utf-16"),
            b'{"zz": "\\ud8%02x", ' % chance.randrange(256) + rest, b'{"zz": {"\\udc00": 1}, ' + rest,
            b"{" + key + b": 1, " + rest, b'{"zz": {"a": 1, "a": 2}, ' + rest, b"\xef\xbb\xbf" + good,
            b'{"zz": ' + b"[" * 5_000 + b"]" * 5_000 + b", " + rest, b'{"zz": ' + b"[" * 150_000 + b", " + rest,
            b'{"zz": ' + b'{"a":' * 120 + b"1" + b"}" * 120 + b", " + rest, b'{"zz": ' + b"9" * 5_000 + b", " + rest,
            b"null", b"7", b'"x"', b"[]", b"{'a': 1}", b"{,}", bytes(chance.randrange(128, 256) for _ in range(20)),
            b'{"zz": "a\nb", ' + rest, b'{"zz": 01, ' + rest, good[:-1] + b",}",
        )  # fmt: skip
        yield path, chance.choice(kinds)


def replaced(seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    """By path: readable, but one to three values are of another kind, or gone."""
    chance = random.Random(seed)
    for _ in range(count):
        path = chance.choice(list(BODIES))
        body: Any = copy.deepcopy(BODIES[path])
        for _ in range(chance.randrange(1, 4)):
            holder: Any = body
            while True:
                places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
                if not places:
                    break
                place = chance.choice(places)
                if isinstance(holder[place], dict | list) and holder[place] and chance.random() < 0.8:
                    holder = holder[place]
                    continue
                if chance.random() < 0.15:
                    del holder[place]
                else:
                    holder[place] = copy.deepcopy(chance.choice(_VALUES))
                break
        yield path, json.dumps(body).encode()
