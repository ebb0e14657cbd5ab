"""Error bodies, waits, keys in sentences, token counts, arguments: tolerant where it is harmless, strict where not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.core import errors
from app.core.errors import ModelError
from app.core.run.chat_model import Usage
from app.providers.chat.usage import read_usage
from app.providers.http.faults import from_frame, from_status
from app.providers.http.redact import redact
from app.providers.http.retry_after import read_duration, wait_of
from app.providers.scrub import scrub
from app.providers.tool_arguments import read_arguments
from tests.every import looped
from tests.rigs.replay import replay

BODIES: list[tuple[int, Any, type[ModelError]]] = [
    (400, {"error": {"message": "maximum context length is 8192 tokens"}}, errors.ContextOverflow),
    (413, "Request too large", errors.ContextOverflow),
    (400, {"error": {"code": "context_length_exceeded", "message": "x"}}, errors.ContextOverflow),
    (400, [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}], errors.KeyRefused),
    (400, {"error": {"code": "content_filter", "message": "x", "innererror": {}}}, errors.ContentFiltered),
    (400, {"code": "DataInspectionFailed", "message": "Input data may contain…"}, errors.ContentFiltered),
    (
        400,
        {"error": {"code": "1301", "message": "系统检测到输入或生成内容可能包含不安全或敏感内容"}},
        errors.ContentFiltered,
    ),
    (402, {"error": {"message": "Insufficient Balance"}}, errors.QuotaUsedUp),
    (429, {"error": {"code": "insufficient_quota", "message": "x"}}, errors.QuotaUsedUp),
    (429, {"error": {"code": "1113", "message": "余额不足或无可用资源包"}}, errors.QuotaUsedUp),
    (429, {"error": {"message": "rate limit"}}, errors.RateLimited),
    (
        429,
        {"error": {"message": "You exceeded your current quota", "details": [{"retryDelay": "21s"}]}},
        errors.RateLimited,
    ),
    (403, {"error": {"message": "Country not supported"}}, errors.AccessRefused),
    (404, {"detail": "Not Found"}, errors.NotFound),
    (400, {"error": {"message": "Model Not Exist"}}, errors.NotFound),
    (400, {"error": {"code": "tool_use_failed", "failed_generation": "<x>"}}, errors.ToolUseFailed),
    (422, {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs"}]}, errors.RequestRefused),
    (400, {"message": "bad", "object": "error"}, errors.RequestRefused),
    (503, "<html>busy</html>", errors.ServerFailed),
    (529, {"error": {"type": "overloaded_error"}}, errors.ServerFailed),
    (408, "", errors.ServerFailed),
    (418, None, errors.RequestRefused),
    (307, "", errors.Redirected),
]


@looped(("status", "body", "kind"), BODIES)
def test_every_shape_of_error_gets_its_class(status: int, body: Any, kind: type[ModelError]) -> None:
    data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    error = from_status(status, {}, data)
    assert type(error) is kind, error
    assert error.status == status
    assert 0 < len(str(error)) <= 500
    assert "<" not in str(error)


def test_a_complaint_about_a_parameter_names_it() -> None:
    detail = {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs"}]}
    for body in (detail, {"error": {"message": "Unrecognized request argument supplied: stream_options"}}):
        error = from_status(400, {}, json.dumps(body).encode())
        assert isinstance(error, errors.RequestRefused)
        assert error.param == "stream_options"


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["error", "message", "code", "type", "detail", "metadata", "raw", "details", "param", "loc"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSONS, st.sampled_from([0, 200, 302, 400, 401, 422, 429, 500]))
@settings(max_examples=40, deadline=None)
def test_no_error_body_breaks_the_reading_of_it(body: Any, status: int) -> None:
    error = from_frame(body) if status in (0, 200) else from_status(status, {"Retry-After": str(body)}, body)
    assert isinstance(error, ModelError)
    assert str(error)


# ---------------------------------------------------------------- waits

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@looped(
    ("headers", "error", "message", "seconds"),
    [
        ({"Retry-After": "3"}, None, "", 3),
        ({"retry-after-ms": "1500", "retry-after": "9"}, None, "", 1.5),
        ({"Retry-After": "Sun, 01 Nov 2026 00:00:30 GMT"}, None, "", 30),
        ({"Retry-After": "Sun, 01 Nov 2015 00:00:30 GMT"}, None, "", 0),
        ({"Retry-After": "-5"}, None, "", None),
        ({"Retry-After": "NaN"}, None, "", None),
        ({"Retry-After": "inf"}, None, "", None),
        ({"Retry-After": "soon"}, None, "", None),
        ({}, {"metadata": {"headers": {"X-RateLimit-Reset": "1793491210000"}}}, "", 10),
        ({}, {"details": [{"retryDelay": "21.5s"}]}, "", 21.5),
        ({}, None, "Please try again in 1m2.5s. Visit …", 62.5),
        ({}, None, "Retry after 20 seconds", 20),
        ({}, None, "no wait here", None),
    ],
)
def test_a_wait_is_found_wherever_it_stands(
    headers: dict[str, str], error: Any, message: str, seconds: float | None
) -> None:
    assert wait_of(headers, error, message, NOW) == (None if seconds is None else pytest.approx(seconds))


@given(st.text(max_size=30))
@example("1e999s")
@example("9" * 5000 + "s")
def test_a_duration_is_a_number_or_nothing(text: str) -> None:
    seconds = read_duration(text)
    assert seconds is None or 0 <= seconds < float("inf")


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key: {key}",
        "Bearer {key} refused",
        "https://x/?api_key={key}&b=1",
        "{key}",
        "a{key}b",
        "wait{key}",
    ],
)
def test_the_known_key_is_masked_wherever_it_stands(text: str) -> None:
    key = "abc123+/secret=="
    assert key not in redact(text.format(key=key), [key])


@pytest.mark.parametrize("guess", ["sk-proj-0123456789abcdef", "gsk_0123456789abcdefgh", "eyJhbGciOi.JIUzI1.NiJ9xx"])
def test_what_looks_like_a_key_is_masked(guess: str) -> None:
    masked = redact(f"your key '{guess}' and Bearer {guess}x!")
    assert guess not in masked
    assert masked.startswith("your key '[key]'")


def test_ordinary_words_stay() -> None:
    for text in ("the task-based sk- risk", "key=5", "a bearer of news", "ask-me-anything-about-this"):
        assert redact(text) == text


def test_encoded_forms_of_the_key_are_masked() -> None:
    key = "sec/ret+key9"
    assert redact("c2VjL3JldCtrZXk5 and sec%2Fret%2Bkey9", [key]) == "[key] and [key]"


# ---------------------------------------------------------------- counts and arguments


@pytest.mark.parametrize(
    ("raw", "usage"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, Usage(3, 4)),
        ({"input_tokens": 3, "output_tokens": 4}, Usage(3, 4)),
        ({"prompt_tokens": 3.0, "completion_tokens": 4}, Usage(3, 4)),
        ({"prompt_tokens": 3, "completion_tokens": -4}, Usage(3, 0, exact=False)),
        ({"prompt_tokens": 3, "completion_tokens": 4, "prompt_cache_hit_tokens": 2}, Usage(3, 4, cached=2)),
        ({"prompt_tokens": True}, None),
        ({"prompt_tokens": "3"}, None),
        ({}, None),
        ([1], None),
        (None, None),
    ],
)
def test_counts_are_numbers_or_unknown(raw: object, usage: Usage | None) -> None:
    assert read_usage(raw) == usage


@looped(
    ("text", "args"),
    [
        ("", {}),
        ("  ", {}),
        ('{"a": 1}', {"a": 1}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('{"a": 1}\n</tool_call><|im_end|>', {"a": 1}),
        ('{"a": 1}, "b": 2}', None),
        ("{}{}", None),
        ("null", None),
        ('{"a": Infinity}', None),
        ('{"a": [1e999]}', None),
        ('{"a": {"b": 1, "b": 2}}', None),
        ("[" * 100_000, None),
        ('{"a": ' + "9" * 5000 + "}", None),
    ],
)
def test_arguments_are_one_strict_object(text: str, args: dict[str, Any] | None) -> None:
    read, error = read_arguments(text)
    assert read == args
    assert (error is None) == (args is not None)
    assert len(error or "") < 700


def test_the_sentence_about_arguments_names_the_place() -> None:
    assert "position 5" in (read_arguments('{"a":')[1] or "")


@given(st.text(st.characters(codec=None)))
def test_scrubbed_text_can_be_stored(text: str) -> None:
    clean = scrub(text)
    clean.encode()
    assert "\0" not in clean
    assert len(clean) <= len(text)


# ---------------------------------------------------------------- hostile streams

PIECES = st.sampled_from(
    [
        b"data: ",
        b"data:",
        b"\n\n",
        b"\n",
        b"\r",
        b": ping",
        b"event: error\n",
        b"error: ",
        b"[DONE]",
        b"{",
        b"}",
        b"null",
        b"<html>",
        b"\xef\xbb\xbf",
        b"\xff",
        b'{"choices":[{"delta":{"content":"a"}}]}',
        b'{"choices":[{"delta":{"content":["x",{"text":"b"},{"thinking":[7]}]}}]}',
        b'{"choices":[{"delta":{"reasoning":"r","reasoning_details":[1,{"text":2}]},"finish_reason":"stop"}]}',
        b'{"choices":[{"delta":{"tool_calls":[{"index":{},"id":7,"function":{"name":[],"arguments":{"a":1}}}]}}]}',
        b'{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{"}},3,null]}}]}',
        b'{"choices":[{"delta":{"content":"<think>"}}]}',
        b'{"choices":[{"delta":{"content":"</think>\\n"}}]}',
        b'{"choices":{"a":1},"usage":[],"error":{}}',
        b'{"error":[{"message":{"a":[]}}]}',
        b'{"object":"error"}',
    ]
)


@given(st.lists(PIECES | st.binary(max_size=6), max_size=24).map(b"".join), st.integers(1, 40))
@settings(max_examples=50, deadline=None)
def test_no_stream_raises_anything_but_a_model_error(data: bytes, size: int) -> None:
    outcome = replay(data, size)
    assert (outcome.finished is None) != (outcome.error is None)
    assert outcome.shown == outcome.partial
