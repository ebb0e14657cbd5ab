from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from app.core.run.chat_model import Usage
from app.core.run.events import LoopEnd, Notice, PhaseStart, PlanMade, PlanStepChanged
from app.core.run.plan import Plan, PlanStep, read_plan
from app.core.run.plan_template import PlanTemplate
from app.core.run.run_stats import RunFigures
from app.ui.reasoning import ReasoningPane
from app.ui.reasoning.plan.plan import PlanView
from app.ui.reasoning.plan.plan_draft import PlanDraft
from app.ui.reasoning.plan.plan_edit_row import PlanEditRow
from app.ui.reasoning.plan.plan_run_row import PlanRunRow
from app.ui.theme import Theme
from tests.ui import screen
from tests.ui.reasoning.runs import HOSTILE, STEPS, feed

TOOLS = ("search_cities", "generate_route")


@dataclass(frozen=True)
class Tool:
    name: str
    parameters: dict[str, Any]
    description: str = ""


TOOL_ENTRIES = (
    Tool("search_cities", {"properties": {"limit": {"type": "integer"}, "region": {"type": "string"}}}),
    Tool(
        "generate_route",
        {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]},
    ),
)


@pytest.fixture
def view(qtbot: QtBot) -> PlanView:
    view = PlanView(Theme())
    qtbot.addWidget(view)
    view.show_plan(Plan("a trip", STEPS))
    view.resize(360, 600)
    view.show()
    return view


def press(qtbot: QtBot, view: PlanView, name: str, row: int) -> None:
    def buttons() -> list[QToolButton]:
        return [b for b in view.findChildren(QToolButton) if b.accessibleName() == name and b.isVisible()]

    qtbot.waitUntil(lambda: len(buttons()) > row)
    buttons()[row].click()


# ---------------------------------------------------------------- the draft


def test_an_untouched_plan_is_handed_in_as_it_was() -> None:
    assert PlanDraft("g", STEPS).handed_in() == [step.to_json() for step in STEPS]


def test_references_follow_their_step_when_it_moves() -> None:
    draft = PlanDraft("g", (PlanStep(1, "search_food", {}, "food"), *_shifted()))
    draft.move(1, 1)
    steps = draft.handed_in()
    assert [step["description"] for step in steps] == ["find a city", "food", "make a route"]
    assert steps[2]["params"]["city"] == "$1.data.id"
    assert steps[2]["needs"] == [1]
    assert draft.faults() == []


def _shifted() -> tuple[PlanStep, ...]:
    return (
        PlanStep(2, "search_cities", {}, "find a city"),
        PlanStep(3, "generate_route", {"city": "$2.data.id"}, "make a route", (2,)),
    )


def test_references_are_shown_and_changed_by_the_places_steps_have_now() -> None:
    draft = PlanDraft("g", _shifted())
    draft.move(2, 1)
    later = draft.steps()[0]
    assert draft.placed(later).params == {"city": "$2.data.id"}
    draft.move(2, -1)
    draft.set_params(3, {"city": "$1.data.name"})
    assert draft.steps()[1].params == {"city": "$2.data.name"}
    assert draft.handed_in()[1]["params"] == {"city": "$1.data.name"}


def test_a_step_before_what_it_needs_is_a_fault() -> None:
    draft = PlanDraft("g", STEPS)
    draft.move(2, -1)
    assert [(f.step, f.needs, f.is_removed) for f in draft.faults()] == [(1, "find a city", False)]


def test_a_step_whose_source_was_deleted_is_a_fault() -> None:
    draft = PlanDraft("g", STEPS)
    draft.remove(1)
    assert [(f.step, f.is_removed) for f in draft.faults()] == [(1, True), (2, True)]


@given(st.lists(st.tuples(st.sampled_from(("up", "down", "remove")), st.integers(0, 2)), max_size=8))
def test_whatever_a_person_does_a_plan_without_faults_is_valid(changes: list[tuple[str, int]]) -> None:
    draft = PlanDraft("g", STEPS)
    for what, place in changes:
        steps = draft.steps()
        if place < len(steps):
            number = steps[place].step
            if what == "remove":
                draft.remove(number)
            else:
                draft.move(number, -1 if what == "up" else 1)
    if draft.steps() and not draft.faults():
        plan = read_plan({"goal": draft.goal, "steps": draft.handed_in()}, TOOLS)
        assert [step.description for step in plan.steps] == [step.description for step in draft.steps()]


# ---------------------------------------------------------------- the view


def test_a_plan_is_only_read_until_the_run_waits(view: PlanView) -> None:
    assert not view.run_button.isVisible()
    view.set_waiting(True)
    assert view.run_button.isVisible()
    assert view.run_button.isEnabled()


