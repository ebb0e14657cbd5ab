"""Four positions, one chosen, by mouse, keys and code."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMenu
from pytestqt.qtbot import QtBot

from app.core.run.mode import MODE_IDS
from app.ui.texts import mode_tip, mode_title
from app.ui.widgets.fields.mode_selector import ModeChoice, ModeSelector


def selector_on(qtbot: QtBot) -> tuple[ModeSelector, list[str]]:
    selector = ModeSelector([ModeChoice(id, mode_title(id), mode_tip(id)) for id in MODE_IDS])
    qtbot.addWidget(selector)
    selector.show()
    told: list[str] = []
    selector.mode_changed.connect(told.append)
    return selector, told


def test_the_first_mode_is_chosen_and_code_changes_it_in_silence(qtbot: QtBot) -> None:
    selector, told = selector_on(qtbot)
    assert selector.mode() == "auto"
    selector.set_mode("plan")
    assert selector.mode() == "plan"
    selector.set_mode("gone")
    assert selector.mode() == "auto"
    assert told == []


def test_a_click_and_the_arrows_choose(qtbot: QtBot) -> None:
    selector, told = selector_on(qtbot)
    buttons = selector.findChildren(QAbstractButton)
    assert [button.text() for button in buttons] == ["Auto", "Direct", "ReAct", "Plan"]
    assert all(button.accessibleName() and button.toolTip() for button in buttons)
    QTest.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    QTest.keyClick(buttons[2], Qt.Key.Key_Right)
    QTest.keyClick(selector, Qt.Key.Key_Right)
    assert told == ["react", "plan", "auto"]


def test_cycling_goes_round(qtbot: QtBot) -> None:
    selector, told = selector_on(qtbot)
    for _ in range(4):
        selector.cycle()
    assert told == ["direct", "react", "plan", "auto"]


def test_tab_stops_at_the_chosen_position_only(qtbot: QtBot) -> None:
    selector, _told = selector_on(qtbot)
    selector.set_mode("react")
    stops = [b.text() for b in selector.findChildren(QAbstractButton) if b.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == ["ReAct"]


def test_new_modes_appear_and_the_chosen_one_stays(qtbot: QtBot) -> None:
    selector, _told = selector_on(qtbot)
    selector.set_mode("plan")
    selector.set_modes([ModeChoice("plan", "Plan"), ModeChoice("mine", "Mine & yours")])
    assert selector.modes() == ["plan", "mine"]
    assert selector.mode() == "plan"


def test_without_room_the_chosen_mode_stands_alone_and_lists_the_others(qtbot: QtBot) -> None:
    selector, told = selector_on(qtbot)
    selector.set_mode("react")
    selector.set_short(is_short=True)
    buttons = selector.findChildren(QAbstractButton)
    assert [button.text() for button in buttons if not button.isHidden()] == ["ReAct"]
    QTest.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    menu = selector.findChild(QMenu, "modeMenu")
    assert menu is not None
    assert [entry.text() for entry in menu.actions()] == ["Auto", "Direct", "ReAct", "Plan"]
    menu.actions()[3].trigger()
    assert told == ["plan"]
    assert [button.text() for button in buttons if not button.isHidden()] == ["Plan"]
    QTest.keyClick(buttons[3], Qt.Key.Key_Left)
    assert selector.mode() == "react"
    selector.set_short(is_short=False)
    assert [button.text() for button in buttons if not button.isHidden()] == ["Auto", "Direct", "ReAct", "Plan"]
