"""The model of long tables keeps the rules of item models while rows come."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.render.markdown.blocks import TableBlock
from app.ui.render.markdown.inline import TextRun
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.grid import TableGrid
from app.ui.theme import Theme


def cells(*texts: str) -> tuple[tuple[TextRun, ...], ...]:
    return tuple((TextRun(text),) for text in texts)


def test_rows_that_come_are_announced_as_the_model_tester_wants(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    grid = TableGrid(host, Formats(Theme("light")), TableBlock(cells("a", "b"), ("left", "right"), ()))
    tester = QAbstractItemModelTester(grid.model(), QAbstractItemModelTester.FailureReportingMode.Fatal)
    rows = [cells(str(n), "x" * n) for n in range(30)] + [cells("ragged")]
    grid.show_rows(rows[:5])
    grid.show_rows(rows)
    assert tester.model().rowCount(QModelIndex()) == 31
    assert grid.model().index(30, 1).data() == ""
    assert grid.model().index(0, 0).data() == "0"
