from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.ui.chat.empty import EmptyChat
from app.ui.theme import Theme

QUESTIONS = ["one & two", "three", "four", "five", "a fifth that is never shown"]


def empty_on(qtbot: QtBot, height: int) -> EmptyChat:
    empty = EmptyChat(Theme())
    qtbot.addWidget(empty)
    empty.resize(600, height)
    empty.show_agent("Assistant", "Answers questions", "sparkles", QUESTIONS)
    empty.show()
    return empty


def examples(empty: EmptyChat) -> list[QPushButton]:
    return [one for one in empty.findChildren(QPushButton) if one.isVisible()]


def test_three_examples_are_offered_and_a_press_tells_the_whole_question(qtbot: QtBot) -> None:
    empty = empty_on(qtbot, 700)
    told: list[str] = []
    empty.example_chosen.connect(told.append)
    assert [one.text() for one in examples(empty)] == ["one && two", "three", "four"]
    QTest.mouseClick(examples(empty)[0], Qt.MouseButton.LeftButton)
    assert told == ["one & two"]


def test_without_room_there_are_fewer_and_none_is_cut(qtbot: QtBot) -> None:
    empty = empty_on(qtbot, 240)
    few = len(examples(empty))
    assert 0 < few < 3
    assert all(one.height() >= one.sizeHint().height() for one in examples(empty))
    empty.resize(600, 700)
    assert len(examples(empty)) == 3
