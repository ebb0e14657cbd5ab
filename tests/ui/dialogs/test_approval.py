from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.core.events import Approval
from app.core.tool import canonical_args
from app.ui.dialogs import ApprovalCard
from app.ui.theme import Theme
from app.ui.widgets.safe_text import visible


def approval(**args: Any) -> Approval:
    return Approval("a1", "c1", "write_file", args, "fs.write asks every time")


def card(qtbot: QtBot, **args: Any) -> ApprovalCard:
    made = ApprovalCard(Theme(), approval(**args), question="tidy my notes")
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def ready(qtbot: QtBot, made: ApprovalCard) -> ApprovalCard:
    qtbot.waitUntil(made.deny.isEnabled)
    return made


def test_nothing_answers_in_the_first_moment(qtbot: QtBot) -> None:
    made = card(qtbot, path="a.md")
    with qtbot.assertNotEmitted(made.answered):
        for button in (made.deny, made.allow_once, made.allow_run):
            assert not button.isEnabled()
            button.click()
            QTest.keyClick(button, Qt.Key.Key_Space)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_never_allows(qtbot: QtBot, key: Qt.Key) -> None:
    made = ready(qtbot, card(qtbot, path="a.md"))
    with qtbot.assertNotEmitted(made.answered):
        for target in (made, made.allow_once, made.allow_run, made.deny):
            QTest.keyClick(target, key)


@pytest.mark.parametrize(("name", "choice"), [("allow_once", "once"), ("allow_run", "run"), ("deny", "deny")])
def test_each_button_gives_its_answer_once(qtbot: QtBot, name: str, choice: str) -> None:
    made = ready(qtbot, card(qtbot, path="a.md"))
    answers: list[tuple[str, str, str]] = []
    made.answered.connect(lambda *answer: answers.append(answer))
    getattr(made, name).click()
    getattr(made, name).click()
    made.deny.click()
    assert answers == [("a1", choice, "")]


def test_a_denial_carries_its_reason(qtbot: QtBot) -> None:
    made = ready(qtbot, card(qtbot, path="a.md"))
    made._reason.setText("  not there, please  ")
    with qtbot.waitSignal(made.answered) as answered:
        made.deny.click()
    assert answered.args == ["a1", "deny", "not there, please"]


def test_only_offered_choices_are_shown(qtbot: QtBot) -> None:
    made = ApprovalCard(Theme(), Approval("a1", "c1", "run_command", {}, "exec", ("once", "deny")))
    qtbot.addWidget(made)
    made.show()
    assert made.allow_once.isVisible()
    assert not made.allow_run.isVisible()


def test_hidden_characters_are_written_out(qtbot: QtBot) -> None:
    made = card(qtbot, path="\u202egnp.exe", note="<b>safe</b>\u200b")
    text = made.findChildren(QPlainTextEdit)[0].toPlainText()
    assert "⟦U+202E⟧gnp.exe" in text
    assert "<b>safe</b>⟦U+200B⟧" in text


def test_a_long_tail_must_be_seen_before_allowing(qtbot: QtBot) -> None:
    made = ready(qtbot, card(qtbot, text="\n" * 5_000 + "rm -rf"))
    assert "5,001 lines" in made._size.text()
    assert not made.allow_once.isEnabled()
    assert made.deny.isEnabled()
    qtbot.waitUntil(made._to_end.isVisible)
    made._to_end.click()
    qtbot.waitUntil(made.allow_once.isEnabled)


_ARGS = st.dictionaries(
    st.text(max_size=20),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=200),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=5,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_ARGS)
def test_what_is_shown_is_what_runs(qtbot: QtBot, args: dict[str, Any]) -> None:
    made = ApprovalCard(Theme(), approval(args=args))
    shown = made.findChildren(QPlainTextEdit)[0].document().toRawText()  # toPlainText turns U+00A0 into a space
    made.deleteLater()
    assert shown == visible(canonical_args({"args": args}))
    assert json.loads(canonical_args({"args": args})) == {"args": args}


def test_an_answer_from_elsewhere_closes_the_card(qtbot: QtBot) -> None:
    made = ready(qtbot, card(qtbot, path="a.md"))
    made.settle("deny")
    with qtbot.assertNotEmitted(made.answered):
        made.allow_once.click()
    assert made._outcome.text() == "Denied"
