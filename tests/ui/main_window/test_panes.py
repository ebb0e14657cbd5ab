"""Panes fold by width, follow the person, and remember."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.main_window.layout.panes import LEFT_MIN, Panes
from app.ui.main_window.layout.slide_over import SlideOver


class HostedPanes(Panes):
    host: QWidget
    """It stands in, as in the window."""


def panes_in(qtbot: QtBot, folder: Path, width: int = 1280) -> Panes:
    host = QWidget()
    qtbot.addWidget(host)
    panes = HostedPanes(
        QLineEdit(), QLineEdit(), QLineEdit(), QSettings(str(folder / "w.ini"), QSettings.Format.IniFormat)
    )
    layout = QVBoxLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(panes)
    host.resize(width, 600)
    host.show()
    panes.host = host
    return panes


def widen(panes: Panes, width: int) -> None:
    panes.window().resize(width, 600)
    QApplication.processEvents()


def state(panes: Panes) -> tuple[bool, bool]:
    return panes.is_open("left"), panes.is_open("right")


@pytest.mark.parametrize(
    ("width", "shown"), [(1440, (True, True)), (1200, (True, True)), (900, (True, False)), (899, (False, False))]
)
def test_a_narrow_window_folds_the_right_pane_first_then_the_left(
    qtbot: QtBot, tmp_path: Path, width: int, shown: tuple[bool, bool]
) -> None:
    assert state(panes_in(qtbot, tmp_path, width)) == shown


def test_what_a_narrow_window_folded_comes_back_with_the_width(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path, 600)
    widen(panes, 1280)
    assert state(panes) == (True, True)


def test_in_a_narrow_window_a_pane_slides_over_the_chat_and_is_put_away(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path, 800)
    host = panes.window()
    host.activateWindow()
    qtbot.waitUntil(host.isActiveWindow)
    chat = panes.widget(1)
    assert chat is not None
    chat.setFocus()
    wide = chat.width()
    wrong: list[tuple[object, ...]] = []
    over = None
    for number, (side, away) in enumerate(product(("left", "right"), ("toggle", "Esc", "press", "other"))):
        panes.toggle(side)  # type: ignore[arg-type]
        focus = QApplication.focusWidget()
        over = host.findChild(SlideOver)
        assert over is not None
        pane = over.findChild(QLineEdit)
        assert pane is not None
        edge = 0 if side == "left" else 800 - pane.width()
        qtbot.waitUntil(lambda: pane.mapTo(over, QPoint(0, 0)).x() == edge)  # noqa: B023  waited for here
        is_inside = focus is pane and 300 <= pane.width() <= 340 and chat.width() == wide
        if not is_inside or state(panes) != (side == "left", side == "right"):
            wrong.append((number, side, "shown", pane.width(), chat.width()))
        QTest.keyClick(pane, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is not pane:
            wrong.append((number, side, "the focus left"))
        match away:
            case "toggle":
                panes.toggle(side)  # type: ignore[arg-type]
            case "Esc":
                QTest.keyClick(pane, Qt.Key.Key_Escape)
            case "press":
                QTest.mouseClick(over, Qt.MouseButton.LeftButton, pos=QPoint(400, 300))
            case _:
                panes.toggle("right" if side == "left" else "left")
                panes.put_away()
        if state(panes) != (False, False) or over.isVisible() or QApplication.focusWidget() is not chat:
            wrong.append((number, side, away))
    assert wrong == []
    panes.toggle("right")
    widen(panes, 1280)
    assert state(panes) == (True, True), "what was put away is no wish"
    assert over is None or not over.isVisible()
    assert sum(1 for size in panes.sizes() if size) == 3


def test_beside_a_pane_something_of_the_narrowest_chat_stays_in_sight(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path, 360)
    panes.set_zoom(2.0)
    panes.toggle("left")
    over = panes.window().findChild(SlideOver)
    assert over is not None
    pane = over.findChild(QLineEdit)
    assert pane is not None
    qtbot.waitUntil(lambda: pane.mapTo(over, QPoint(0, 0)).x() == 0)
    assert pane.width() == panes.width() - 48


def test_the_persons_choice_is_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path)
    panes.toggle("right")
    panes.save()
    assert state(panes_in(qtbot, tmp_path)) == (True, False)


def test_a_setting_shuts_a_pane_for_now_but_never_opens_one_the_person_shut(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path)
    panes.suggest("right", False)
    assert state(panes) == (True, False)
    panes.suggest("right", True)
    assert state(panes) == (True, True)
    panes.toggle("right")
    panes.suggest("right", True)
    assert state(panes) == (True, False)


def test_larger_letters_widen_the_panes_and_fold_them_earlier(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path, 1440)
    panes.set_zoom(2.0)
    assert state(panes) == (True, False)
    assert panes.widget(0).minimumWidth() == 2 * LEFT_MIN  # type: ignore[union-attr]
    widen(panes, 1000)
    assert state(panes) == (False, False)
    panes.set_zoom(1.0)
    assert state(panes) == (True, False)
