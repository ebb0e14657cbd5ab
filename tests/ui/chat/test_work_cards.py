"""Cards of calls among the work of an answer: whole at every width, and in sight where a person asked for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.cards.frame import CardFrame
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.items import AssistantRow, CardPart, TextPart, ToolPart
from app.ui.chat.rows.layout import layout_of
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.view import ChatView
from app.ui.render.parts.table import RichTable
from app.ui.theme import Theme

COLUMNS = [{"key": key, "label": key} for key in ("line", "basis", "amount")]
WHY = "a long way to say where it comes from " * 2
LINES = [{"line": f"Line {n}", "basis": WHY, "amount": f"¥{n}"} for n in range(9)]
BUDGET = {
    "card": "table",
    "payload": {"title": "3 days: ¥3,071 without the way there, ¥1,536 per person", "columns": COLUMNS, "rows": LINES},
}
PARTS = (ToolPart("call-c1", "calculate_budget", "done", "9 lines"), CardPart("card-c1", BUDGET))


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ChatView]:
    made = ChatView(Theme())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    yield made
    made.close_down()


def test_a_card_in_a_row_of_the_work_is_whole_however_narrow(view: ChatView, qtbot: QtBot) -> None:
    view.set_rows([AssistantRow("a", "Assistant", parts=PARTS)])
    row = view.list.widget("a")
    assert isinstance(row, AssistantRowView)
    row.open_work()
    call = row.findChild(ToolCard)
    assert isinstance(call, ToolCard)
    call.toggle()
    cut = []
    for width in (900, 640, 520, 440):
        view.resize(width, 600)
        qtbot.waitUntil(partial(is_narrower, row, width), timeout=10_000)
        qtbot.wait(20)
        card = call.card_widget
        assert isinstance(card, CardFrame)
        table = card.findChild(RichTable)
        assert isinstance(table, RichTable)
        needed = {"card": card.heightForWidth(card.width()), "table": table.text_height(table.width())}
        has = {"card": card.height(), "table": table.height()}
        if any(has[name] < needed[name] for name in needed) or bottom(card, row) > row.height():
            cut.append((width, has, needed))
    assert cut == []


def is_narrower(row: QWidget, width: int) -> bool:
    return row.width() < width


def bottom(card: QWidget, row: QWidget) -> int:
    return card.mapTo(row, card.rect().bottomLeft()).y()


def test_what_a_pressed_button_shows_stands_in_sight_and_its_words_fold() -> None:
    parts = (*PARTS, TextPart("text", "Lodging 960, food 960"))
    asked, pressed = (layout_of(AssistantRow("a", "Travel", parts=parts, is_action=one)) for one in (False, True))
    assert [[part.id for part in group] for group in (asked.work, asked.shown, asked.more)] == [
        ["call-c1"],
        ["text"],
        [],
    ]
    assert [part.id for part in pressed.shown] == ["card-c1"]
    assert [part.id for part in pressed.more] == ["text"]
    assert pressed.cards == {}
