"""Small tables everything leans on: errors, outcomes, ids, modes, texts."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import (
    BadInput,
    DataDamaged,
    ModelError,
    NotConfigured,
    RateLimited,
    Refused,
    ToolError,
    TriptychError,
    UnknownName,
    near_names,
)
from app.core.ids import new_id
from app.core.run.event_values import ErrorInfo, ErrorReason, StopReason
from app.core.run.events import LoopEnd, LoopError
from app.core.run.mode import MODE_IDS, MODE_TITLES
from app.core.run.outcome import UNFINISHED, MessageState, outcome_of
from app.core.text import i18n
from tests.every import looped

# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("travl", ["travel"]),
        ("TRAVEL", ["travel"]),
        ("asistant", ["assistant"]),
        ("zzz", []),
        ("", []),
    ],
)
def test_names_that_come_near(name: str, near: list[str]) -> None:
    assert near_names(name, ["assistant", "travel", "novel-writing"]) == near


def test_at_most_three_near_names() -> None:
    assert len(near_names("tool", [f"tool{n}" for n in range(9)])) == 3


def test_an_unknown_name_says_what_was_meant() -> None:
    error = UnknownName("agent", "travl", ["travel"])
    assert (error.message, error.hint, error.near) == ("unknown agent: travl", "did you mean travel?", ["travel"])
    assert UnknownName("agent", "zzz", ["travel"]).hint == ""


def test_exit_codes_of_errors() -> None:
    codes = [cls.exit_code for cls in (BadInput, UnknownName, NotConfigured, Refused, DataDamaged)]
    assert codes == [2, 2, 3, 5, 6]


def _tree(cls: type[TriptychError]) -> list[type[TriptychError]]:
    return [cls, *(found for sub in cls.__subclasses__() for found in _tree(sub))]


def test_every_error_has_a_code_and_the_models_ones_are_all_different() -> None:
    assert all(cls.code.isupper() for cls in _tree(TriptychError))
    model = [cls.code for cls in _tree(ModelError) if cls.__module__ == "app.core.errors"]
    assert len(model) == len(set(model))


def test_errors_carry_their_values() -> None:
    assert RateLimited(retry_after=2.5).params["retry_after"] == 2.5
    assert ToolError("X", "no", retryable=True).tool_code == "X"


# ---------------------------------------------------------------- outcomes


@looped("reason", get_args(StopReason))
def test_every_stop_reason_has_an_outcome(reason: StopReason) -> None:
    outcome = outcome_of(LoopEnd("answer", reason))
    assert outcome.state in get_args(MessageState)
    assert outcome.state not in UNFINISHED
    assert outcome.exit_code == {"budget": 4, "filtered": 1, "damaged": 1}.get(reason, 0)


@pytest.mark.parametrize("reason", get_args(ErrorReason))
@pytest.mark.parametrize("partial", ["", "text"])
def test_every_error_reason_has_an_outcome(reason: ErrorReason, partial: str) -> None:
    outcome = outcome_of(LoopError(reason, ErrorInfo("X", "x"), partial))
    if reason in ("cancelled", "budget"):
        assert (outcome.state, outcome.exit_code) == ("stopped", 4)
    else:
        assert (outcome.state, outcome.exit_code) == ("interrupted" if partial else "failed", 1)


def test_a_refusal_is_exit_code_five() -> None:
    assert outcome_of(LoopError("internal", ErrorInfo("DENIED", "no"))).exit_code == 5


# ---------------------------------------------------------------- ids and modes


def test_ids_are_unique_and_sort_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [new_id() for _ in range(2_000)]
    assert len(set(many)) == len(many)
    assert {len(id) for id in many} == {26}
    assert not set("".join(many)) - set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    monkeypatch.setattr("app.core.ids.time.time", lambda: 1_000.0)
    early = new_id()
    monkeypatch.setattr("app.core.ids.time.time", lambda: 1_000.001)
    assert early < new_id()


def test_every_mode_has_a_title_and_the_agent_knows_it() -> None:
    from app.agent.modes import MODES

    assert set(MODE_IDS) == set(MODE_TITLES)
    assert set(MODE_IDS) <= {mode.id for mode in MODES}


# ---------------------------------------------------------------- texts


PO = r"""
# a comment
msgid ""
msgstr "Language: zh_CN\n"

#: app/x.py:1
msgid "Send"
msgstr "发送"

#, fuzzy
msgid "Old"
msgstr "旧"

msgid "Not yet"
msgstr ""

msgid ""
"Two "
"pieces\n"
msgstr ""
"两"
"段\n"

msgid "%d step"
msgid_plural "%d steps"
msgstr[0] "%d 步"
msgid "No blank line before"
msgstr "前面没有空行"
"""


@pytest.fixture
def po(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "x.po"
    path.write_text(PO, encoding="utf-8")
    return i18n.read_po(path)


def test_a_catalogue_is_read_as_translators_write_it(po: dict[str, str]) -> None:
    assert po == {
        "Send": "发送",
        "Two pieces\n": "两段\n",
        "%d step": "%d 步",
        "No blank line before": "前面没有空行",
    }


def test_language_by_code_by_environment_and_by_system(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        assert i18n.set_language("zh-Hans-CN") == "zh_CN"
        assert i18n.set_language("fr") == "en"
        monkeypatch.setenv("TRIPTYCH_LANG", "zh_CN")
        assert i18n.set_language("") == "zh_CN"
        assert i18n._("Send") != ""
        monkeypatch.delenv("TRIPTYCH_LANG")
        for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("LANG", "zh_CN.UTF-8")
        assert i18n.set_language("") == "zh_CN"
    finally:
        i18n.set_language("en")


def test_a_missing_translation_shows_the_english_sentence() -> None:
    try:
        i18n.set_language("zh_CN")
        assert i18n._("a sentence nobody has translated") == "a sentence nobody has translated"
        assert i18n.ngettext("one thing", "many things", 2) == "many things"
    finally:
        i18n.set_language("en")
    assert i18n.ngettext("one thing", "many things", 1) == "one thing"
    assert i18n.N_("marked") == "marked"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_near_names_take_any_text(name: str) -> None:
    assert set(near_names(name, ["travel", "novel"])) <= {"travel", "novel"}
