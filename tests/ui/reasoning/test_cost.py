from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.core.run.analysis.run_stats import RunFigures
from app.core.run.chat_model import Usage
from app.core.run.events import StepEnd
from app.core.run.price import Price
from app.ui.reasoning.cost import _COST, _THINK, CostModel, CostView
from app.ui.theme import Theme


def rows(model: CostModel) -> list[list[str]]:
    return [
        [model.data(model.index(row, column)) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_steps_and_their_sum_are_listed(qtbot: QtBot) -> None:
    model = CostModel(Theme())
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.add(StepEnd(1, "tool_calls", Usage(1_000, 100, 20, 512), 3_000, 1_000))
    model.add(StepEnd(2, "stop", Usage(2_000, 50, exact=False), 1_000))
    assert rows(model) == [
        ["1", "1,000", "100", "–", "20", "512", "1.0 s", "50"],
        ["2", "≈2,000", "≈50", "–", "–", "–", "–", "–"],
        ["Sum", "≈3,000", "≈150", "–", "20", "512", "", "50"],
    ]
    model.clear()
    assert rows(model) == []
    del tester


def test_an_estimate_is_explained_and_empty_columns_are_not_shown(qtbot: QtBot) -> None:
    view = CostView(Theme())
    qtbot.addWidget(view)
    view.show()
    view.add(StepEnd(1, "stop", Usage(10, 5), 100))
    assert not view._note.isVisible()
    assert view._table.isColumnHidden(_THINK)
    view.add(StepEnd(2, "stop", Usage(10, 5, 2, exact=False), 100))
    assert view._note.isVisible()
    assert not view._table.isColumnHidden(_THINK)


def test_headers_explain_themselves(qtbot: QtBot) -> None:
    model = CostModel(Theme())
    for section in range(model.columnCount()):
        assert model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)


def test_money_appears_where_a_price_was_typed(qtbot: QtBot) -> None:
    view = CostView(Theme())
    qtbot.addWidget(view)
    view.add(StepEnd(1, "stop", Usage(1_000_000, 100_000), 100))
    assert view._table.isColumnHidden(_COST)
    price = Price(2.0, 10.0, currency="USD")
    view.set_price(price)
    assert not view._table.isColumnHidden(_COST)
    assert [row[_COST] for row in rows(view.model)] == ["$3.00", "$3.00"]
    runs = [
        RunFigures("s", "a", "react", 1, Usage(1_000_000, 0), 1.0, True, "mine/x"),
        RunFigures("s", "a", "react", 1, Usage(1_000, 0), 1.0, True, "other/y"),
    ]
    view.show_sums([("This session", runs[:1])], {"mine/x": price}.get)
    assert view._sums.full_text().endswith("written), $2.00")
    view.show_sums([("This session", runs)], {"mine/x": price}.get)
    assert view._sums.full_text().endswith("at least $2.00")
    view.set_price(None)
    assert view._table.isColumnHidden(_COST)
