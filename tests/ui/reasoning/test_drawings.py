"""Timeline, graph and cost: what is drawn can be pointed at, walked through, zoomed and saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.core.run.analysis.run_stats import RunFigures
from app.core.run.chat_model import Usage
from app.core.run.events import Approval, ApprovalAnswer, LoopEnd, PlanMade, RoundStart, StepEnd, StepStart, ToolStarted
from app.ui.reasoning import ReasoningPane
from app.ui.reasoning.canvas import DrawingCanvas
from app.ui.reasoning.drawing_view import DrawingView
from app.ui.theme import Theme
from tests.ui.reasoning.runs import HOSTILE, STEPS, call, feed, react_run, result

RUN = (
    (StepStart(1, 8, 5), 0.0),
    (call(query=HOSTILE), 1.0),
    (Approval("a1", "c1", "search_cities", {}, "rule"), 1.0),
    (ApprovalAnswer("a1", "once"), 3.0),
    (ToolStarted(1, "c1", "search_cities"), 3.0),
    (result(), 3.5),
    (StepEnd(1, "tool_calls", Usage(100, 20, 5), 900, 200), 3.6),
    (RoundStart(1, 3), 3.6),
    (StepStart(2, 8, 5), 3.6),
    (StepEnd(2, "stop", Usage(200, 40), 1_000, 300), 4.7),
    (LoopEnd("x", "answered", usage=Usage(300, 60), steps=2, seconds=4.7), 4.7),
)


@pytest.fixture
def pane(qtbot: QtBot) -> ReasoningPane:
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    pane.resize(360, 700)
    pane.show()
    for event, t in RUN:
        feed(pane, event, t, live=False)
    return pane


def tab_of(pane: ReasoningPane, view: QWidget) -> int:
    return next(tab for tab in range(pane._tabs.count()) if pane._stack.widget(tab).isAncestorOf(view))  # type: ignore[union-attr]


def show(pane: ReasoningPane, view: DrawingView) -> DrawingCanvas:
    pane._tabs.setCurrentIndex(tab_of(pane, view))
    switch = pane.drawings.switch
    if switch.isChecked() != (view is vars(pane).get("graph")):
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert view.isVisible()
    view.canvas.renew()
    return view.canvas


def test_each_span_of_the_timeline_can_be_pointed_at(pane: ReasoningPane, qtbot: QtBot) -> None:
    canvas = show(pane, pane.timeline)
    told = [mark.told for mark in canvas.marks]
    assert "Request 1 to the model · 900 ms\n100 tokens read, 20 written\nfirst token after 200 ms" in told
    assert "Waited for your approval: search_cities · 2.0 s" in told
    mark = next(mark for mark in canvas.marks if mark.call == "c1")
    with qtbot.waitSignal(pane.place_activated) as placed:
        QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=mark.rect.center().toPoint())
    assert placed.args == [1, "c1"]
    assert "12 ms" in pane.timeline._told.text()
    assert "\u202e" not in pane.timeline._told.text()
    assert "<img" not in canvas.viewport().toolTip()


def test_the_timeline_is_walked_and_zoomed_by_keys(pane: ReasoningPane, qtbot: QtBot) -> None:
    canvas = show(pane, pane.timeline)
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.chosen == "step 1"
    with qtbot.waitSignal(pane.place_activated) as placed:
        QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert placed.args == [1, ""]
    QTest.keyClick(canvas, Qt.Key.Key_Left)
    assert canvas.chosen == "step 1"
    narrow = canvas.marks[0].rect.width()
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.marks[0].rect.width() == pytest.approx(narrow * 1.5)
    assert canvas.horizontalScrollBar().maximum() > 0
    for _press in range(9):
        QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.horizontalScrollBar().value() > 0
    QTest.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.marks[0].rect.width() == pytest.approx(narrow)


def test_the_graph_says_what_fed_what(qtbot: QtBot) -> None:
    pane = ReasoningPane(Theme("dark"), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    pane.show()
    feed(pane, PlanMade("g", STEPS, 1), 0.0)
    canvas = show(pane, pane.graph)
    assert [mark.id for mark in canvas.marks] == ["question", "plan 1", "plan 2", "plan 3"]
    assert canvas.marks[-1].told.endswith("Fed by: search_cities, generate_route")
    tops = [mark.rect.top() for mark in canvas.marks]
    assert tops == sorted(tops)
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    assert canvas.chosen == "question"


def save(view: DrawingView, entry: int, file: Path) -> None:
    view.menu.actions()[entry].trigger()
    dialog = view.findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(str(file))
    dialog.close()


@pytest.mark.parametrize("name", ["timeline", "graph"])
def test_a_drawing_is_saved_as_a_picture_and_as_json(pane: ReasoningPane, tmp_path: Path, name: str) -> None:
    view: DrawingView = getattr(pane, name)
    canvas = show(pane, view)
    canvas.zoom_by(1)
    before = [mark.rect for mark in canvas.marks]
    save(view, 0, tmp_path / "a.png")
    image = QImage(str(tmp_path / "a.png"))
    assert image.width() > canvas.viewport().width()
    assert len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 5)}) > 5
    assert [mark.rect for mark in canvas.marks] == before
    save(view, 1, tmp_path / "a.json")
    assert any(line.get("call") == "c1" for line in json.loads((tmp_path / "a.json").read_text(encoding="utf-8")))
    assert "a.json" in view._told.text()
    save(view, 1, tmp_path / "no" / "a.json")
    assert view._told.text().startswith("Not saved")


def test_a_run_without_tools_has_no_graph_and_a_new_run_starts_empty(pane: ReasoningPane) -> None:
    pane.clear()
    assert not pane._tabs.isTabVisible(tab_of(pane, pane.graph))
    assert not pane.drawings.switch.isVisibleTo(pane.drawings)
    assert not pane.timeline.as_json()
    for event in react_run():
        feed(pane, event, 0.0)
    assert show(pane, pane.graph).marks


def test_tokens_are_drawn_per_step_and_per_round_and_summed(pane: ReasoningPane) -> None:
    pane._tabs.setCurrentIndex(tab_of(pane, pane.cost))
    assert pane.cost.steps.accessibleDescription() == "Request 1: 120; Request 2: 240"
    assert pane.cost.rounds.accessibleDescription() == "Before: 120; Round 1: 240"
    figures = [RunFigures("s", "a", "react", 2, Usage(1_000, 200), 3.0, True)] * 2
    pane.cost.show_sums([("This session", figures), ("Nobody", [])])
    assert pane.cost._sums.text() == "This session: 2 runs, 2,400 tokens (2,000 read, 400 written)"
    pane.clear()
    assert pane.cost.steps.isHidden()
    assert pane.cost._sums.isHidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_drawings_follow_the_theme(pane: ReasoningPane, scheme: str) -> None:
    for view in (pane.timeline, pane.graph):
        show(pane, view)
        pane.set_theme(Theme(scheme, 1.5))  # type: ignore[arg-type]
        pane.grab()
        assert view.canvas.theme.zoom == 1.5


def test_a_view_is_made_when_it_is_looked_at_and_has_all_it_missed(pane: ReasoningPane) -> None:
    figures = [RunFigures("s", "a", "react", 2, Usage(1_000, 200), 3.0, True)]
    pane.show_sums([("This session", figures)])
    made = {name for name in ("timeline", "graph", "cost", "raw") if name in vars(pane)}
    assert not made
    for tab in range(pane._tabs.count()):
        pane._tabs.setCurrentIndex(tab)
    assert "graph" not in vars(pane)
    pane._tabs.setCurrentIndex(tab_of(pane, pane.timeline))
    QTest.mouseClick(pane.drawings.switch, Qt.MouseButton.LeftButton)
    assert "graph" in vars(pane)
    assert pane.timeline.as_json()
    assert len(pane.graph.as_json()) > 1
    assert [step.step for step in pane.cost.model.steps()] == [1, 2]
    assert pane.cost._sums.text().startswith("This session: 1 run,")
    feed(pane, StepEnd(3, "stop", Usage(10, 10), 100, 10), 5.0)
    assert [step.step for step in pane.cost.model.steps()] == [1, 2, 3]


async def test_views_are_made_one_after_the_other_in_places_that_keep_their_names(qtbot: QtBot) -> None:
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    place = pane.findChild(QWidget, "costView")
    assert place is not None
    await pane.make_views()
    assert pane.findChild(QWidget, "costView") is place
    assert place.isAncestorOf(pane.cost)
    assert all(name in vars(pane) for name in ("timeline", "graph", "cost", "raw"))


def test_what_lasts_has_grown_when_the_timeline_is_looked_at_later(
    pane: ReasoningPane, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane.clear()
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    for event, t in RUN[:5]:
        feed(pane, event, t)
    now[0] += 40.0
    assert "search_cities · 40 s" in " ".join(mark.told for mark in show(pane, pane.timeline).marks)
