"""One quiet notice at a time, literal, with at most one answer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.notice_bar import NoticeBar


def bar_on(qtbot: QtBot) -> NoticeBar:
    bar = NoticeBar(Theme())
    qtbot.addWidget(bar)
    return bar


def button_of(bar: NoticeBar) -> QPushButton:
    button = bar.findChild(QPushButton, "noticeAction")
    assert isinstance(button, QPushButton)
    return button


def test_a_notice_of_a_session_is_shown_with_it_only(qtbot: QtBot) -> None:
    bar = bar_on(qtbot)
    bar.open_session("a")
    bar.tell("the question could not be sent", "warn", session="a")
    bar.open_session("a")
    assert bar.text() == "the question could not be sent"
    bar.open_session("b")
    assert bar.text() == ""
    bar.tell("its file could not be read", "warn", session="a")
    bar.tell("deleted", session="a")
    assert bar.text() == "", "told too late: another session is open by now"
    bar.open_session("a")
    assert bar.text() == "its file could not be read"
    bar.dismiss()
    bar.open_session("b")
    bar.open_session("a")
    assert bar.text() == "", "seen is seen"
    bar.tell("read only", "warn")
    bar.open_session("b")
    assert bar.text() == "read only", "what concerns the window stays"


def test_a_newer_notice_takes_the_place_and_is_read_out(qtbot: QtBot) -> None:
    bar = bar_on(qtbot)
    assert bar.text() == ""
    bar.tell("one")
    bar.tell("<b>two</b>", "error")
    assert bar.text() == bar.accessibleName() == "<b>two</b>"
    bar.dismiss()
    assert bar.text() == ""


def test_its_answer_runs_once_and_closes_it(qtbot: QtBot) -> None:
    bar, answers = bar_on(qtbot), []
    bar.tell("moved", button="Undo", answer=lambda: answers.append(1))
    QTest.mouseClick(button_of(bar), Qt.MouseButton.LeftButton)
    assert answers == [1]
    assert bar.isHidden()
    bar.tell("only told")
    assert button_of(bar).isHidden()


def test_only_informing_ones_go_by_themselves(qtbot: QtBot) -> None:
    bar = bar_on(qtbot)
    bar.tell("for your information")
    assert bar._timer.isActive()
    bar.tell("needs you", "warn")
    assert not bar._timer.isActive()
