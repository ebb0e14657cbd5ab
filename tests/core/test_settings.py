"""Profiles and preferences: bounds, old names, lenient reading, and what a form is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.core.preferences import Preferences
from app.core.profile import OLD_NAMES, AgentProfile, in_language
from app.core.setting import clamped, describe, read_leniently
from tests.core.strategies import JSON
from tests.every import looped

# interfaces.md, "Profile fields": the name, a value below and above, what they become, the default
BOUNDS = [
    ("max_steps", 0, 99, 1, 50, 8),
    ("max_reflection_iterations", -3, 11, 0, 10, 3),
    ("tool_result_max_length", 1, 10**9, 500, 200_000, 4_000),
    ("tool_results_total_length", 1, 10**9, 500, 1_000_000, 12_000),
    ("context_limit", 1, 10**9, 4_000, 4_000_000, 40_000),
    ("tool_timeout", 0.1, 10**6, 1.0, 600.0, 60.0),
    ("run_timeout", 1, 10**9, 10.0, 86_400.0, 1_800.0),
    ("max_retries", -1, 50, 0, 5, 3),
]


@pytest.mark.parametrize(("name", "below", "above", "low", "high", "default"), BOUNDS)
def test_limits_are_clamped_and_have_their_default(
    name: str, below: float, above: float, low: float, high: float, default: float
) -> None:
    assert getattr(AgentProfile(id="a"), name) == default
    assert getattr(AgentProfile.model_validate({"id": "a", name: below}), name) == low
    assert getattr(AgentProfile.model_validate({"id": "a", name: above}), name) == high


@looped(
    ("name", "default"),
    [
        ("enable_reflection", True),
        ("reflection_style", "guided"),
        ("long_results", "cut"),
        ("default_mode", "auto"),
        ("dialect", "auto"),
        ("parallel_tool_calls", True),
        ("plan_review", "writes"),
        ("memory", False),
        ("memory_limit", 15),
        ("knowledge_limit", 5),
        ("temperature", None),
        ("budget", None),
        ("then", None),
    ],
)
def test_the_other_defaults(name: str, default: Any) -> None:
    assert getattr(AgentProfile(id="a"), name) == default


@pytest.mark.parametrize("id", ["", "A", "a b", "../x", "-a", "a" * 65, "名"])
def test_an_id_is_a_file_name_everywhere(id: str) -> None:
    with pytest.raises(ValidationError):
        AgentProfile(id=id)


@pytest.mark.parametrize(
    ("field", "value"), [("temperature", 3), ("temperature", -1), ("system_prompt", "x" * 100_001), ("dialect", "x")]
)
def test_what_cannot_be_clamped_is_refused(field: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        AgentProfile.model_validate({"id": "a", field: value})


@pytest.mark.parametrize("old", OLD_NAMES)
def test_old_names_are_read_on(old: str) -> None:
    profile = AgentProfile.model_validate({"id": "a", old: 777})
    assert getattr(profile, OLD_NAMES[old]) == 777


def test_an_old_name_out_of_bounds_is_clamped_too() -> None:
    assert AgentProfile.model_validate({"id": "a", "max_tool_result_length": 1}).tool_result_max_length == 500


def test_a_profile_is_frozen() -> None:
    with pytest.raises(ValidationError):
        AgentProfile(id="a").max_steps = 3


def test_a_name_in_one_language_holds_for_all() -> None:
    assert AgentProfile.model_validate({"id": "a", "name": "Ada"}).name == {"zh": "Ada", "en": "Ada"}
    assert AgentProfile(id="a").title == "a"


def test_texts_are_chosen_by_language(monkeypatch: pytest.MonkeyPatch) -> None:
    from app.core.text.i18n import set_language

    try:
        set_language("zh_CN")
        assert in_language({"zh": "旅行", "en": "Travel"}) == "旅行"
        assert in_language({"en": "Travel"}) == "Travel"
        set_language("en")
        assert in_language({"zh": "旅行"}) == "旅行"
        assert in_language({}) == ""
    finally:
        set_language("en")


# ---------------------------------------------------------------- lenient reading


def test_a_wrong_field_falls_back_alone() -> None:
    preferences, wrong = read_leniently(Preferences, {"theme": "purple", "zoom": 120, "language": 5, "unknown": 1})
    assert (preferences.theme, preferences.zoom, preferences.language) == ("system", 120, "")
    assert sorted(wrong) == ["language", "theme"]


@pytest.mark.parametrize("values", [None, [], "text", 7])
def test_what_is_no_table_gives_the_defaults(values: Any) -> None:
    assert read_leniently(Preferences, values) == (Preferences(), [""])


@given(st.dictionaries(st.sampled_from([*Preferences.model_fields, "other"]), JSON))
def test_no_settings_file_stops_the_program(values: dict[str, Any]) -> None:
    preferences, wrong = read_leniently(Preferences, values)
    assert isinstance(preferences, Preferences)
    assert set(wrong) <= values.keys()


@given(st.dictionaries(st.sampled_from(sorted(AgentProfile.model_fields)), JSON))
def test_no_profile_file_stops_the_program(values: dict[str, Any]) -> None:
    profile, wrong = read_leniently(AgentProfile, {**values, "id": "a"})
    assert profile.id == "a"
    assert "id" not in wrong


@given(
    st.dictionaries(st.sampled_from(["max_steps", "tool_timeout", "zoom"]), st.integers() | st.floats(allow_nan=False))
)
def test_clamping_twice_is_clamping_once(values: dict[str, Any]) -> None:
    assert clamped(AgentProfile, clamped(AgentProfile, values)) == clamped(AgentProfile, values)


# ---------------------------------------------------------------- what a form is told


def test_a_form_is_told_everything_about_a_field() -> None:
    fields = {info.name: info for info in describe(AgentProfile)}
    steps = fields["max_steps"]
    assert (steps.kind, steps.low, steps.high, steps.default, steps.clamp) == ("int", 1, 50, 8, True)
    assert (steps.title, steps.group) == ("Steps", "Reflection")
    assert (fields["temperature"].kind, fields["temperature"].optional) == ("float", True)
    assert fields["plan_review"].choices == ("always", "writes", "never")
    assert (fields["system_prompt"].max_length, fields["system_prompt"].widget) == (100_000, "long_text")
    assert fields["max_reflection_iterations"].widget == "slider"
    assert "id" not in fields, "what has no title is not shown"


@pytest.mark.parametrize("model", [AgentProfile, Preferences])
def test_every_shown_setting_has_a_title_and_a_group(model: Any) -> None:
    for info in describe(model):
        assert info.title
        assert info.group, info.name
        assert info.kind != "choice" or info.choices
