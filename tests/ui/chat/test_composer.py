"""The composer sends when the person means it, and never otherwise."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.run.mode import MODE_IDS
from app.ui.chat.composer import Composer, estimated_tokens
from app.ui.theme import Theme
from app.ui.widgets.fields.mode_selector import ModeChoice, ModeSelector

ENTER, CTRL, SHIFT = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer(Theme(), ModeSelector([ModeChoice(id, id) for id in MODE_IDS]))
    made.set_window_height(900)
    qtbot.addWidget(made)
    made.resize(740, 120)
    made.show()
    return made


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    texts: list[str] = []
    composer.submitted.connect(texts.append)
    return texts


def test_enter_sends_and_shift_enter_makes_a_line(composer: Composer, sent: list[str]) -> None:
    QTest.keyClicks(composer.field, "one")
    QTest.keyClick(composer.field, ENTER, SHIFT)
    QTest.keyClicks(composer.field, "two")
    assert sent == []
    QTest.keyClick(composer.field, ENTER)
    assert sent == ["one\ntwo"]


def test_enter_on_nothing_sends_nothing(composer: Composer, sent: list[str]) -> None:
    QTest.keyClick(composer.field, ENTER)
    QTest.keyClicks(composer.field, "   ")
    QTest.keyClick(composer.field, ENTER)
    assert sent == []
    assert not composer.send_button.isEnabled()


def test_the_text_stays_until_it_was_taken_over(composer: Composer, sent: list[str]) -> None:
    QTest.keyClicks(composer.field, "hello")
    QTest.keyClick(composer.field, ENTER)
    assert composer.text() == "hello"
    composer.clear_sent("hello")
    assert composer.text() == ""


@pytest.mark.parametrize("needs_ctrl", [False, True])
def test_enter_while_an_input_method_composes_never_sends(
    composer: Composer, sent: list[str], needs_ctrl: bool
) -> None:
    composer.field.set_send_key("ctrl_enter" if needs_ctrl else "enter")
    composer.fill("去")
    QApplication.sendEvent(composer.field, QInputMethodEvent("bei jing", []))
    assert composer.field.is_composing()
    assert composer.field.placeholderText() == ""
    for held in (Qt.KeyboardModifier.NoModifier, CTRL, SHIFT):
        QTest.keyClick(composer.field, ENTER, held)
    QTest.mouseClick(composer.send_button, Qt.MouseButton.LeftButton)
    assert sent == []
    assert composer.text() == "去"

    chosen = QInputMethodEvent()
    chosen.setCommitString("北京")
    QApplication.sendEvent(composer.field, chosen)
    assert not composer.field.is_composing()
    QTest.keyClick(composer.field, ENTER, CTRL)
    assert sent == ["去北京"]


def test_with_ctrl_enter_chosen_enter_makes_a_line(composer: Composer, sent: list[str]) -> None:
    composer.field.set_send_key("ctrl_enter")
    QTest.keyClicks(composer.field, "a")
    QTest.keyClick(composer.field, ENTER)
    QTest.keyClicks(composer.field, "b")
    assert sent == []
    QTest.keyClick(composer.field, ENTER, CTRL)
    assert sent == ["a\nb"]


def test_ctrl_up_and_down_walk_through_what_was_sent_and_come_back_to_the_draft(composer: Composer) -> None:
    for text in ("first", "second"):
        composer.clear_sent(text)
    QTest.keyClicks(composer.field, "draft")
    QTest.keyClick(composer.field, Qt.Key.Key_Up, CTRL)
    assert composer.text() == "second"
    QTest.keyClick(composer.field, Qt.Key.Key_Up, CTRL)
    QTest.keyClick(composer.field, Qt.Key.Key_Up, CTRL)
    assert composer.text() == "first"
    for _ in range(3):
        QTest.keyClick(composer.field, Qt.Key.Key_Down, CTRL)
    assert composer.text() == "draft"


def test_it_grows_with_the_text_up_to_a_share_of_the_window(composer: Composer) -> None:
    small = composer.field.height()
    composer.fill("\n".join("line" for _ in range(6)))
    grown = composer.field.height()
    composer.fill("\n".join("line" for _ in range(200)))
    assert small < grown < composer.field.height() <= 0.4 * 900


def test_two_lines_of_chinese_are_seen_whole(composer: Composer) -> None:
    composer.fill("再帮我看看\n成都")
    assert composer.field.verticalScrollBar().value() == 0
    assert composer.field.firstVisibleBlock().blockNumber() == 0


def test_R13_a_draft_is_reported_soon_after_the_last_key_and_at_once_when_asked(
    composer: Composer, qtbot: QtBot
) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    composer.set_text("of another session")
    composer.flush_draft()
    assert drafts == []
    with qtbot.waitSignal(composer.draft_changed):
        QTest.keyClicks(composer.field, "!")
    assert drafts == ["of another session!"]
    QTest.keyClicks(composer.field, "?")
    composer.flush_draft()
    assert drafts[-1] == "of another session!?"


def test_while_a_run_goes_on_stop_stands_in_place_of_send(composer: Composer) -> None:
    stops: list[bool] = []
    composer.stop_asked.connect(lambda: stops.append(True))
    composer.run.set_running(True)
    assert composer.stop_button.isVisible()
    assert not composer.send_button.isVisible()
    QTest.mouseClick(composer.stop_button, Qt.MouseButton.LeftButton)
    composer.run.set_running(False)
    assert stops == [True]
    assert composer.send_button.isVisible()


def test_the_estimate_counts_both_scripts() -> None:
    assert estimated_tokens("") == 0
    assert estimated_tokens("a" * 400) == 100
    assert estimated_tokens("规划三日游") == 3


def test_every_control_has_a_name(composer: Composer) -> None:
    for widget in (composer.field, composer.send_button, composer.stop_button, composer.modes):
        assert widget.accessibleName()
        assert widget.objectName()


def test_the_hint_is_as_large_as_what_is_typed_at_any_zoom(composer: Composer) -> None:
    composer.set_theme(Theme("light", 2.0))
    assert (
        composer.field.viewport().font().pixelSize()
        == composer.field.font().pixelSize()
        == Theme(zoom=2.0).size("body")
    )
