"""Streams damaged at random: never anything but a message or a `ModelError`, and never a call run from damage.

400 here with a fixed seed, 10,000 under `soak`.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.run.chat_model import Finished
from app.providers.chat.assembler import Assembler
from tests.rigs.mutants import mutants
from tests.rigs.replay import own_streams, replay

STREAMS = [data for _, data, _ in own_streams(Path(__file__).resolve().parents[1] / "data" / "streams")]


def _check(data: bytes) -> None:
    outcome = replay(data)
    assert (outcome.finished is None) != (outcome.error is None)
    assert outcome.shown == outcome.partial
    assert replay(data, 7).summary == outcome.summary
    if outcome.finished is not None:
        turn = outcome.finished.turn
        json.dumps([turn.text, turn.reasoning, turn.echo, [call.args for call in turn.calls]]).encode()
        turn.text.encode()
        for call in turn.calls:
            assert (call.args is None) == (call.error is not None)
            assert call.args is None or outcome.finished.finish not in ("length", "content_filter")
            assert call.args is None or call.name


def test_damaged_streams_are_messages_or_typed_errors() -> None:
    for data in mutants(STREAMS, 400, seed=7):
        _check(data)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_ten_thousand_damaged_streams_are_messages_or_typed_errors() -> None:
    for data in mutants(STREAMS, 10_000, seed=8):
        _check(data)


# ---------------------------------------------------------------- chunks of any shape

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["stop", "<think>", "{}", "error"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


def _maybe(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({}, optional={name: field | VALUES for name, field in fields.items()})


FUNCTION = _maybe(name=st.sampled_from(["f", "g", ""]), arguments=st.sampled_from(["{", "}", "", '{"a":1}']))
CALL = _maybe(index=st.integers(-1, 3), id=st.sampled_from(["a", "b", ""]), function=FUNCTION, extra_content=VALUES)
DELTA = _maybe(
    content=st.text(max_size=4),
    reasoning=st.text(max_size=4),
    reasoning_content=st.text(max_size=4),
    reasoning_details=st.lists(VALUES, max_size=2),
    refusal=VALUES,
    tool_calls=st.lists(CALL | VALUES, max_size=3),
    function_call=FUNCTION,
)
CHOICE = _maybe(index=st.integers(0, 1), delta=DELTA, message=DELTA, finish_reason=VALUES, usage=VALUES, error=VALUES)
CHUNK = _maybe(choices=st.lists(CHOICE | VALUES, max_size=2), usage=VALUES, error=VALUES, x_groq=VALUES, object=VALUES)


@given(st.lists(CHUNK | VALUES, max_size=8))
@settings(deadline=None)
def test_a_chunk_of_any_shape_is_read_or_passed_over(chunks: list[Any]) -> None:
    assembler = Assembler(ids=map(str, itertools.count()))
    for chunk in chunks:
        assembler.add(chunk)
        assembler.drain()
    assembler.close()
    finished = assembler.finish()
    assert isinstance(finished, Finished)
    finished.turn.text.encode()
    assert len({call.id for call in finished.turn.calls}) == len(finished.turn.calls)
