"""Each quirk of providers as a small stream of our own: what a correct client reads in it, however it is cut."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from app.core import errors
from app.core.run.chat_model import Usage
from app.providers.chat.assembler import Assembler
from tests.every import looped
from tests.rigs.replay import Outcome, is_event_stream, own_streams, replay, with_crlf, with_noise

STREAMS = Path(__file__).resolve().parents[1] / "data" / "streams"
CASES = list(own_streams(STREAMS))
each_stream = looped(("data", "expected"), [(d, e) for _, d, e in CASES], ids=[n for n, _, _ in CASES])


def _options(expected: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = expected.get("options", {})
    return options


@each_stream
def test_reads_what_is_expected(data: bytes, expected: dict[str, Any]) -> None:
    outcome = replay(data, options=_options(expected))
    if "error" in expected:
        _check_error(outcome, expected)
    else:
        _check_message(outcome, expected)


def _check_error(outcome: Outcome, expected: dict[str, Any]) -> None:
    error = outcome.error
    assert type(error).__name__ in expected.get("may_be", [expected["error"]]), f"{error!r}"
    assert error is not None
    assert outcome.partial == expected["partial"]
    assert outcome.shown == expected["partial"]
    assert expected.get("message_has", "") in str(error)
    if "message_lacks" in expected:
        assert expected["message_lacks"] not in str(error)
    if isinstance(error, errors.ToolUseFailed):
        assert error.text == expected["failed_text"]
    if isinstance(error, errors.RateLimited):
        assert error.retry_after == expected.get("retry_after")


def _check_message(outcome: Outcome, expected: dict[str, Any]) -> None:
    assert outcome.finished is not None, f"{outcome.error!r}"
    turn, finished = outcome.finished.turn, outcome.finished
    assert (turn.text, turn.reasoning) == (expected["text"], expected["reasoning"])
    assert (outcome.shown, outcome.thought) == (turn.text, turn.reasoning)
    assert [{"name": c.name, "args": c.args, "wire_id": c.wire_id} for c in turn.calls] == expected["calls"]
    assert all((c.args is None) == (c.error is not None) for c in turn.calls)
    assert len({c.id for c in turn.calls}) == len(turn.calls)
    assert finished.finish == expected["finish"]
    given = expected["usage"]
    assert finished.usage == (Usage(*given) if given else None)
    assert finished.refusal == expected.get("refusal", False)
    for name, value in expected.get("echo", {}).items():
        assert (turn.echo or {})[name] == value
    if "echo_has" in expected:
        assert expected["echo_has"] in (turn.echo or {})
    if "extra" in expected:
        assert [c.extra for c in turn.calls] == expected["extra"]


@each_stream
def test_is_the_same_however_the_bytes_are_cut(data: bytes, expected: dict[str, Any]) -> None:
    whole = replay(data, options=_options(expected)).summary
    for size in (1, 2, 3, 7, 64):
        assert replay(data, size, options=_options(expected)).summary == whole


PLAIN = [(n, d, e) for n, d, e in CASES if is_event_stream(d) and b"\r" not in d]


@looped(("data", "expected"), [(d, e) for _, d, e in PLAIN], ids=[n for n, _, _ in PLAIN])
def test_is_the_same_with_crlf_and_noise(data: bytes, expected: dict[str, Any]) -> None:
    whole = replay(data, options=_options(expected)).summary
    for other in (with_crlf(data), with_noise(data), with_crlf(with_noise(data, 1))):
        for size in (1, 7, 4096):
            assert replay(other, size, options=_options(expected)).summary == whole


@each_stream
def test_a_cut_is_never_a_success_with_less_in_it(data: bytes, expected: dict[str, Any]) -> None:
    """Cut at any byte: an error that keeps the partial text, or the whole message."""
    places = range(len(data))
    assert_cuts(data, expected, {*random.Random(7).sample(places, min(40, len(places))), *places[-20:]})


@pytest.mark.soak
@each_stream
def test_no_cut_at_any_byte_is_a_success_with_less_in_it(data: bytes, expected: dict[str, Any]) -> None:
    assert_cuts(data, expected, range(len(data)))


def assert_cuts(data: bytes, expected: dict[str, Any], places: Iterable[int]) -> None:
    whole = replay(data, options=_options(expected))
    for at in places:
        cut = replay(data[:at], options=_options(expected))
        if cut.finished is None:
            assert cut.partial == cut.shown
        elif whole.finished is not None:
            assert cut.finished.turn.text == whole.finished.turn.text
            assert len(cut.finished.turn.calls) == len(whole.finished.turn.calls)


def test_every_quirk_of_the_list_has_a_stream() -> None:
    have = {name.split("_")[0] for name, _, _ in CASES}
    wanted = {f"R{n:02}" for n in (1, *range(3, 15))} | {f"T{n:02}" for n in (*range(1, 15), 16, 17)}
    # The missing ones are about requests: R02, T15, T18, S16 and S17 are in test_wire and test_request.
    wanted |= {f"S{n:02}" for n in (*range(1, 16), *range(18, 26))}
    assert sorted(wanted - have) == []


def test_a_text_that_goes_on_keeps_the_white_space_it_begins_with() -> None:
    assembler = Assembler(goes_on=True)
    assembler.add({"choices": [{"delta": {"content": " and so on"}, "finish_reason": "stop"}]})
    assembler.close()
    assert assembler.finish().turn.text == " and so on"
