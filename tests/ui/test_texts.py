"""Every code a run can send has its words."""

from __future__ import annotations

from typing import get_args

import pytest

from app.agent.tools.gate import NOBODY
from app.core import errors
from app.core.run.event_values import ErrorReason, PhaseName, StopReason
from app.core.run.mode import MODE_IDS
from app.core.run.outcome import MessageState
from app.ui import texts
from app.ui.texts.permissions import refusal_text
from tests.every import looped


def error_classes(root: type[errors.TriptychError] = errors.TriptychError) -> list[type[errors.TriptychError]]:
    return [root, *(found for child in root.__subclasses__() for found in error_classes(child))]


@looped("code", sorted({kind.code for kind in error_classes()}))
def test_every_error_of_the_tree_has_a_sentence_and_a_way_on(code: str) -> None:
    text = texts.error_text(code, "the message", {"kind": "agent", "name": "x", "near": ["y"], "copy": "/a/b"})
    assert code in texts.known_error_codes()
    assert text.what.endswith((".", "message"))
    assert text.do
    assert "{" not in text.what + text.do


def test_a_sentence_without_its_values_shows_no_braces() -> None:
    assert texts.error_text("UNKNOWN_NAME", "", {}).do == "Choose another one."
    assert "{" not in texts.error_text("DATA_DAMAGED").do
    assert texts.notice_text("settings_reset") == "Settings could not be read and were reset."


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"reason": "settings_damaged", "file": "a.toml", "aside": "/x/a.old"}, "kept as /x/a.old"),
        ({"reason": "settings_damaged", "file": "a.toml", "aside": "/x/a.old", "used_copy": True}, "last good copy"),
        ({"reason": "settings_damaged", "file": "a.toml", "aside": ""}, "left as it is"),
        ({"reason": "settings_newer", "file": "a.toml"}, "newer version"),
        ({"reason": "settings_refused", "file": "a.toml"}, "left as it is"),
        ({"reason": "settings_unreadable", "file": "a.toml"}, "left as it is"),
        ({"fields": ["zoom", "theme"]}, "zoom, theme"),
        ({"agent": "travel", "fields": ["max_steps"]}, "travel: settings"),
        ({"reason": "mcp_server", "file": "a.toml"}, "MCP server in a.toml"),
        ({"reason": "provider", "file": "a.toml", "provider": "<b>x"}, "The provider <b>x"),
    ],
)
def test_settings_that_could_not_be_read_are_told_with_their_file_and_what_became_of_it(
    values: dict[str, object], told: str
) -> None:
    text = texts.notice_text("settings_reset", "in English", values)
    assert told in text
    assert text.endswith(".")
    assert "a.toml" in text or "fields" in values


def test_large_numbers_can_be_read() -> None:
    assert "162,058 characters" in texts.notice_text("context_raised", "", {"limit": 162_058})


def test_an_unknown_error_or_notice_shows_what_came_with_it() -> None:
    assert texts.error_text("FUTURE", "from a newer version").what == "from a newer version"
    assert texts.notice_text("future", "told in English") == "told in English"


def test_a_server_that_is_not_there_has_a_sentence_for_every_reason() -> None:
    for why in ("gone", "off", "review", "tools", "failed", "offline", "safe_mode"):
        text = texts.notice_text("mcp_unavailable", "", {"server": "maps", "why": why})
        assert text.startswith("The MCP server maps cannot be used now: ")
        assert text.endswith(".")
    assert texts.notice_text("mcp_unavailable", "", {"server": "maps", "why": "new"}).endswith(": new")


@looped("reason", get_args(StopReason))
def test_every_stop_reason_has_words(reason: str) -> None:
    assert texts.stop_title(reason) != reason


@pytest.mark.parametrize("phase", get_args(PhaseName))
def test_every_phase_has_words(phase: str) -> None:
    assert texts.phase_title(phase) != phase


@pytest.mark.parametrize("mode", MODE_IDS)
def test_every_mode_has_a_title_and_a_tip(mode: str) -> None:
    assert texts.mode_title(mode) != mode
    assert mode == "auto" or "tokens" in texts.mode_tip(mode)


def test_error_reasons_that_are_no_model_errors_are_known_too() -> None:
    assert {"cancelled", "budget"} <= set(get_args(ErrorReason))
    assert {"CANCELLED", "BUDGET"} <= texts.known_error_codes()
    assert "stopped" in get_args(MessageState)


def test_auto_names_the_mode_and_the_words_it_found() -> None:
    assert texts.mode_choice("plan", "planning_words", ("规划", "3日")) == "Plan – matched: 规划, 3日"


def test_stopping_says_what_was_kept() -> None:
    assert texts.stopped_by_you(2, 3) == "Stopped by you in round 2; 3 results kept"
    assert texts.stopped_by_you(0, 1) == "Stopped by you; 1 result kept"
    assert texts.stopped_by_you(0, 0) == "Stopped by you"


@pytest.mark.parametrize(("seconds", "told"), [(3.21, "3.2 s"), (48.4, "48 s"), (125, "2:05 min")])
def test_durations_read_well(seconds: float, told: str) -> None:
    assert texts.seconds_text(seconds) == told


def test_a_budget_names_whose_it_is_and_counts_in_whole_figures() -> None:
    assert texts.budget_text("tokens", 1_234_567, 2_000_000) == "Budget: 1,234,567 of 2,000,000 tokens used."
    assert texts.budget_text("money", 0.41, 0.5, "session") == "Budget of this session: 0.41 of 0.5 money used."
    assert texts.budget_text("tool_calls", 8, 10, "day") == "Today's budget: 8 of 10 tool calls used."
    assert len({texts.budget_state(scope) for scope in ("run", "session", "day")}) == 3
    assert texts.budget_state("of a later version") == texts.budget_state("run")


def test_a_refusal_by_nobody_is_told_in_our_words_and_a_persons_reason_in_theirs() -> None:
    assert refusal_text(NOBODY) == "Nobody answered in time."
    assert refusal_text("not this file") == "not this file"
