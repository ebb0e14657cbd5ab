"""Where the cells of a text table break, and what a copy of them says."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.render.markdown.blocks import TableBlock
from app.ui.render.markdown.inline import TextRun
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.stacked import StackedTable
from app.ui.render.parts.table import RichTable, TableCard
from app.ui.render.parts.text_view import copied
from app.ui.theme import Theme

ROW = ("故宫博物院", "08:30–17:00，17:30停止", "周一闭馆，17:30停止入场，门票1,200元，两个人要带身份证", "¥1,200")
WHOLE = ("08:30", "17:00", "17:30", "1,200")


def table_of(qtbot: QtBot, *rows: tuple[str, ...]) -> RichTable:
    host = QWidget()
    qtbot.addWidget(host)
    head = tuple((TextRun(word),) for word in ("景点", "开放", "备注", "价格")[: len(rows[0])])
    table = RichTable(host, Formats(Theme("light")), TableBlock(head, ("left",) * len(head), ()))
    table.host = host  # type: ignore[attr-defined]  # kept alive with it
    table.add([tuple((TextRun(text),) for text in row) for row in rows])
    return table


def lines(table: RichTable, width: int) -> list[str]:
    """Of all cells, as painted at that width."""
    table.text_height(width)
    found, block = [], table.document().begin()
    while block.isValid():
        layout, text = block.layout(), block.text()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            found.append(text[line.textStart() : line.textStart() + line.textLength()])
        block = block.next()
    return found


def room_for_words(table: RichTable) -> int:
    table.text_height(1)
    return table._whole_from


def test_no_time_and_no_number_is_broken_while_the_columns_can_be_wide_enough(qtbot: QtBot) -> None:
    table = table_of(qtbot, ROW)
    least = room_for_words(table)
    for width in range(least, 3 * least, 23):
        shown = lines(table, width)
        for word in WHOLE:
            assert sum(line.count(word) for line in shown) == sum(cell.count(word) for cell in ROW)
        assert table.document().size().width() <= width + len(ROW)
    assert any(line in ROW[2] and line != ROW[2] for line in lines(table, least) if line)


def test_a_table_with_no_room_for_its_words_breaks_them_instead_of_hiding_them(qtbot: QtBot) -> None:
    table = table_of(qtbot, ROW, ("x" * 90, "1", "2", "3"))
    width = room_for_words(table) // 2
    assert "".join(lines(table, width)).count("x") == 90
    assert table.document().size().width() <= width + len(ROW)
    height = table.text_height(width)
    assert table.text_height(4 * width) < height
    assert table.text_height(width) == height


@pytest.mark.parametrize("width", [120, 300, 700])
def test_what_is_copied_is_what_was_written(qtbot: QtBot, width: int) -> None:
    table = table_of(qtbot, ROW)
    table.text_height(width)
    table.selectAll()
    assert "\n".join(ROW) in copied(table.textCursor()).text()


def test_a_row_that_comes_later_may_need_more_room(qtbot: QtBot) -> None:
    table = table_of(qtbot, ("a", "b", "c", "d"))
    table.text_height(300)
    assert table._whole_from <= 300
    table.add([tuple((TextRun(text),) for text in ("y" * 80, "1", "2", "3"))])
    assert "".join(lines(table, 300)).count("y") == 80
    assert table.document().size().width() <= 300 + len(ROW)


def test_where_columns_have_no_room_each_row_is_a_block_and_back_again(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    head = tuple((TextRun(word),) for word in ("Way", "Time", "Price", "Changes"))
    rows = [
        tuple((TextRun(text),) for text in row) for row in (("Train", "4 h", "553", "0"), ("Bus", "14 h", "310", ""))
    ]
    card = TableCard(host, Formats(Theme("light")), TableBlock(head, ("left", "left", "right", "left"), ()))
    card.add(rows)
    host.resize(800, 400)
    host.show()
    seen = []
    for width in (700, 351, 700, 300):
        card.setGeometry(0, 0, width, card.wanted(width))
        card.show()
        (view,) = card.text_views()
        assert view.isVisible()
        seen.append(view.toPlainText() if isinstance(view, StackedTable) else "table")
    blocks = "Train  553\nTime 4 h · Changes 0\nBus  310\nTime 14 h"
    assert seen == ["table", blocks, "table", blocks]
    card.add(rows[:1])
    card.wanted(300)
    assert card.text_views()[0].toPlainText().count("Train") == 2
    assert card.as_csv().splitlines()[0] == "Way,Time,Price,Changes"
