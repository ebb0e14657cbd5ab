"""The window as a screen reader gets it: a real client of AT-SPI, in the system's Python, walks what is shown."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from building import screen_reader
from tests.rigs.spoken_window import WORDS

ROOT = Path(__file__).resolve().parents[2]
NO_ROLE = {"filler", "unknown", "invalid", "fault", "redundant object"}
"""What a thing that takes the keys must not be."""
WITH_VALUE = {"slider", "spin button", "progress bar", "level bar"}
WITH_STATE = {"check box", "radio button", "toggle button", "check menu item"}
HTML = ("<p", "</", "&amp;", "&lt;", "style=")
PER_TOKEN = WORDS // 4
"""Far more than a text that is shown thirty times a second for a second or two has, far fewer than its tokens."""


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    if reason := screen_reader.missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("heard")
    command = [sys.executable, "-m", "tests.rigs.spoken_window", str(folder)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TRIPTYCH_LANG": "en"}
    return {one["name"]: one for one in screen_reader.moments(command, env)}


@pytest.mark.soak
def test_everything_that_takes_the_keys_has_a_name_a_role_and_its_value(heard: dict[str, dict[str, Any]]) -> None:
    assert len(heard) >= 15
    poor = {f"{name}: {fault}" for name, moment in heard.items() for one in moment["objects"] for fault in faults(one)}
    assert sorted(poor) == []


def faults(one: dict[str, Any]) -> list[str]:
    role, name, states = one["role"], one["name"], one["states"]
    found = []
    if "focusable" in states:
        # A cell may be empty; what it holds is walked for itself.
        if not name and not one["labels"] and role != "table cell":
            found.append("no name")
        if role in NO_ROLE:
            found.append("no role")
    if role in WITH_VALUE and "value" not in one:
        found.append("no value")
    if role in WITH_STATE and "checkable" not in states:
        found.append("does not say whether it is on")
    if role == "combo box" and not one["labels"] and not one["description"]:
        found.append("says what is chosen, not what for")
    if any(mark in f"{name} {one['description']}" for mark in HTML):
        found.append("reads out HTML")
    place = " > ".join(part for part in one["path"][-3:] if part.strip())
    return [f"{fault}: {role} {name!r} in {place}" for fault in found]


@pytest.mark.soak
def test_what_is_shown_is_there_for_who_does_not_see_it(heard: dict[str, dict[str, Any]]) -> None:
    wanted = {
        "empty": [("text", "Message"), ("radio button", "Mode: Auto"), ("push button", "Send")],
        "answer": [("list", "Messages"), ("list item", "You: how do these compare?"),
                   ("list item", "Answer of Assistant"), ("push button", "Copy code")],
        "approval": [("panel", "Approval: Calculate"), ("push button", "Allow once"), ("push button", "Deny")],
        # The palette is a pop-up: Qt keeps those out of the tree, and tells of them by the focus.
        "find": [("text", "Find in this session")],
    }  # fmt: skip
    missing = []
    for name, things in wanted.items():
        there = {(one["role"], one["name"]) for one in heard[name]["objects"]}
        missing += [f"{name}: {thing}" for thing in things if thing not in there]
    assert missing == []
    (answer,) = (one for one in heard["answer"]["objects"] if one["name"] == "Answer of Assistant")
    assert answer["description"].startswith("Here is how the three ways compare")
    modes = [one for one in heard["empty"]["objects"] if one["role"] == "radio button"]
    assert sum("checked" in one["states"] for one in modes) == 1


@pytest.mark.soak
def test_an_answer_that_streams_is_announced_once_and_never_per_token(heard: dict[str, dict[str, Any]]) -> None:
    streamed = heard["streamed"]
    assert streamed["said"] == ["The answer is complete."]
    busiest = {kind: count for kind, count in streamed["events"].items() if count > PER_TOKEN}
    assert busiest == {}
    renamed = {kind for kind in streamed["events"] if "accessible-" in kind and "Answer of" in kind}
    assert all(streamed["events"][kind] < 10 for kind in renamed), renamed
