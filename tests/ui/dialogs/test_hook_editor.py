"""Hooks without code: each example of the source documents is built in the form and tried on the last real call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.agent.policy.hook_rules import hooks_of
from app.services.runs.last_calls import CallSample
from app.services.settings.hook_preview import rule_fault
from app.ui.dialogs.agents.hook_editor import HookEditor
from app.ui.dialogs.agents.hook_fields import BY_ID, KINDS, fresh, kind_of, read, sentence, shown
from app.ui.dialogs.agents.hook_row import HookRow
from app.ui.dialogs.agents.hook_trial import HookTrial
from app.ui.theme import Theme
from app.ui.widgets.fields.switch import Switch
from tests.ui.dialogs.work import Work

ROWS = [{"code": n, "matched_name": f"管 {n}", "unit_price": n * 1.5, "noise": "x" * 80} for n in range(12)]
LAST = CallSample("match_price", '{"level":"b档"}', "12 found\n" + json.dumps({"candidates": ROWS}), 1.7e9)


async def last_call(tool: str) -> CallSample | None:
    return LAST if tool.startswith("match") else None


@pytest.fixture
def editor(qtbot: QtBot, work: Work) -> HookEditor:
    made = HookEditor(["match_price", "export"], Theme(), spawn=work, last_call=last_call)
    qtbot.addWidget(made)
    made.show()
    return made


def add(editor: HookEditor, kind: str, tool: str, **texts: str) -> HookRow:
    row = editor.add(fresh(KINDS[0]))
    assert isinstance(row, HookRow)
    row.kind.setCurrentIndex(row.kind.findData(kind))
    row.kind.activated.emit(row.kind.currentIndex())
    row.tool.setCurrentText(tool)
    for key, text in texts.items():
        fill(row, key.replace("if_", "if.", 1), text)
    return row


def fill(row: HookRow, key: str, text: str) -> None:
    match row.controls[key]:
        case QLineEdit() as line:
            line.setText(text)
            line.textEdited.emit(text)  # as typing does; keys of a test have no Chinese
        case QPlainTextEdit() as area:
            area.setPlainText(text)
        case Switch() as switch:
            switch.setChecked(text == "on")
        case other:
            raise TypeError(other)


async def tried(row: HookRow, work: Work, qtbot: QtBot) -> HookTrial:
    assert row.trial is not None
    await work.settled()
    row.trial._pause.stop()
    row.trial._try()
    await work.settled()
    return row.trial


async def test_a_level_is_normalised_and_the_preview_shows_it(editor: HookEditor, work: Work, qtbot: QtBot) -> None:
    row = add(editor, "normalise", "match_*", arg="level", upper="on", strip="档级 ", values=" = B\nvip = A")
    (rule,) = editor.value()
    hooks, faults = hooks_of([rule])
    assert faults == []
    for written, meant in [("b档", "B"), ("C级", "C"), (" c ", "C"), ("Ｂ", "B"), ("", "B"), ("Z", "Z")]:
        assert hooks.change_args("match_price", {"level": written}) == {"level": meant}
    trial = await tried(row, work, qtbot)
    assert trial.field.toPlainText() == LAST.args
    assert json.loads(trial.result.text()) == {"level": "B"}
    assert "match_price" in trial._told.full_text()


async def test_a_wrong_level_is_blocked_and_the_model_told(editor: HookEditor, work: Work, qtbot: QtBot) -> None:
    row = add(editor, "block_none_of", "match_*", if_arg="level", if_none_of="A, B，C", why="use A, B or C")
    assert editor.value()[0]["if"] == {"arg": "level", "none_of": ["A", "B", "C"]}
    trial = await tried(row, work, qtbot)
    assert trial.result.text() == "use A, B or C"
    trial.field.setPlainText('{"level": "B"}')
    await tried(row, work, qtbot)
    assert trial.verdict.full_text() == "Changes nothing here"
    trial.use_last.click()
    await tried(row, work, qtbot)
    assert trial.result.text() == "use A, B or C"


async def test_a_tool_for_others_is_blocked(editor: HookEditor, work: Work, qtbot: QtBot) -> None:
    row = add(editor, "block", "export")
    hooks, _faults = hooks_of(editor.value())
    assert hooks.change_args("export", {}) is None
    assert hooks.change_args("match_price", {}) == {}
    trial = await tried(row, work, qtbot)
    assert "type one" in trial._told.full_text()  # the tool was never called
    trial.field.setPlainText("{}")
    await tried(row, work, qtbot)
    assert trial.verdict.full_text() == "Blocked"


async def test_a_long_json_becomes_three_columns(editor: HookEditor, work: Work, qtbot: QtBot) -> None:
    row = add(editor, "columns", "match_price", list="candidates", keys="code, matched_name, unit_price", most="3")
    trial = await tried(row, work, qtbot)
    assert trial.result.text().splitlines() == [
        "12 found", "candidates: 12 (code | matched_name | unit_price)",
        "0 | 管 0 | 0.0", "1 | 管 1 | 1.5", "2 | 管 2 | 3.0", "… 9 more",
    ]  # fmt: skip
    assert f"{len(LAST.text):,}" in trial.verdict.full_text()


@pytest.mark.parametrize(
    ("kind", "texts", "told"),
    [
        ("rename", {"arg": "a"}, "New name is missing."),
        ("block_matches", {"if_arg": "a", "if_matches": "*x"}, "A pattern begins with a character"),
        ("mask_matches", {"matches": "x\\"}, "A backslash"),
        ("mask_keys", {"keys": " , "}, "Keys of the JSON is missing."),
        ("cut", {"most": "many"}, "Most characters: a whole number"),
        ("columns", {"keys": ""}, "Columns is missing."),
    ],
)
async def test_a_rule_that_cannot_act_says_why(
    editor: HookEditor, work: Work, kind: str, texts: dict[str, str], told: str
) -> None:
    row = add(editor, kind, "*", **texts)
    assert row.error().startswith(told)
    assert editor.error() == row.error()
    assert row._error.text() == row.error()
    await work.settled()


async def test_a_rule_rests_moves_and_goes_by_keyboard(editor: HookEditor, work: Work) -> None:
    editor.set_value([{"when": "before", "tool": "a", "do": "block"}, {"when": "after", "do": "cut", "most": 5}])
    first, second = editor.rows
    assert isinstance(first, HookRow)
    QTest.keyClick(first.enabled, Qt.Key.Key_Space)
    assert editor.value()[0] == {"when": "before", "tool": "a", "do": "block", "enabled": False}
    QTest.keyClick(first.enabled, Qt.Key.Key_Space)
    assert "enabled" not in editor.value()[0]
    QTest.keyClick(first, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert editor.rows == [second, first]
    QTest.keyClick(first.edit, Qt.Key.Key_Space)
    assert first.trial is not None
    QTest.keyClick(first.kind, Qt.Key.Key_Escape)
    assert first.trial is None
    QTest.keyClick(first, Qt.Key.Key_Delete, Qt.KeyboardModifier.AltModifier)
    assert editor.rows == [second]
    await work.settled()


RULES: list[dict[str, Any]] = [
    {"when": "before", "tool": "m*", "do": "normalise", "arg": "l", "upper": True, "strip": "档 ", "values": {"": "B"}},
    {"when": "before", "do": "rename", "arg": "a", "to": "b"},
    {"when": "before", "do": "set", "arg": "a", "value": 5},
    {"when": "before", "do": "set", "arg": "a", "value": "5"},
    {"when": "before", "do": "block"},
    {"when": "before", "do": "block", "if": {"arg": "a", "equals": False}, "why": "no"},
    {"when": "before", "do": "block", "if": {"arg": "a", "missing": True}},
    {"when": "before", "do": "block", "if": {"arg": "a", "older": 3}},
    {"when": "after", "do": "columns", "list": "x", "keys": ["a", "b"], "most": 3},
    {"when": "after", "do": "mask", "text": "<b>\u202e"},
    {"when": "after", "do": "mask", "keys": ["a"]},
    {"when": "after", "do": "cut", "most": 10, "enabled": False},
    {"when": "someday", "do": "fly"},
]


async def test_every_rule_comes_back_as_it_was_and_has_a_sentence(editor: HookEditor, work: Work) -> None:
    editor.set_value(RULES)
    for row in editor.rows:
        assert isinstance(row, HookRow)
        if kind_of(row.value()) is not None:
            row.edit.setChecked(True)
    assert list(editor.value()) == RULES
    assert all(sentence(rule) for rule in RULES)
    unknown: Sequence[dict[str, Any]] = [rule for rule in RULES if kind_of(rule) is None]
    assert [rule.get("do") for rule in unknown] == ["block", "fly"]
    await work.settled()


@pytest.mark.parametrize("kind", list(BY_ID))
def test_a_kind_is_recognised_and_its_fields_read_back_what_they_show(kind: str) -> None:
    made = fresh(BY_ID[kind])
    assert kind_of(made) == BY_ID[kind]
    for field in BY_ID[kind].fields:
        if field.kind != "switch":
            assert read(field, shown(field, field.default)) == field.default
    fault = rule_fault(made)
    assert fault is None or fault.code in ("needs", "empty")


def test_hostile_samples_are_shown_literally(qtbot: QtBot, work: Work) -> None:
    trial = HookTrial(Theme(), "after", spawn=work, last_call=None)
    qtbot.addWidget(trial)
    trial._sample = CallSample("<b>t</b>", "{}", "<img src='//canary/x'>\u202e", 0)
    trial._use_last()
    assert trial.field.toPlainText() == "<img src='//canary/x'>⟦U+202E⟧"
    assert trial._raw.endswith("\u202e")  # the rule is tried on what came, not on what is shown


async def test_every_control_of_a_rule_has_a_name(editor: HookEditor, work: Work) -> None:
    for kind in BY_ID:
        row = add(editor, kind, "match_price")
        controls = row.findChildren(QWidget)
        nameless = [
            control
            for control in controls
            if isinstance(control, QLineEdit | QPlainTextEdit | QComboBox | QAbstractButton)
            and not isinstance(control.parent(), QComboBox)
            and not (control.accessibleName() or (isinstance(control, QAbstractButton) and control.text()))
        ]
        assert nameless == []
    await work.settled()
