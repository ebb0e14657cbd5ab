from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.layout.side_list import SideList, SideRow

ROWS = [SideRow("a", "First", "book"), SideRow("b", "<b>Second</b>\u202e", "no such icon", "muted")]


def shown(qtbot: QtBot) -> SideList:
    side = SideList(Theme(), "Things", "things", [QPushButton("Add")])
    qtbot.addWidget(side)
    side.show_rows(ROWS)
    side.select("a")
    side.show()
    return side


def test_a_choice_is_said_and_shown_only_when_it_is_agreed_to(qtbot: QtBot) -> None:
    side = shown(qtbot)
    with qtbot.waitSignal(side.chosen) as chosen:
        QTest.keyClick(side.list, Qt.Key.Key_Down)
    assert chosen.args == ["b"]
    assert side.list.currentRow() == 0
    side.select("b")
    assert side.list.currentRow() == 1


def test_titles_are_literal_and_the_selection_outlives_a_refresh(qtbot: QtBot) -> None:
    side = shown(qtbot)
    assert side.list.item(1).text() == "<b>Second</b>⟦U+202E⟧"
    with qtbot.assertNotEmitted(side.chosen):
        side.show_rows(ROWS[::-1])
    assert side.list.currentRow() == 1


def test_nothing_is_marked_where_nothing_is_selected(qtbot: QtBot) -> None:
    side = shown(qtbot)
    side.select("")
    assert side.list.currentRow() == -1
