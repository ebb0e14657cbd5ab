"""A result of which the model read a part: told where it is shown, with the whole and a higher limit one press away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.items import AssistantRow, ToolPart
from app.ui.chat.rows.row_actions import RaiseLimit, ShowWhole
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.view import ChatView
from app.ui.render.parts.plain import PlainBlock
from app.ui.theme import Theme
from app.ui.widgets.cut_bar import CutBar
from app.ui.widgets.safe_text import SafeLabel

CUT = ToolPart("call-c1", "search", "done", "5 results", "{}", "the beginning", 12.0, kept=4_000, chars=31_202)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ChatView]:
    made = ChatView(Theme())
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    made.set_rows([AssistantRow("a", "Assistant", parts=(CUT,))])
    yield made
    made.close_down()


def unfolded(view: ChatView) -> ToolCard:
    row = view.list.widget("a")
    assert isinstance(row, AssistantRowView)
    row.open_work()
    card = row.findChild(ToolCard)
    assert isinstance(card, ToolCard)
    if not card.is_unfolded():
        card.toggle()
    return card


def bar_of(widget: QWidget) -> CutBar:
    bars: list[CutBar] = widget.findChildren(CutBar)
    return bars[-1]  # an earlier one may be about to go


def button(widget: QWidget, name: str) -> QPushButton:
    found = widget.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_R06_the_result_in_the_chat_says_how_much_the_model_read(view: ChatView) -> None:
    bar = bar_of(unfolded(view))
    assert bar.findChildren(SafeLabel)[0].full_text() == "The model read 4,000 of 31,202 characters"


def test_R06_a_click_asks_for_the_whole_which_then_stands_there(view: ChatView, qtbot: QtBot) -> None:
    card = unfolded(view)
    with qtbot.waitSignal(view.row_action) as told:
        QTest.mouseClick(button(card, "showAllButton"), Qt.MouseButton.LeftButton)
    assert told.args == ["a", ShowWhole("call-c1")]
    view.put_part("a", replace(CUT, result="all of it", is_whole=True))
    card = unfolded(view)
    assert "all of it" in [text.toPlainText() for text in card.findChildren(PlainBlock)]
    assert not button(bar_of(card), "showAllButton").isVisibleTo(card)
    assert button(bar_of(card), "raiseLimitButton").isVisibleTo(card)


def test_R06_the_limit_is_raised_by_keyboard(view: ChatView, qtbot: QtBot) -> None:
    bar = bar_of(unfolded(view))
    QTest.keyClick(button(bar, "raiseLimitButton"), Qt.Key.Key_Space)
    qtbot.waitUntil(bar.limits.isVisible)
    assert [entry.text() for entry in bar.limits.actions()][-1] == "32,000 characters"
    with qtbot.waitSignal(view.row_action) as told:
        QTest.keyClick(bar.limits, Qt.Key.Key_Down)
        QTest.keyClick(bar.limits, Qt.Key.Key_Return)
    assert told.args == ["a", RaiseLimit(8000)]


def test_a_result_the_model_read_whole_has_no_bar(view: ChatView) -> None:
    view.put_part("a", replace(CUT, kept=0, chars=0))
    assert unfolded(view).findChild(CutBar) is None
