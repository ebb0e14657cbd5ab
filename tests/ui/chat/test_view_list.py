"""The virtual list: few widgets, a steady place, the bottom as long as nobody scrolls away."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.ui.chat.heights import Heights
from app.ui.chat.virtual_list import EDGE, KEPT, KEPT_PIXELS, VirtualList


class Box(QWidget):
    def __init__(self, parent: QWidget, height: int) -> None:
        super().__init__(parent)
        self.real = height

    def wanted(self, width: int) -> int:
        return self.real if width > 400 else 2 * self.real


class Boxes:
    """Rows of known heights; guesses are wrong on purpose."""

    def __init__(self, count: int, guess: int = 60) -> None:
        chance = Random(7)
        self.heights = {f"r{n}": chance.randint(20, 300) for n in range(count)}
        self.guessed = guess
        self.built: list[str] = []
        self.prepared: list[str] = []

    def keys(self) -> list[str]:
        return list(self.heights)

    def guess(self, key: str, width: int) -> int:
        return self.guessed

    def prepare(self, key: str) -> bool:
        is_new = key not in self.prepared
        self.prepared += [key] if is_new else []
        return is_new

    def build(self, key: str, parent: QWidget) -> QWidget:
        self.built.append(key)
        return Box(parent, self.heights[key])


def make(qtbot: QtBot, count: int, guess: int = 60) -> tuple[VirtualList, Boxes]:
    boxes = Boxes(count, guess)
    made = VirtualList(boxes)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    made.reset()
    return made, boxes


def tops(made: VirtualList) -> dict[str, int]:
    return {key: widget.y() for key, widget in made.realised().items()}


def wheel(made: VirtualList, steps: int) -> None:
    at = QPointF(400, 300)
    none = Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(
        at, at, QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(made.viewport(), event)


@given(st.lists(st.integers(0, 500), max_size=60), st.integers(-10, 40_000))
def test_sums_and_places_agree_with_plain_addition(values: list[int], y: int) -> None:
    heights = Heights(values[: len(values) // 2])
    for value in values[len(values) // 2 :]:
        heights.append(value)
    assert [heights.top(index) for index in range(len(values) + 1)] == [
        sum(values[:index]) for index in range(len(values) + 1)
    ]
    covering = [n for n in range(len(values)) if sum(values[:n]) <= y < sum(values[: n + 1])]
    if covering:
        assert heights.row_at(y) == covering[0]


def test_a_changed_height_moves_what_is_below() -> None:
    heights = Heights([10, 20, 30])
    heights[1] = 5
    assert (heights.top(2), heights.total(), heights[1]) == (15, 45, 5)


def test_ten_thousand_rows_build_a_handful_of_widgets(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 10_000)
    assert made.built_count() < 30
    assert list(made.realised())[-1] == "r9999"
    made.scroll_to_row("r5000")
    made.verticalScrollBar().setValue(0)
    assert len(boxes.built) < 90


def test_the_rows_one_scrolls_to_are_made_piece_by_piece_before_they_come_into_sight(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 200)
    for steps, beyond in ((1, -1), (-1, 1)):
        made.scroll_to_row("r100")
        wheel(made, steps)
        before, count = tops(made), len(boxes.prepared)
        edge = int(list(before)[0 if beyond < 0 else -1].removeprefix("r"))
        ahead = [f"r{edge + beyond}", f"r{edge + 2 * beyond}"]
        qtbot.waitUntil(lambda ahead=ahead: all(made.is_measured(key) for key in ahead))  # type: ignore[misc]
        assert boxes.prepared[count:] == ahead, "each is prepared before it is built, and none beyond them"
        assert all(made.widget(key).isHidden() for key in ahead)  # type: ignore[union-attr]
        assert tops(made) == before, "what is in sight stays where it is"
        built = list(boxes.built)
        wheel(made, steps)
        assert boxes.built == built, "the step that brings them into sight makes nothing"


def test_it_opens_at_the_end_and_follows_new_rows(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 50)
    for number in range(5):
        boxes.heights[f"new{number}"] = 150
        made.appended(f"new{number}")
    last = made.realised()["new4"]
    assert last.y() + last.height() == made.viewport().height() - EDGE
    assert made.is_at_bottom()


def test_scrolling_up_ends_following_and_the_end_key_resumes_it(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 50)
    wheel(made, 3)
    assert not made.is_at_bottom()
    before = tops(made)
    boxes.heights["late"] = 400
    made.appended("late")
    after = tops(made)
    assert all(after[key] == before[key] for key in before if key in after)
    QTest.keyClick(made, Qt.Key.Key_End)
    assert made.is_at_bottom()
    assert "late" in made.realised()


def test_rows_in_sight_stay_when_those_above_turn_out_higher(qtbot: QtBot) -> None:
    made, _boxes = make(qtbot, 400, guess=30)
    for _ in range(60):
        before = tops(made)
        value = made.verticalScrollBar().value()
        wheel(made, 1)
        after = tops(made)
        moved = {after[key] - before[key] for key in before if key in after}
        if value > 100:
            assert moved == {80}


def test_a_growing_row_above_does_not_move_what_is_read(qtbot: QtBot) -> None:
    made, _boxes = make(qtbot, 60)
    made.scroll_to_row("r30")
    keys = list(made.realised())
    before = tops(made)
    first = made.realised()[keys[0]]
    assert isinstance(first, Box)
    assert first.y() + first.height() <= EDGE + 1
    first.real += 70
    made.height_changed(keys[0])
    after = tops(made)
    assert after["r30"] == before["r30"]


def test_a_new_width_measures_what_is_in_sight(qtbot: QtBot) -> None:
    made, _boxes = make(qtbot, 100)
    before = made.realised()["r99"].height()
    made.resize(380, 600)
    assert made.realised()["r99"].height() == 2 * before
    assert made.is_at_bottom()


def test_home_page_and_arrow_keys_scroll(qtbot: QtBot) -> None:
    made, _boxes = make(qtbot, 100)
    bar = made.verticalScrollBar()
    QTest.keyClick(made, Qt.Key.Key_Home)
    assert bar.value() == 0
    assert made.realised()["r0"].y() == EDGE
    QTest.keyClick(made, Qt.Key.Key_Down)
    assert bar.value() == 40
    QTest.keyClick(made, Qt.Key.Key_PageDown)
    assert bar.value() > 500
    QTest.keyClick(made, Qt.Key.Key_PageUp)
    QTest.keyClick(made, Qt.Key.Key_Up)
    assert bar.value() == 0


def test_rows_out_of_sight_are_kept_for_a_while_and_then_let_go(qtbot: QtBot) -> None:
    made, _boxes = make(qtbot, 1_000)
    for number in range(0, 1_000, 20):
        made.scroll_to_row(f"r{number}")
    assert made.built_count() <= KEPT + 20


def test_of_long_rows_fewer_are_kept(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 60)
    boxes.heights = dict.fromkeys(boxes.heights, 20_000)
    made.reset()
    for number in range(0, 60, 3):
        made.scroll_to_row(f"r{number}")
    assert made.built_count() * 20_000 <= KEPT_PIXELS + 3 * 20_000
    assert "r57" in made.realised()


def test_rows_that_come_and_go_in_the_middle_keep_the_place(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 100)
    made.scroll_to_row("r50")
    before = tops(made)["r50"]
    del boxes.heights["r10"]
    boxes.heights = {"r-new": 90, **boxes.heights}
    made.changed()
    assert tops(made)["r50"] == before
    assert made.widget("r10") is None


def test_no_rows_and_one_row_are_fine(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 0)
    assert made.realised() == {}
    boxes.heights["only"] = 50
    made.appended("only")
    assert made.realised()["only"].y() == EDGE
    assert made.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("position", [0.0, 0.3, 0.7, 1.0])
def test_rows_in_sight_cover_the_viewport_without_gaps(qtbot: QtBot, position: float) -> None:
    made, _boxes = make(qtbot, 300)
    bar = made.verticalScrollBar()
    bar.setValue(round(bar.maximum() * position))
    placed = sorted((widget.y(), widget.y() + widget.height()) for widget in made.realised().values())
    for above, below in itertools.pairwise(placed):
        assert above[1] == below[0]
    assert placed[0][0] <= EDGE
    assert placed[-1][1] >= made.viewport().height() - EDGE


def test_rows_seen_once_keep_their_heights_when_the_session_is_opened_again(qtbot: QtBot) -> None:
    made, boxes = make(qtbot, 60)
    while made.verticalScrollBar().value() > 0:
        made.verticalScrollBar().setValue(made.verticalScrollBar().value() - 300)
    exact = 2 * EDGE + sum(boxes.heights.values()) - made.viewport().height()
    assert made.verticalScrollBar().maximum() == exact
    shown, boxes.heights = boxes.heights, {"other": 50}
    made.reset()
    boxes.heights = shown
    made.reset()
    assert made.verticalScrollBar().maximum() == exact
    made.rebuild()
    made.reset()
    assert made.verticalScrollBar().maximum() != exact
