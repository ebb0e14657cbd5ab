"""An answer once more in another mode: one press beside the badge, by pointer and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.chat.rows.base import RowView
from app.ui.chat.rows.items import Action, AssistantRow, TextPart
from app.ui.chat.rows.mode_chip import ModeChip
from app.ui.chat.rows.row_actions import AskAgainIn, Plain
from app.ui.chat.view import ChatView
from app.ui.theme import Theme

ROW = AssistantRow(
    "a",
    "Assistant",
    mode="Plan – matched: 规划, 3 天",
    parts=(TextPart("t", "Here it is."),),
    actions=(
        Action(Plain.REGENERATE, "Again"),
        Action(AskAgainIn("direct"), "Ask again in Direct"),
        Action(AskAgainIn("react"), "Ask again in ReAct"),
    ),
)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ChatView]:
    made = ChatView(Theme())
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    made.activateWindow()
    made.set_rows([ROW])
    yield made
    made.close_down()


def row_of(view: ChatView) -> RowView:
    row = view.list.widget("a")
    assert isinstance(row, RowView)
    return row


def react(view: ChatView) -> QToolButton:
    button = row_of(view).findChild(QToolButton, "again-react")
    assert isinstance(button, QToolButton)
    return button


def test_one_click_beside_the_badge_asks_again_in_that_mode(view: ChatView, qtbot: QtBot) -> None:
    chip = row_of(view).findChild(ModeChip)
    assert isinstance(chip, ModeChip)
    assert chip.text() == "Plan – matched: 规划, 3 天"
    assert row_of(view).findChild(QToolButton, "again-react") is None, "nobody has pointed at the answer"
    row_of(view)._float(shown=True)
    assert react(view).isVisible()
    assert chip.mapToGlobal(chip.rect().topRight()).x() < react(view).mapToGlobal(react(view).rect().topLeft()).x()
    with qtbot.waitSignal(view.row_action) as told:
        QTest.mouseClick(react(view), Qt.MouseButton.LeftButton)
    assert told.args == ["a", AskAgainIn("react")]


def test_the_keyboard_reaches_the_other_modes_from_the_message(view: ChatView, qtbot: QtBot) -> None:
    row = row_of(view)
    row.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: row.findChild(QToolButton, "again-react") is not None)
    assert react(view).isVisible()
    for _press in range(12):
        if react(view).hasFocus():
            break
        QTest.keyClick(view.window().focusWidget(), Qt.Key.Key_Tab)
    assert react(view).hasFocus()
    assert react(view).accessibleName() == "Ask again in ReAct"
    qtbot.wait(1)
    assert react(view).isVisible()
    with qtbot.waitSignal(view.row_action) as told:
        QTest.keyClick(react(view), Qt.Key.Key_Space)
    assert told.args == ["a", AskAgainIn("react")]


def test_an_answer_that_goes_on_offers_no_other_mode(view: ChatView) -> None:
    view.replace_row(replace(ROW, busy=True))
    assert row_of(view).findChild(QToolButton, "again-react") is None or not react(view).isVisible()


def test_in_a_narrow_window_nothing_leaves_the_row(view: ChatView, qtbot: QtBot) -> None:
    view.resize(360, 500)
    row_of(view)._float(shown=True)
    qtbot.wait(1)
    right = react(view).mapTo(row_of(view), react(view).rect().topRight()).x()
    assert right < row_of(view).width()
