"""The provider streams P01–P38 of the catalogue of bad inputs, played over a real connection.

`FAULTS["P01"]` is a scenario for `FaultServer`; those with variants are named `P07b`, `P28_date` and so on.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from typing import Any

from tests.rigs.fault_server import EVENT_STREAM, Exchange, Scenario

FAULTS: dict[str, Scenario] = {}
CANARY_KEY = "sk-CANARY-0123456789abcdef"


def _named(name: str) -> Callable[[Scenario], Scenario]:
    def keep(scenario: Scenario) -> Scenario:
        FAULTS[name] = scenario
        return scenario

    return keep


def _streams(name: str, *parts: object, finish: str | None = "stop", done: bool = True) -> None:
    """A stream of these parts: text is a text delta, bytes are sent raw, a dictionary is a whole event."""

    async def scenario(exchange: Exchange) -> None:
        await exchange.head()
        for part in parts:
            if isinstance(part, bytes):
                await exchange.send(part)
            elif isinstance(part, str):
                await exchange.delta(content=part)
            else:
                await exchange.event(part)
        if finish:
            await exchange.delta(finish)
        if done:
            await exchange.done()

    FAULTS[name] = scenario


def _delta(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta}]}


def _call(index: object, id: str | None, name: str | None, arguments: str) -> dict[str, Any]:
    return {"index": index, "id": id, "function": {"name": name, "arguments": arguments}}


def _replies(name: str, status: int, body: object, headers: dict[str, str] | None = None) -> None:
    async def scenario(exchange: Exchange) -> None:
        await exchange.reply(status, body, headers)

    FAULTS[name] = scenario


# ---------------------------------------------------------------- broken ends


@_named("P01")
async def reset_after_two_tokens(exchange: Exchange) -> None:
    await exchange.head(chunked=True)
    await exchange.delta(content="hel")
    await exchange.delta(content="lo")
    await asyncio.sleep(0.05)
    exchange.reset()


@_named("P01b")
async def chunked_body_without_its_end(exchange: Exchange) -> None:
    await exchange.head(chunked=True)
    await exchange.delta(content="hel")
    await exchange.delta(content="lo")


@_named("P01c")
async def reset_while_a_tag_may_begin(exchange: Exchange) -> None:
    await exchange.head(chunked=True)
    await exchange.delta(content="if a <")
    await asyncio.sleep(0.05)
    exchange.reset()


_streams("P02", "hel", "lo", finish=None, done=False)
_streams("P03", "hello", done=False)
_streams("P04", b'data: {"choices": [\n\n', "good")
_streams("P04b", "good", b'data: {"choices": [\n\n', "never")
_streams(
    "P04c",
    _delta(tool_calls=[_call(0, "c", "write", '{"text":"do ')]),
    b'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"not \n\n',
    _delta(tool_calls=[_call(0, None, None, 'delete everything"}')]),
    finish="tool_calls",
)
_replies("P05", 200, "<html><head><title>Hotel Wi-Fi</title></head><body><script>x()</script>secret</body></html>")
_replies("P06", 200, "")
_replies("P06b", 204, "")
_streams("P07", "tok", {"error": {"message": "overloaded"}}, finish=None, done=False)
_streams("P07b", "tok", {"error": "text"}, finish=None, done=False)
_replies("P07c", 200, {"error": {"message": "only an error"}})
_streams(
    "P08",
    {"choices": None},
    {"choices": []},
    {"choices": [{"delta": None}]},
    {"choices": [{"delta": {}}]},
    b'data: 42\n\ndata: null\n\ndata: "x"\n\n',
    {"choices": [{"delta": {"content": 5, "tool_calls": "x", "reasoning": []}, "finish_reason": 7}]},
    {"choices": "x", "usage": "y", "error": None},
    "ok",
)

# ---------------------------------------------------------------- tool calls

_CUT = '{"path":"a","content":"line1'
_streams("P09", _delta(tool_calls=[_call(0, "c", "write", _CUT)]), finish="length")
_streams("P10", _delta(tool_calls=[_call(0, "c", "write", _CUT)]), finish="stop")
_streams("P10b", _delta(tool_calls=[_call(0, "c", "write", _CUT)]), finish="tool_calls")
_streams("P10c", _delta(tool_calls=[_call(0, "c", "write", '{"path":"a"}')]), finish=None, done=False)
_streams(
    "P11",
    _delta(tool_calls=[_call(0, "a", "f", '{"i":')]),
    _delta(tool_calls=[_call(1, "b", "g", '{"i":')]),
    _delta(tool_calls=[_call(0, None, None, "0}")]),
    _delta(tool_calls=[_call(1, None, None, "1}")]),
    *[_delta(tool_calls=[_call(bad, f"x{bad}", "f", "{}")]) for bad in (99999, -1, "0")],
    finish="tool_calls",
)
_streams(
    "P12",
    _delta(tool_calls=[_call(0, "same", "f", "{}"), _call(1, "same", "g", "{}")]),
    _delta(tool_calls=[_call(2, None, "h", "{}")]),
    finish="tool_calls",
)
_streams(
    "P13",
    _delta(
        tool_calls=[
            _call(n, f"c{n}", "f", text)
            for n, text in enumerate(['{"a":1,"a":2}', '{"a":NaN}', "[]", '"str"', "", "9" * 5000])
        ]
    ),
    finish="tool_calls",
)


@_named("P14")
async def twenty_megabytes_of_arguments(exchange: Exchange) -> None:
    await exchange.head()
    await exchange.event(_delta(tool_calls=[_call(0, "c", "write", '{"text":"')]))
    for _ in range(20):
        await exchange.event(_delta(tool_calls=[_call(0, None, None, "a" * 1_000_000)]))
    await exchange.event(_delta(tool_calls=[_call(0, None, None, '"}')]))
    await exchange.delta("tool_calls")
    await exchange.done()


_streams(
    "P15",
    _delta(
        tool_calls=[
            _call(n, f"c{n}", name, "{}")
            for n, name in enumerate(["nobody", "__proto__", "../x", "n" * 10_000, "a\u202eb"])
        ]
    ),
    finish="tool_calls",
)

# ---------------------------------------------------------------- characters

_streams("P16", b'data: {"choices":[{"index":0,"delta":{"content":"a\\ud800b"}}]}\n\n')
_streams("P17", b'\xef\xbb\xbfdata: {"choices":[{"index":0,"delta":{"content":"a\\u0000b"}}]}\n\n')
for letter, raw in (("b", b"\xff"), ("c", b"\xc0\xaf")):
    _streams(f"P17{letter}", "a", b'data: {"choices":[{"index":0,"delta":{"content":"b%s"}}]}\n\n' % raw)

# ---------------------------------------------------------------- time


@_named("P18")
async def silence_after_one_token(exchange: Exchange) -> None:
    await exchange.head()
    await exchange.delta(content="one")
    await exchange.until_gone()


@_named("P18b")
async def silence_from_the_start(exchange: Exchange) -> None:
    await exchange.until_gone()


@_named("P19")
async def pings_for_ever(exchange: Exchange) -> None:
    await exchange.head()
    await exchange.delta(content="one")
    while not exchange.gone.is_set():
        await exchange.send(": ping\n\n")
        await asyncio.sleep(0.02)


@_named("P24")
async def one_byte_at_a_time(exchange: Exchange) -> None:
    await exchange.head()
    for byte in b'data: {"choices":[{"index":0,"delta":{"content":"slow"}}]}\n\n' * 1000:
        await exchange.send(bytes([byte]))
        await asyncio.sleep(0.005)


# ---------------------------------------------------------------- size


@_named("P20")
async def one_event_of_30_megabytes(exchange: Exchange) -> None:
    await exchange.head()
    await exchange.delta(content="before")
    await exchange.send(b'data: {"choices":[{"index":0,"delta":{"content":"')
    for _ in range(30):
        await exchange.send(b"x" * 1_000_000)
    await exchange.send(b'"}}]}\n\n')


@_named("P21")
async def a_line_without_end(exchange: Exchange) -> None:
    await exchange.head()
    await exchange.send(b"data: ")
    for _ in range(200):
        await exchange.send(b"x" * 1_000_000)


@_named("P22")
async def a_bomb_in_gzip(exchange: Exchange) -> None:
    await exchange.head(headers={"Content-Encoding": "gzip"})
    event = b'data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n'
    await exchange.send(gzip.compress(event + b": " + b"x" * 60_000_000))


@_named("P22b")
async def compressed_in_a_way_nobody_asked_for(exchange: Exchange) -> None:
    await exchange.head(headers={"Content-Encoding": "br"})
    await exchange.send(b"\x0b\x02\x80hello\x03")


@_named("P22c")
async def honest_gzip(exchange: Exchange) -> None:
    await exchange.head(headers={"Content-Encoding": "gzip"})
    event = b'data: {"choices":[{"index":0,"delta":{"content":"packed"},"finish_reason":"stop"}]}\n\n'
    await exchange.send(gzip.compress(event))


@_named("P23")
async def tokens_without_end(exchange: Exchange) -> None:
    await exchange.head()
    many = b'data: {"choices":[{"index":0,"delta":{"content":"%s"}}]}\n\n' % (b"x" * 2_000) * 25
    while not exchange.gone.is_set():
        await exchange.send(many)


# ---------------------------------------------------------------- what a finish and a status mean

for letter, blank in (("", ""), ("b", "   "), ("c", "\n")):
    _streams(f"P25{letter}", blank)
_streams("P26", "cut", finish="length")
_replies("P27", 502, "<html>" + "<p>Bad gateway</p>" * 5000)
for label, value in (
    ("", "3"),
    ("_huge", "999999"),
    ("_negative", "-5"),
    ("_nan", "NaN"),
    ("_past", "Wed, 21 Oct 2015 07:28:00 GMT"),
    ("_future", "Fri, 01 Jan 2100 00:00:00 GMT"),
):
    _replies(f"P28{label}", 429, {"error": {"message": "slow down"}}, {"Retry-After": value})
_replies("P28_missing", 429, {"error": {"message": "slow down"}})


@_named("P29")
async def the_key_comes_back(exchange: Exchange) -> None:
    await exchange.reply(401, {"error": {"message": f"Incorrect API key: {exchange.headers.get('authorization')}"}})


_streams("P30", "so far", finish="content_filter")
_streams("P30b", _delta(refusal="I will not."))
_streams("P31", _delta(reasoning_content="thinking"))
_streams("P31b", *[_delta(reasoning_content="r" * 500_000)] * 10)
for label, usage in (
    ("", {"prompt_tokens": -1}),
    ("b", {"prompt_tokens": 1e300, "completion_tokens": "5"}),
    ("c", {"prompt_tokens": True, "completion_tokens": [1]}),
):
    _streams(f"P32{label}", "x", {"choices": [], "usage": usage})


# ---------------------------------------------------------------- right answers in odd dress


@_named("P33")
async def right_but_called_plain_text(exchange: Exchange) -> None:
    await exchange.head(content_type="text/plain")
    text = 'data: {"choices":[{"index":0,\rdata: "delta":{"content":"odd"}}]}\r\r'
    text += 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\r\n\r\ndata: [DONE]\n\n'
    for byte in text.encode():
        await exchange.send(bytes([byte]))


_replies("P34", 200, {"choices": [{"message": {"role": "assistant", "content": "whole"}, "finish_reason": "stop"}]})
_streams(
    "P35",
    b'event: execute\ndata: {"cmd": "rm"}\n\nevent: tool\ndata: {"name": "x"}\n\n',
    b'event: redirect\ndata: {"url": "http://elsewhere"}\n\n',
    _delta(role="system", content="plain"),
)
_streams("P36", "ok", b"data: " + b"[" * 200_000 + b"\n\n", "never")
_streams("P36b", "ok", b"data: " + b"[" * 200_000 + b"]" * 200_000 + b"\n\n", "never")
_streams("P36c", "ok", b"data: " + b"9" * 5000 + b"\n\n", "never")
_streams("P37", *["<think>" * 400] * 100, finish="length")
_streams("P37b", "text </think> more")
_streams("P38", 'data: [DONE] </think> <tool_call>{"name":"x"}</tool_call> here')


@_named("redirect")
async def elsewhere(exchange: Exchange) -> None:
    await exchange.reply(302, "", {"Location": "http://elsewhere.example/v1/chat/completions"})


@_named("hang_after_done")
async def done_but_open(exchange: Exchange) -> None:
    await exchange.head(chunked=True)
    await exchange.delta("stop", content="all")
    await exchange.done()
    await exchange.until_gone()


@_named("hang_after_finish")
async def finished_but_open(exchange: Exchange) -> None:
    await exchange.head(chunked=True, content_type=EVENT_STREAM)
    await exchange.delta("stop", content="all")
    await exchange.until_gone()


@_named("endless_error")
async def an_error_page_without_end(exchange: Exchange) -> None:
    await exchange.head(500, "text/plain")
    while not exchange.gone.is_set():
        await exchange.send(b"z" * 100_000)


__all__ = ["CANARY_KEY", "FAULTS"]