def test_renaming_and_running_hands_the_plan_in(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    field = next(f for f in view.findChildren(QLineEdit) if f.text() == "find a city")
    field.clear()
    QTest.keyClicks(field, "find a village")
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    goal, steps = handed.args
    assert goal == "a trip"
    assert [step["description"] for step in steps] == ["find a village", "make a route", "write it down"]
    assert not view.is_editable


def test_a_plan_that_cannot_run_says_why_and_can_be_restored(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    press(qtbot, view, "Delete the step", 0)
    assert not view.run_button.isEnabled()
    assert "find a city" in view._faults.text()
    view._restore.click()
    assert view.run_button.isEnabled()
    assert not view._restore.isVisible()


def test_moving_a_step_down_changes_the_order(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    press(qtbot, view, "Delete the step", 2)
    press(qtbot, view, "Move down", 0)
    assert not view.run_button.isEnabled()
    press(qtbot, view, "Move up", 1)
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    assert [step["step"] for step in handed.args[1]] == [1, 2]


def test_a_step_of_ones_own_needs_words_and_is_handed_in_last(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    view._add.click()
    assert not view.run_button.isEnabled()
    row = view._last_row()
    assert isinstance(row, PlanEditRow)
    QTest.keyClicks(row.name, "tell a joke")
    assert view.run_button.isEnabled()
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    assert [(s["step"], s["action"], s["description"]) for s in handed.args[1]][-1] == (4, "none", "tell a joke")


def row_of(view: PlanView, name: str) -> PlanEditRow:
    return next(row for row in view.findChildren(PlanEditRow) if row.name.text() == name and row.isVisible())


def field_of(row: PlanEditRow, name: str) -> QLineEdit:
    assert row.form is not None
    field = row.form.control(name)
    assert isinstance(field, QLineEdit)
    return field


def test_arguments_are_changed_in_a_form_of_the_tool(view: PlanView, qtbot: QtBot) -> None:
    view.set_tools(TOOL_ENTRIES)
    view.set_waiting(True)
    row = row_of(view, "make a route")
    row.edit.click()
    assert field_of(row, "city").text() == "$1.data.id"
    field_of(row, "days").setText("many")
    assert not view.run_button.isEnabled()
    field_of(row, "days").setText("5")
    field_of(row, "city").setText("$3.data.id")
    assert "later" in view._faults.text()
    field_of(row, "city").setText("chengdu")
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    assert handed.args[1][1]["params"] == {"city": "chengdu", "days": 5}


def test_another_tool_keeps_what_it_takes_and_asks_for_what_it_needs(view: PlanView, qtbot: QtBot) -> None:
    view.set_tools(TOOL_ENTRIES)
    view.set_waiting(True)
    row = row_of(view, "find a city")
    row.tool.setCurrentIndex(row.tool.findData("generate_route"))
    row.tool.activated.emit(row.tool.currentIndex())
    row = row_of(view, "find a city")
    assert not view.run_button.isEnabled()
    field_of(row, "city").setText("emei")
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    first = handed.args[1][0]
    assert (first["action"], first["params"]) == ("generate_route", {"city": "emei"})


def test_a_step_is_inserted_below_another_and_moved_by_keys(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    press(qtbot, view, "Insert a step below", 0)
    row = row_of(view, "")
    QTest.keyClicks(row.name, "ask a friend")
    QTest.keyClick(row.name, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    steps = handed.args[1]
    assert [step["description"] for step in steps][:3] == ["ask a friend", "find a city", "make a route"]
    assert steps[2]["params"]["city"] == "$2.data.id"


def test_a_step_can_be_marked_to_ask_first(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    row_of(view, "make a route").ask.click()
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    assert [step.get("ask", False) for step in handed.args[1]] == [False, True, False]


def test_run_next_hands_in_and_pauses_after_the_first_step(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    heard: list[object] = []
    view.ordered.connect(lambda *order: heard.append(order))
    view.submitted.connect(lambda goal, _steps: heard.append(goal))
    view.next_button.click()
    assert heard == [("next", 0, None), "a trip"]
    view.set_running(True)
    assert view.run_bar.resume.isVisible()
    assert view.run_bar.resume.text() == "Continue from step 1"


def test_a_template_is_kept_and_used(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    view.templates.menu.actions()[0].trigger()
    assert view.templates.name.text() == "a trip"
    view.templates.name.clear()
    QTest.keyClicks(view.templates.name, "short trip")
    with qtbot.waitSignal(view.template_saved) as saved:
        QTest.keyClick(view.templates.name, Qt.Key.Key_Return)
    assert (saved.args[0], len(saved.args[2])) == ("short trip", 3)
    kept = (PlanStep(1, "search_cities", {}, "look"), PlanStep(2, "generate_route", {"city": "$1.data.id"}, "go", (1,)))
    view.set_templates([PlanTemplate("t1", "travel", "short trip", "a walk", kept)])
    next(action for action in view.templates.menu.actions() if action.text() == "short trip").trigger()
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    assert handed.args[0] == "a walk"
    assert [step["description"] for step in handed.args[1]] == ["look", "go"]
    assert handed.args[1][1]["params"] == {"city": "$1.data.id"}


def test_a_template_can_be_deleted(view: PlanView, qtbot: QtBot) -> None:
    view.set_templates([PlanTemplate("t1", "travel", "short & sweet", "a walk", STEPS)])
    menu = view.templates.menu.findChildren(QMenu)[0]
    with qtbot.waitSignal(view.template_deleted) as deleted:
        menu.actions()[0].trigger()
    assert deleted.args == ["t1"]


def test_the_estimate_is_called_one_and_rests_on_earlier_plans(view: PlanView) -> None:
    view.set_waiting(True)
    assert view._estimate.text() == "Estimate: 2 tool calls, 2 requests"
    view.set_earlier([RunFigures("s", "travel", "plan", 4, Usage(900, 100), 8.0, True)])
    assert view._estimate.text().startswith("Estimate: 2 tool calls, 2 requests, ≈ 500 tokens, ≈ 4.0 s (from 1 ")


# ---------------------------------------------------------------- while it runs


@pytest.fixture
def running(view: PlanView) -> PlanView:
    view.set_tools(TOOL_ENTRIES)
    view.set_running(True)
    return view


def run_row(view: PlanView, number: int) -> PlanRunRow:
    return view._rows[number]


def choose(row: PlanRunRow, text: str) -> None:
    screen.choose(row.more, row.menu, text)


def test_a_plan_is_paused_stepped_and_continued(running: PlanView, qtbot: QtBot) -> None:
    running.set_status(1, "done")
    orders: list[str] = []
    running.ordered.connect(lambda order, _step, _value: orders.append(order))
    running.run_bar.pause.click()
    assert running.run_bar.resume.text() == "Continue from step 2"
    QTest.keyClick(running.run_bar.next, Qt.Key.Key_Space)
    running.set_status(2, "running")
    assert "make a route" in running.run_bar._told.text()
    running.run_bar.resume.click()
    assert orders == ["pause", "next", "resume"]
    assert running.run_bar.pause.isVisible()


def test_a_step_to_come_is_skipped(running: PlanView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(running.ordered) as ordered:
        run_row(running, 2).quick.click()
    assert ordered.args == ["skip", 2, None]


def test_a_failed_step_is_tried_again_with_other_arguments(running: PlanView, qtbot: QtBot) -> None:
    running.set_status(1, "done")
    running.set_status(2, "failed", "no such city")
    row = run_row(running, 2)
    choose(row, "Try again with other arguments…")
    assert row.editor is not None
    assert row.editor.form is not None
    field = row.editor.form.control("city")
    assert isinstance(field, QLineEdit)
    field.setText("emei")
    accept = row.editor.accept
    qtbot.waitUntil(lambda: screen.why_not(accept) == "")
    with qtbot.waitSignal(running.ordered) as ordered:
        screen.click(accept)
    assert ordered.args == ["retry", 2, {"city": "emei", "days": 3}]
    with qtbot.waitSignal(running.ordered) as ordered:
        screen.click(row.quick)
    assert ordered.args == ["retry", 2, None]


@pytest.mark.parametrize(("text", "value"), [('{"id": 7}', {"id": 7}), ("seven", "seven")])
def test_a_result_is_put_in_by_hand(running: PlanView, qtbot: QtBot, text: str, value: object) -> None:
    row = run_row(running, 3)
    choose(row, "Put in a result by hand…")
    assert row.editor is not None
    accept, field = row.editor.accept, row.editor.field
    assert field is not None
    assert not accept.isEnabled()
    qtbot.waitUntil(field.isVisible)
    QTest.keyClicks(field, text)
    qtbot.waitUntil(lambda: screen.why_not(accept) == "")
    with qtbot.waitSignal(running.ordered) as ordered:
        screen.click(accept)
    assert ordered.args == ["result", 3, value]
    assert row.editor is None


def test_cancel_of_a_result_by_hand_gives_nothing(running: PlanView, qtbot: QtBot) -> None:
    row = run_row(running, 3)
    choose(row, "Put in a result by hand…")
    assert row.editor is not None
    cancel = row.editor.cancel
    qtbot.waitUntil(lambda: screen.why_not(cancel) == "")
    with qtbot.assertNotEmitted(running.ordered):
        screen.click(cancel)
    assert row.editor is None


def test_what_is_written_for_a_step_stays_whatever_the_plan_does_meanwhile(running: PlanView, qtbot: QtBot) -> None:
    row = run_row(running, 3)
    choose(row, "Put in a result by hand…")
    assert row.editor is not None
    editor = row.editor
    assert editor.field is not None
    QTest.keyClicks(editor.field, "seven")
    changes: list[Callable[[], None]] = [
        lambda: running.set_status(3, "running"),
        lambda: running.set_status(3, "failed", "no"),
        lambda: running.set_theme(Theme("dark")),
        lambda: running.show_plan(Plan("a trip", STEPS, 2)),
        running.set_over,
    ]
    for change in changes:
        change()
        now = run_row(running, 3).editor
        assert now is editor
        assert (editor.field.toPlainText(), editor.isVisible()) == ("seven", True)
    assert not editor.accept.isEnabled()
    running.set_running(True)
    qtbot.waitUntil(lambda: screen.why_not(editor.accept) == "")
    with qtbot.waitSignal(running.ordered) as ordered:
        screen.click(editor.accept)
    assert ordered.args == ["result", 3, "seven"]


def test_changes_that_were_not_handed_in_come_back_with_their_plan(view: PlanView) -> None:
    view.session = "one"
    view.set_waiting(True)
    field = row_of(view, "find a city").name
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_End)
    QTest.keyClicks(field, " by the sea")
    view.set_over()
    view.clear()
    for session, name in (("two", "find a city"), ("one", "find a city by the sea")):
        view.session = session
        view.show_plan(Plan("a trip", STEPS, 2))
        view.set_waiting(True)
        assert row_of(view, name).isVisible()
        view.clear()


def test_nothing_can_be_steered_when_the_plan_is_over(running: PlanView) -> None:
    choose(run_row(running, 3), "Put in a result by hand…")
    running.set_running(False)
    assert not running.run_bar.isVisible()
    for number in (1, 2, 3):
        assert not run_row(running, number).more.isVisible()
        assert run_row(running, number).editor is None


def test_a_plan_has_at_most_twelve_steps(view: PlanView) -> None:
    view.set_waiting(True)
    for _ in range(12):
        view._add.click()
    assert len(view._draft.steps()) == 12  # type: ignore[union-attr]
    assert not view._add.isEnabled()


def test_descriptions_are_literal(view: PlanView) -> None:
    view.show_plan(Plan(HOSTILE, (PlanStep(1, "none", {"a": HOSTILE}, HOSTILE),)))
    view.set_waiting(True)
    for field in view.findChildren(QLineEdit):
        assert "\u202e" not in field.text()


def test_the_pane_offers_editing_in_the_approval_phase_and_ends_it_after(qtbot: QtBot) -> None:
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    pane.show()
    feed(pane, PlanMade("a trip", STEPS, 1), 0.0)
    with qtbot.waitSignal(pane.plan_waiting):
        feed(pane, PhaseStart("approval"), 0.0)
    assert pane.plan.is_editable
    assert pane.plan.isVisible()
    with qtbot.waitSignal(pane.plan_submitted):
        pane.plan.run_button.click()
    feed(pane, PlanMade("a trip", STEPS, 2), 0.1)
    feed(pane, PhaseStart("executing"), 0.1)
    feed(pane, PlanStepChanged(1, "done"), 0.2)
    assert not pane.plan.is_editable
    feed(pane, LoopEnd("", "answered"), 0.3)


def test_a_plan_the_run_refuses_comes_back_with_the_changes_and_the_reasons(qtbot: QtBot) -> None:
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    pane.show()
    feed(pane, PlanMade("a trip", STEPS, 1), 0.0)
    feed(pane, PhaseStart("approval"), 0.0)
    pane.plan._goal_edit.clear()
    QTest.keyClicks(pane.plan._goal_edit, "a walk")
    pane.plan.run_button.click()
    feed(pane, Notice("plan_faults", "", {"faults": ["step 1: days must be a number"]}), 0.1)
    assert pane.plan.is_editable
    assert pane.plan._goal_edit.text() == "a walk"
    assert "days must be a number" in pane.plan._faults.text()
    with qtbot.waitSignal(pane.plan_submitted) as handed:
        pane.plan.run_button.click()
    assert handed.args[0] == "a walk"


def test_a_stored_plan_never_waits(qtbot: QtBot) -> None:
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    feed(pane, PlanMade("a trip", STEPS, 1), 0.0, live=False)
    feed(pane, PhaseStart("approval"), 0.0, live=False)
    assert not pane.plan.is_editable
