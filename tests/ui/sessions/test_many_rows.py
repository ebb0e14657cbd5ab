"""A list of thousands of sessions does not hold the window up."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.core.session.summary import SessionRow
from app.ui.sessions.delegate import Index, SessionDelegate
from app.ui.sessions.panel import SessionsPanel
from app.ui.theme import Theme

MANY = 4_000


class Counting(SessionDelegate):
    measured = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        self.measured += 1
        return super().sizeHint(option, index)


def test_thousands_of_rows_are_laid_out_in_slices_and_each_can_be_reached(qtbot: QtBot) -> None:
    panel = SessionsPanel(Theme())
    qtbot.addWidget(panel)
    delegate = Counting(Theme(), panel.model, panel.list)
    panel.list.setItemDelegate(delegate)
    panel.resize(300, 600)
    panel.show()
    panel.set_rows([SessionRow(f"s{n}", f"Trip {n}", "assistant", "", "", 1.0, 1e9 - n * 500.0) for n in range(MANY)])
    panel.set_current("s3")
    assert delegate.measured < MANY / 4, "the first screens, not all"
    qtbot.waitUntil(lambda: panel.list.verticalScrollBar().maximum() > MANY * 40)
    panel.set_current(f"s{MANY - 1}")
    index = panel.list.currentIndex()
    assert panel.list.viewport().rect().contains(panel.list.visualRect(index))
