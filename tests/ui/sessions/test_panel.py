"""The left pane turns clicks and keys into wishes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.core.session import SessionRow
from app.ui.sessions.panel import SessionsPanel
from app.ui.theme import Theme

ROWS = [SessionRow(f"s{n}", f"Session {n}", "a", "", "", 0.0, 1_000_000.0 - n) for n in range(20)]


def panel_on(qtbot: QtBot) -> SessionsPanel:
    panel = SessionsPanel(Theme(), ROWS)
    qtbot.addWidget(panel)
    panel.resize(260, 600)
    panel.show()
    return panel


def test_a_click_opens_the_session(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    chosen: list[str] = []
    panel.session_chosen.connect(chosen.append)
    place = panel.list.visualRect(panel.model.index(2)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen[-1] == "s2"


def test_marking_the_open_session_asks_for_nothing(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    chosen: list[str] = []
    panel.session_chosen.connect(chosen.append)
    panel.set_current("s5")
    assert chosen == []
    assert panel.list.currentIndex().row() == 5
    assert (panel.neighbour(1), panel.neighbour(-1), panel.nth(0)) == ("s6", "s4", "s0")


def test_the_mark_survives_new_rows(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    panel.set_current("s5")
    panel.set_rows(ROWS[3:])
    assert panel.list.currentIndex().row() == 2


def test_f2_edits_in_place_and_enter_asks_for_the_name(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    asked: list[tuple[str, str]] = []
    panel.rename_asked.connect(lambda *wish: asked.append(wish))
    panel.set_current("s1")
    panel.rename_current()
    editor = panel.list.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "Beijing")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: asked == [("s1", "Beijing")])


def test_delete_moves_the_marked_session_to_the_bin(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    asked: list[list[str]] = []
    panel.delete_asked.connect(asked.append)
    panel.set_current("s1")
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert asked == [["s1"]]


def test_an_empty_list_says_so(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    panel.set_rows([])
    assert not panel.list.isVisible()
    assert panel._nothing.text() == "No sessions yet"
