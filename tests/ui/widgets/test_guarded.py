"""Methods that Qt calls while it paints: whatever they raise is reported, and Qt goes on."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

import pytest
from PySide6.QtCore import QSize, QStringListModel, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.guarded import guarded


class Faulty(QWidget):
    """Begins to paint, and fails half-way."""

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.save()
        painter.fillRect(self.rect(), QColor("red"))
        self._fail()

    def _fail(self) -> None:
        painter = QPainter()
        raise OverflowError(str(painter))


class FaultyLine(QStyledItemDelegate):
    @guarded
    def sizeHint(self, _option: Any, _index: Any) -> QSize:
        raise TypeError("no size")

    @guarded
    def paint(self, painter: QPainter, option: Any, index: Any) -> None:
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.translate(5_000, 5_000)
        if index.row() == 1:
            raise ValueError("row 1")
        painter.restore()


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []

    def hook(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        seen.append(f"{kind.__name__}: {error.__traceback__.tb_lineno if error.__traceback__ else 0}")

    monkeypatch.setattr(sys, "excepthook", hook)
    return seen


def test_a_widget_whose_painting_fails_is_painted_again_and_again(qtbot: QtBot, reported: list[str]) -> None:
    widget = Faulty()
    qtbot.addWidget(widget)
    widget.resize(40, 40)
    widget.show()
    for _ in range(20):
        assert widget.grab().toImage().pixelColor(20, 20) == QColor("red")
    assert len(reported) >= 20
    assert all(one.startswith("OverflowError: ") for one in reported)


def test_one_line_that_cannot_be_painted_does_not_move_the_others(qtbot: QtBot, reported: list[str]) -> None:
    view = QListView()
    qtbot.addWidget(view)
    view.setModel(QStringListModel(["0", "1", "2"], view))
    view.setItemDelegate(FaultyLine(view))
    view.resize(200, 200)
    view.show()
    view.grab()
    assert any(one.startswith("ValueError") for one in reported)
    assert any(one.startswith("TypeError") for one in reported)
    assert view.visualRect(view.model().index(2, 0)).height() > 0
