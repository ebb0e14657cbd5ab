"""Panes fold by width, follow the person, and remember."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.main_window.panes import LEFT_MIN, RIGHT_MIN, Panes


def panes_in(qtbot: QtBot, folder: Path, width: int = 1280) -> Panes:
    panes = Panes(QWidget(), QWidget(), QWidget(), QSettings(str(folder / "w.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(panes)
    panes.resize(width, 600)
    panes.show()
    return panes


def state(panes: Panes) -> tuple[bool, bool]:
    return panes.is_open("left"), panes.is_open("right")


@pytest.mark.parametrize(
    ("width", "shown"), [(1440, (True, True)), (1000, (True, True)), (900, (True, False)), (600, (False, False))]
)
def test_a_narrow_window_folds_the_right_pane_first_then_the_left(
    qtbot: QtBot, tmp_path: Path, width: int, shown: tuple[bool, bool]
) -> None:
    assert state(panes_in(qtbot, tmp_path, width)) == shown


def test_what_a_narrow_window_folded_comes_back_with_the_width(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path, 600)
    panes.resize(1280, 600)
    assert state(panes) == (True, True)


def test_a_folded_pane_can_be_asked_for_in_a_narrow_window(qtbot: QtBot, tmp_path: Path) -> None:
    panes = panes_in(qtbot, tmp_path, 700)
    panes.toggle("right")
    assert state(panes) == (False, True)
    panes.toggle("left")
    assert state(panes) == (True, False)


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
    panes.resize(1000, 600)
    assert state(panes) == (False, False)
    panes.set_zoom(1.0)
    assert state(panes) == (True, True)


@pytest.mark.parametrize(("zoom", "width", "wanted"), [(1.0, 420, 601), (2.0, 900, 1201)])
def test_a_pane_that_does_not_fit_beside_the_centre_wants_room_and_stays(
    qtbot: QtBot, tmp_path: Path, zoom: float, width: int, wanted: int
) -> None:
    panes = panes_in(qtbot, tmp_path, width)
    panes.set_zoom(zoom)
    told: list[int] = []
    panes.room_wanted.connect(told.append)
    panes.room_wanted.connect(lambda needed: panes.resize(needed, 600))
    panes.toggle("right")
    assert told == [wanted]
    assert state(panes) == (False, True)
    qtbot.waitUntil(lambda: panes.sizes()[2] >= RIGHT_MIN)
    assert sum(panes.sizes()) <= panes.width()
