"""The quiet drop-down chooses by person and by code, and says what is chosen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.selectors.selector import Option, Selector

OPTIONS = [Option("a", "Alpha", "map"), Option("b", "<b>Beta</b>"), Option("c", "Gamma", enabled=False)]


def selector_on(qtbot: QtBot) -> tuple[Selector, list[str]]:
    selector = Selector(Theme(), "Agent")
    qtbot.addWidget(selector)
    selector.set_options(OPTIONS)
    selector.show()
    told: list[str] = []
    selector.chosen.connect(told.append)
    return selector, told


def test_code_chooses_in_silence_and_the_choice_survives_new_options(qtbot: QtBot) -> None:
    selector, told = selector_on(qtbot)
    selector.set_chosen("b")
    selector.set_options(OPTIONS[1:])
    assert (selector.chosen_id(), told) == ("b", [])
    selector.set_chosen("gone")
    assert selector.chosen_id() == ""


def test_the_keyboard_chooses_and_passes_over_what_cannot_be_chosen(qtbot: QtBot) -> None:
    selector, told = selector_on(qtbot)
    selector.set_chosen("a")
    QTest.keyClick(selector, Qt.Key.Key_Down)
    QTest.keyClick(selector, Qt.Key.Key_Down)
    assert told == ["b"]
    assert selector.currentText() == "<b>Beta</b>"
    assert selector.accessibleDescription() == "Agent"


def test_the_wheel_changes_nothing(qtbot: QtBot) -> None:
    selector, told = selector_on(qtbot)
    selector.set_chosen("a")
    place = QPointF(5, 5)
    none = Qt.KeyboardModifier.NoModifier
    wheel = QWheelEvent(
        place, place, QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(selector, wheel)
    assert (selector.chosen_id(), told) == ("a", [])


def test_a_state_is_shown_behind_the_name_and_goes_again(qtbot: QtBot) -> None:
    selector, _told = selector_on(qtbot)
    selector.set_chosen("a")
    narrow = selector.sizeHint().width()
    selector.set_suffix("Reflecting (2/3)")
    assert selector.sizeHint().width() > narrow
    selector.set_suffix("")
    assert selector.sizeHint().width() == narrow


def test_without_options_it_says_so(qtbot: QtBot) -> None:
    selector, _told = selector_on(qtbot)
    selector.set_options([], empty="No model")
    assert selector.isVisible()
    assert selector.accessibleDescription() == "Agent. No model"
    selector.set_options([])
    assert not selector.isVisible()


def test_where_there_is_no_room_the_end_of_what_goes_on_stays(qtbot: QtBot) -> None:
    selector, _told = selector_on(qtbot)
    selector.set_chosen("a")
    selector.set_suffix("Writing the answer · 12 s")
    width = selector.fontMetrics().horizontalAdvance("Writing the answer · 12 s") - 20
    assert selector._fitting(width).endswith("12 s")
    assert selector._fitting(width).startswith("Wri")
    assert selector._fitting(10_000) == "Alpha · Writing the answer · 12 s"
