"""How servers that call themselves compatible differ: each oddity is read for what it means, however it is cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from app.core import errors
from app.core.errors import ModelError
from app.core.run.chat_model import Usage
from tests.rigs.replay import replay, with_crlf

USAGE = {"prompt_tokens": 5, "completion_tokens": 2}
DONE = b"data: [DONE]\n\n"
ARGS = ('{"c":', '"X"}')
Call = tuple[str, dict[str, Any]]
ONE: tuple[Call, ...] = (("w", {"c": "X"}),)


def piece(delta: Any = None, finish: str | None = None, **choice: Any) -> dict[str, Any]:
    return {"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": finish, **choice}]}


def calling(**fragment: Any) -> dict[str, Any]:
    return piece({"tool_calls": [fragment]})


def named(name: str | None, args: Any, key: str = "arguments") -> dict[str, Any]:
    return {**({"name": name} if name is not None else {}), key: args}


def stream(*events: Any, done: bytes = DONE, end: str = "\n\n") -> bytes:
    return "".join(f"data: {json.dumps(event)}{end}" for event in events).encode() + done


HI = piece({"content": "hi"}, "stop")
H, I = piece({"content": "h"}), piece({"content": "i"}, "stop")  # noqa: E741 - the halves of a greeting
ANSWERED = piece({}, "stop")
CALLED = piece({}, "tool_calls")
THOUGHT: dict[str, Any] = {
    "a text in another field": {"reasoning_text": "r"},
    "a text called thinking": {"thinking": "r"},
    "a block": {"reasoning": {"text": "r"}},
    "a list of blocks": {"thinking_blocks": [{"type": "thinking", "thinking": "r", "signature": "s"}]},
    "twice": {"thinking_blocks": [{"type": "thinking", "thinking": "r"}], "reasoning_content": "r"},
    "a part of the content": {"content": [{"type": "reasoning", "text": "r"}]},
    "a summary in the content": {"content": [{"type": "reasoning", "summary": [{"text": "r"}]}]},
}


def check(data: bytes, text: str, *, reasoning: str = "", calls: Sequence[Call] = ()) -> Usage | None:
    """The same for pieces of one byte, of seven and for all at once; returns what was counted."""
    whole = replay(data)
    assert whole.finished is not None, f"{whole.error!r}"
    turn = whole.finished.turn
    assert (turn.text, turn.reasoning) == (text, reasoning)
    assert [(call.name, call.args) for call in turn.calls] == list(calls)
    for other, size in ((data, 1), (data, 7), (with_crlf(data), 1), (with_crlf(data), 4096)):
        assert replay(other, size).summary == whole.summary
    return whole.finished.usage


@pytest.mark.parametrize("delta", THOUGHT.values(), ids=THOUGHT.keys())
def test_thoughts_are_thoughts_in_whatever_field(delta: dict[str, Any]) -> None:
    check(stream(piece(delta), HI), "hi", reasoning="r")


@pytest.mark.parametrize(
    "events",
    [
        [calling(function=named("w", ARGS[0])), calling(function=named("w", ARGS[1]))],
        [calling(function=named("w", ARGS[0]), id=7, index=0), calling(function=named(None, ARGS[1]), id=7, index=0)],
        [calling(function=named("w", {"c": "X"}, "parameters"), index=0)],
        [piece({"content": ""}, message={"content": "", "tool_calls": [{"function": named("w", '{"c":"X"}')}]})],
    ],
    ids=["its name in every piece", "a number as its id", "another word for arguments", "only in a whole message"],
)
def test_a_call_is_one_call(events: list[Any]) -> None:
    check(stream(*events, CALLED), "", calls=ONE)


def test_two_calls_of_one_tool_without_ids_are_two() -> None:
    both = [calling(function=named("w", '{"c":"X"}')), calling(function=named("w", '{"c":"Y"}'))]
    check(stream(*both, CALLED), "", calls=[("w", {"c": "X"}), ("w", {"c": "Y"})])
    bare = [calling(function=named("w", "")), calling(function=named("w", ""))]
    check(stream(*bare, CALLED), "", calls=[("w", {}), ("w", {})])


def test_calls_in_a_whole_message_behind_the_text_are_not_lost() -> None:
    message = {"content": "look", "tool_calls": [{"id": "a", "function": named("w", '{"c":"X"}')}]}
    check(stream(piece({"content": "look"}), piece({}, "tool_calls", message=message)), "look", calls=ONE)


@pytest.mark.parametrize(
    "events",
    [
        [{"choices": [{"index": 1, "delta": {"content": "hi"}, "finish_reason": "stop"}]}],
        [{"choices": [{"index": "0", "delta": {"content": "hi"}, "finish_reason": "stop"}]}],
        [{"choices": {"delta": {"content": "hi"}, "finish_reason": "stop"}}],
        [{"choices": [{"index": 0, "text": "hi"}]}, {"choices": [{"index": 0, "text": "", "finish_reason": "stop"}]}],
        [{"choices": [{"index": 1, "delta": {"content": "yo"}}, {"index": 0, "delta": {"content": "hi"}}]}, ANSWERED],
        [piece({"content": {"type": "text", "text": "hi"}}, "stop")],
        [piece({"content": [{"type": "output_text", "text": "hi"}]}, "stop")],
        [{**HI, "base_resp": {"status_code": 0, "status_msg": ""}}],
    ],
    ids=["counted from 1", "a text as index", "no list", "of old", "two choices", "a block", "a part", "fine, it says"],
)
def test_the_answer_is_found(events: list[Any]) -> None:
    check(stream(*events), "hi")


def test_a_refusal_in_a_part_is_told() -> None:
    data = stream(piece({"content": [{"type": "refusal", "refusal": "no"}]}, "stop"))
    check(data, "no")
    finished = replay(data).finished
    assert finished is not None
    assert finished.refusal


PRETTY = f"data: {json.dumps(HI, indent=1)}\n\n".encode()


@pytest.mark.parametrize(
    "data",
    [
        stream(H, I, end="\n"),
        PRETTY.replace(b"\n ", b"\ndata:  ").replace(b"\n}", b"\ndata: }") + DONE,
        stream(H, I, done=b'data: "[DONE]"\n\n'),
        stream(piece({"content": "hi"}), done=b"data: [done]\n\n"),
    ],
    ids=["no blank lines", "data over lines", "a quoted end", "a small end"],
)
def test_events_are_told_apart(data: bytes) -> None:
    check(data, "hi")


def test_an_event_without_its_blank_line_is_shown_before_the_next_has_ended() -> None:
    data = stream(H, I, done=b"", end="\n")
    assert replay(data[:-4]).shown == "h"


@pytest.mark.parametrize("data", [b"\n".join(json.dumps(one).encode() for one in (H, I)), json.dumps([H, I]).encode()])
def test_pieces_in_another_wrapping_are_read(data: bytes) -> None:
    finished = replay(data).finished
    assert finished is not None
    assert finished.turn.text == "hi"
    assert all(replay(data, size).summary == replay(data).summary for size in (1, 7))
    for at in range(len(data) - 2):
        assert replay(data[:at]).finished is None, at


def test_a_zero_behind_a_number_counts_for_nothing() -> None:
    told = [{**H, "usage": USAGE}, I]
    nothing = {"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}
    assert check(stream(*told, nothing), "hi") == Usage(5, 2)
    grown = {"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 9}}
    assert check(stream(*told, grown), "hi") == Usage(5, 9)


def test_a_finish_reason_that_is_the_word_null_is_none() -> None:
    cut = replay(stream(piece({"content": "h"}, "null"), piece({"content": "i"}, "null"), done=b""))
    assert (type(cut.error), cut.partial) == (errors.IncompleteStream, "hi")


@pytest.mark.parametrize(
    ("event", "kind", "told"),
    [
        ({"code": "Throttling", "message": "limit exceeded", "request_id": "z"}, errors.RateLimited, "limit exceeded"),
        ({"error_code": 110, "error_msg": "token invalid"}, errors.ServerFailed, "token invalid"),
        ({"detail": "model exploded"}, errors.ServerFailed, "exploded"),
        (
            {"choices": None, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}},
            errors.QuotaUsedUp,
            "balance",
        ),
    ],
    ids=["DashScope", "Baidu", "FastAPI", "MiniMax"],
)
def test_a_complaint_is_told_in_a_stream_and_alone(event: dict[str, Any], kind: type[ModelError], told: str) -> None:
    for data in (stream(event), stream(event, done=b""), json.dumps(event).encode()):
        outcome = replay(data)
        assert type(outcome.error) is kind
        assert told in str(outcome.error)


def test_a_note_beside_the_answer_is_no_complaint() -> None:
    notes = [{"type": "ping"}, {"id": "x", "message": "in the queue"}, {"code": 200, "message": "ok", "data": None}]
    check(stream(*notes, {"type": "status", "status": "queued", "message": "third"}, HI), "hi")
