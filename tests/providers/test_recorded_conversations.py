"""Whole recorded conversations: what a provider said, put back into the history, is what its own client sent next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.run.chat_model import AssistantTurn, ModelTraits, ResultTurn, SystemTurn, Turn, UserTurn
from app.providers.request.messages import to_messages
from tests.conftest import STREAMS
from tests.rigs.replay import replay
from tests.rigs.wire_message import text_of, told

LEAST = 10
"""Steps that must be compared where the recordings are there; else this test has lost its material."""


def _folders() -> Iterator[Path]:
    for request in sorted((STREAMS / "recorded").rglob("t01.request.json")):
        if (request.parent / "t00.request.json").is_file():
            yield request.parent


def _messages(folder: Path, n: int) -> list[dict[str, Any]]:
    file = folder / f"t{n:02}.request.json"
    body = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return list(body.get("messages") or [])


def _numbered(said: AssistantTurn, step: int) -> AssistantTurn:
    """Ids of ours that are unique in the conversation: each replay counts from the start."""
    return replace(said, calls=tuple(replace(call, id=f"{step}-{call.id}") for call in said.calls))


def _turns(said: AssistantTurn, following: list[dict[str, Any]]) -> list[Turn]:
    """Our message, then what the recorded client added to it."""
    ids = {call.wire_id: call for call in said.calls}
    turns: list[Turn] = [said]
    for message in following:
        if message["role"] == "tool":
            call = ids[message["tool_call_id"]]
            turns.append(ResultTurn(call.id, call.name, text_of(message.get("content"))))
        else:
            turns.append(UserTurn(text_of(message.get("content"))))
    return turns


def _beginning(messages: list[dict[str, Any]]) -> list[Turn] | None:
    makers: dict[str, type[SystemTurn] | type[UserTurn]] = {
        "system": SystemTurn, "developer": SystemTurn, "user": UserTurn,
    }  # fmt: skip
    if any(message["role"] not in makers for message in messages):
        return None
    return [makers[message["role"]](text_of(message.get("content"))) for message in messages]


def _compared(folder: Path) -> int:
    """Steps of this conversation in which our next request says what the recorded one says."""
    before = _messages(folder, 0)
    turns = _beginning(before)
    steps = 0
    while turns is not None:
        after = _messages(folder, steps + 1)
        stream = folder / f"t{steps:02}.sse"
        added = after[len(before) :]
        if after[: len(before)] != before or not added or added[0]["role"] != "assistant" or not stream.is_file():
            break
        outcome = replay(stream.read_bytes())
        known = [call.get("id") for call in added[0].get("tool_calls") or ()]
        if outcome.finished is None or known != [call.wire_id for call in outcome.finished.turn.calls]:
            break  # recorded at another time
        turns += _turns(_numbered(outcome.finished.turn, steps), added[1:])
        ours = [told(message) for message in to_messages(turns, ModelTraits(vision=True), provider="p")]
        assert ours == [told(message) for message in after], f"{folder.name}, request {steps + 1}"
        before, steps = after, steps + 1
    return steps


def test_what_a_provider_said_goes_back_as_its_own_client_sends_it(streams_dir: Path) -> None:
    compared = {folder.name: _compared(folder) for folder in _folders()}
    assert sum(compared.values()) >= LEAST, compared
    assert streams_dir.is_dir()
