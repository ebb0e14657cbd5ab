"""The left pane turns clicks and keys into wishes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.core.session.summary import SessionRow
from app.ui.sessions.arrange import ARCHIVE
from app.ui.sessions.marked_bar import MarkedBar
from app.ui.sessions.menus import folders_menu, sessions_menu
from app.ui.sessions.panel import SessionsPanel
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel
from tests.ui import screen

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


def test_the_open_session_is_marked_among_rows_that_follow_and_the_list_stays_where_it_was(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    more = [SessionRow(f"t{n}", f"Session {n}", "a", "", "", 0.0, 900_000.0 - n) for n in range(20)]
    panel.set_current("t3")
    panel.set_rows([*ROWS, *more])
    assert panel.list.marked() == ["t3"]
    panel.list.verticalScrollBar().setValue(0)
    panel.set_rows([*ROWS, *more, SessionRow("u", "The last", "a", "", "", 0.0, 1.0)])
    assert (panel.list.marked(), panel.list.verticalScrollBar().value()) == (["t3"], 0)


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
    panel.show()
    assert "No sessions yet. Ask something to begin." in shown_words(panel)
    asked: list[str] = []
    panel.everything_asked.connect(asked.append)
    panel.search.setText("storage")
    panel.set_rows([])
    everything = next(one for one in panel.findChildren(QPushButton) if one.text() == "Search all sessions")
    qtbot.waitUntil(lambda: screen.why_not(everything) == "")
    assert "“storage” is not found." in shown_words(panel)
    screen.click(everything)
    assert asked == ["storage"]


def shown_words(panel: SessionsPanel) -> list[str]:
    return [one.full_text() for one in panel.findChildren(SafeLabel) if one.isVisible()]


def click(panel: SessionsPanel, id: str, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    place = panel.list.visualRect(panel.model.index(panel.model.lines.place_of(id))).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, held, place)


def test_keys_open_what_they_reach_and_focus_opens_nothing(qtbot: QtBot) -> None:
    """Qt makes the first row the current one when a list without one gets the focus, by Tab or by the right button."""
    panel = panel_on(qtbot)
    panel.show()
    opened: list[str] = []
    panel.session_chosen.connect(opened.append)
    panel.search.setFocus()
    panel.list.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(panel.list.hasFocus)
    assert opened == []
    click(panel, "s1")
    panel.set_current("s1")
    below = panel.neighbour(1)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert opened == ["s1", below]


def test_ctrl_and_shift_mark_several_without_opening_them(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = panel_on(qtbot)
    chosen: list[str] = []
    panel.session_chosen.connect(chosen.append)
    click(panel, "s1")
    monkeypatch.setattr(panel.list, "is_marking", lambda: True)
    click(panel, "s3", Qt.KeyboardModifier.ControlModifier)
    click(panel, "s5", Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert set(chosen) == {"s1"}
    assert {"s3", "s4", "s5"} <= set(panel.list.marked())
    panel.set_current("s3")
    assert len(panel.list.marked()) > 2, "opening one of them does not unmark the others"


def test_what_is_marked_stays_marked_when_rows_change_and_is_handled_together(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    click(panel, "s1")
    click(panel, "s3", Qt.KeyboardModifier.ControlModifier)
    panel.put(SessionRow("new", "New", "a", "", "", 0.0, 2_000_000.0))
    assert panel.list.marked() == ["s1", "s3"]
    asked: list[object] = []
    panel.delete_asked.connect(asked.append)
    panel.archive_asked.connect(lambda *wish: asked.append(wish))
    bar = panel.findChild(MarkedBar)
    assert isinstance(bar, MarkedBar)
    assert bar.isVisible()
    bar.button("archive").click()
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert asked == [(["s1", "s3"], True), ["s1", "s3"]]
    bar.button("clear").click()
    assert not bar.isVisible()


def test_the_line_of_a_folder_opens_and_closes_it_by_click_and_by_key(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    panel.set_rows([*ROWS, SessionRow("w", "In a folder", "a", "", "", 0.0, 1.0, folder="Work")])
    closed: list[list[str]] = []
    panel.folded.connect(closed.append)
    head = panel.model.index(panel.model.lines.place_of_head("Work"))
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualRect(head).center())
    assert panel.model.lines.place_of("w") == -1
    panel.list.setCurrentIndex(panel.model.index(panel.model.lines.place_of_head("Work")))
    QTest.keyClick(panel.list, Qt.Key.Key_Right)
    assert panel.model.lines.place_of("w") > 0
    assert [ARCHIVE in keys for keys in closed] == [True, True]
    assert ["Work" in keys for keys in closed] == [True, False]


def test_a_dropped_session_changes_its_folder_only_where_it_differs(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    panel.set_rows([*ROWS, SessionRow("w", "In a folder", "a", "", "", 0.0, 1.0, folder="Work")])
    asked: list[object] = []
    panel.folder_asked.connect(lambda *wish: asked.append(wish))
    panel.archive_asked.connect(lambda *wish: asked.append(wish))
    panel.list.dropped.emit(["w", "s1"], "Work")
    panel.list.dropped.emit(["w"], "Work")
    panel.list.dropped.emit(["w"], ARCHIVE)
    assert asked == [(["s1"], "Work"), (["w"], True)]


def test_the_menus_offer_what_can_be_done(qtbot: QtBot) -> None:
    panel = panel_on(qtbot)
    row = SessionRow("w", "In a folder", "a", "", "", 0.0, 1.0, folder="Work")
    panel.set_rows([*ROWS, row])
    asked: list[object] = []
    panel.folder_asked.connect(lambda *wish: asked.append(wish))
    words = [action.text() for action in sessions_menu(panel, ROWS[:2]).actions() if action.text()]
    assert words == ["2 sessions", "Pin", "Move to folder", "Archive", "Export…", "Move to bin"]
    folders = folders_menu(panel, ROWS[:2])
    folders.actions()[0].trigger()
    assert asked == [(["s0", "s1"], "Work")]
    temporary = SessionRow("temporary-1", "", "a", "", "", 0.0, 1.0)
    words = [action.text() for action in sessions_menu(panel, [temporary]).actions() if action.text()]
    assert words == ["Rename", "Keep this session", "Export…", "Move to bin"]
