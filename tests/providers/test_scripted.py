"""A scripted model behaves like a provider: it streams, calls, fails and ends as its file says."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import (
    BadInput,
    IncompleteStream,
    KeyRefused,
    ModelError,
    ModelTimeout,
    RateLimited,
    ScriptEnded,
    ServerFailed,
)
from app.core.run.chat_model import (
    CallDelta,
    Finished,
    ModelChunk,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    Usage,
    UserTurn,
)
from app.providers.scripted import ScriptedModel, load_script, read_script
from tests.every import looped

SCRIPTS = Path(__file__).parent.parent / "data" / "scripts"
REQUEST = ModelRequest(turns=(UserTurn("hello"),))


def model(*turns: dict[str, Any], repeat_last: bool = False) -> ScriptedModel:
    return ScriptedModel(read_script({"turns": list(turns), "repeat_last": repeat_last}))


async def play(source: ScriptedModel) -> list[ModelChunk]:
    return [chunk async for chunk in source.stream(REQUEST)]


async def listen(source: ScriptedModel, seen: list[ModelChunk]) -> None:
    async for chunk in source.stream(REQUEST):
        seen += [chunk]


async def finished(source: ScriptedModel) -> Finished:
    *before, last = await play(source)
    assert isinstance(last, Finished)
    assert not any(isinstance(chunk, Finished) for chunk in before)
    return last


async def test_a_script_file_plays_its_turns_in_order() -> None:
    source = load_script(SCRIPTS / "two_steps.json")
    first, second = await finished(source), await finished(source)
    assert first.finish == "tool_calls"
    assert [(c.name, c.args) for c in first.turn.calls] == [("search_cities", {"interests": ["美食"]})]
    assert first.turn.reasoning.startswith("The person asks")
    assert (second.finish, second.turn.text) == ("stop", "Chengdu and Xi'an.")
    assert second.turn.reasoning == "one more thought"
    assert second.usage == Usage(input=12, output=5)
    assert source.ref.endswith("scripts/two_steps.json")
    assert len(source.requests) == 2


async def test_content_arrives_in_small_pieces_that_join_to_the_message() -> None:
    text = "A first line\nand a second, longer one 还有中文。"
    chunks = await play(model({"content": text, "reasoning": "short"}))
    spoken = [chunk.text for chunk in chunks if isinstance(chunk, TextDelta)]
    assert len(spoken) > 3
    assert "".join(spoken) == text
    assert isinstance(chunks[0], ReasoningDelta)


async def test_chunks_stream_exactly_as_written() -> None:
    chunks = await play(model({"chunks": ["a", {"reasoning": "b"}, {"text": "c"}]}))
    assert chunks[:-1] == [TextDelta("a"), ReasoningDelta("b"), TextDelta("c")]


async def test_call_ids_are_unique_and_calls_are_shown_while_streaming() -> None:
    turn = {"tool_calls": [{"name": "a", "arguments": {}}, {"name": "b"}]}
    source = model(turn, repeat_last=True)
    chunks = await play(source)
    assert [chunk.name for chunk in chunks if isinstance(chunk, CallDelta)] == ["a", "b"]
    ids = [call.id for _ in range(3) for call in (await finished(source)).turn.calls]
    assert len(set(ids)) == 6


@pytest.mark.parametrize("raw", ['{"city": ', "[1, 2]", '"text"', "[" * 5_000])
async def test_broken_arguments_are_a_call_with_an_error(raw: str) -> None:
    done = await finished(model({"tool_calls": [{"name": "a", "arguments": raw}]}))
    (call,) = done.turn.calls
    assert call.args is None
    assert call.error
    assert call.args_text == raw


async def test_raw_text_that_is_an_object_is_read() -> None:
    done = await finished(model({"tool_calls": [{"name": "a", "arguments": ' {"x": 1}'}]}))
    assert done.turn.calls[0].args == {"x": 1}


@pytest.mark.parametrize(
    ("word", "error"), [("timeout", ModelTimeout), ("429", RateLimited), ("500", ServerFailed), ("401", KeyRefused)]
)
async def test_raise_fails_before_the_first_piece(word: str, error: type[ModelError]) -> None:
    source = model({"content": "never seen", "raise": word}, {"content": "second"})
    seen: list[ModelChunk] = []
    with pytest.raises(error):
        await listen(source, seen)
    assert seen == []
    assert (await finished(source)).turn.text == "second"


@pytest.mark.parametrize("count", [0, 2, 99])
async def test_a_disconnect_keeps_what_was_said(count: int) -> None:
    source = model({"chunks": ["one ", "two ", "three"], "raise": f"disconnect_after:{count}"})
    seen: list[ModelChunk] = []
    with pytest.raises(IncompleteStream) as caught:
        await listen(source, seen)
    spoken = ["one ", "two ", "three"][:count]
    assert [chunk.text for chunk in seen if isinstance(chunk, TextDelta)] == spoken
    assert caught.value.partial == "".join(spoken)


async def test_a_hanging_stream_stays_open_behind_its_last_piece() -> None:
    seen: list[ModelChunk] = []
    listening = asyncio.create_task(listen(model({"chunks": ["one ", "two"], "raise": "hang_after:1"}), seen))
    done, _waiting = await asyncio.wait([listening], timeout=0.1)
    assert (done, [chunk.text for chunk in seen if isinstance(chunk, TextDelta)]) == (set(), ["one "])
    listening.cancel()


async def test_a_script_that_runs_out_says_so() -> None:
    source = model({"content": "only"})
    await finished(source)
    with pytest.raises(ScriptEnded) as caught:
        await play(source)
    assert caught.value.code == "SCRIPT_END"


async def test_repeat_last_never_runs_out_and_an_empty_script_always_does() -> None:
    source = model({"content": "first"}, {"content": "last"}, repeat_last=True)
    assert [(await finished(source)).turn.text for _ in range(4)] == ["first", "last", "last", "last"]
    with pytest.raises(ScriptEnded):
        await play(model(repeat_last=True))


async def test_finish_can_be_played_as_cut() -> None:
    assert (await finished(model({"content": "half", "finish": "length"}))).finish == "length"


async def test_a_stream_can_be_left_early() -> None:
    source = model({"content": "x" * 500, "delay": 0.001})
    stream = source.stream(REQUEST)
    assert isinstance(await anext(stream), TextDelta)
    await stream.aclose()


@looped(
    ("script", "place"),
    [
        ([], "top"),
        ({}, "turns"),
        ({"turns": {}}, "turns"),
        ({"turns": [], "again": True}, "again"),
        ({"turns": [], "repeat_last": 1}, "repeat_last"),
        ({"turns": ["hi"]}, "turns.0"),
        ({"turns": [{}, {"contents": "x"}]}, "turns.1.contents"),
        ({"turns": [{"content": 5}]}, "turns.0.content"),
        ({"turns": [{"tool_calls": [{"arguments": {}}]}]}, "turns.0.tool_calls.0.name"),
        ({"turns": [{"tool_calls": [{"name": "a", "arguments": [1]}]}]}, "turns.0.tool_calls.0.arguments"),
        ({"turns": [{"chunks": [1]}]}, "turns.0.chunks.0"),
        ({"turns": [{"raise": "maybe"}]}, "turns.0.raise"),
        ({"turns": [{"raise": "disconnect_after:-1"}]}, "turns.0.raise"),
        ({"turns": [{"raise": "hang_after:x"}]}, "turns.0.raise"),
        ({"turns": [{"finish": "done"}]}, "turns.0.finish"),
        ({"turns": [{"usage": {"input": 1.5}}]}, "turns.0.usage.input"),
        ({"turns": [{"delay": True}]}, "turns.0.delay"),
        ({"turns": [{"delay": 1e9}]}, "turns.0.delay"),
    ],
)
def test_a_bad_script_is_refused_with_the_place(script: Any, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_script(script, name="demo.json")
    assert caught.value.message.startswith(f"demo.json: {place}: ")


def test_a_file_that_is_missing_or_no_json_is_refused_by_name(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"turns": [', encoding="utf-8")
    for path in (tmp_path / "absent.json", broken, tmp_path):
        with pytest.raises(BadInput, match=path.name):
            load_script(path)


async def test_paths_are_relative_to_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf" + json.dumps({"turns": [{"content": "ok"}]}).encode())
    monkeypatch.chdir(tmp_path)
    source = load_script("a.json")
    assert source.ref == "script/a.json"
    assert (await finished(source)).turn.text == "ok"


def test_a_script_counts_no_negative_tokens_and_speaks_of_json() -> None:
    with pytest.raises(BadInput, match=r"usage\.input: 0 or more"):
        read_script({"turns": [{"content": "a", "usage": {"input": -1}}]})
    with pytest.raises(BadInput, match="an object expected, a list found"):
        read_script([{"content": "a"}])
