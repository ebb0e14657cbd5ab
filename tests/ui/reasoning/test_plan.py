from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.core.events import LoopEnd, Notice, PhaseStart, PlanMade, PlanStepChanged
from app.core.plan import Plan, PlanStep, read_plan
from app.ui.reasoning import ReasoningPane
from app.ui.reasoning.plan import PlanView
from app.ui.reasoning.plan_draft import PlanDraft, read_arguments, written_arguments
from app.ui.reasoning.plan_edit_row import PlanEditRow
from app.ui.theme import Theme
from tests.ui.reasoning.runs import HOSTILE, STEPS

TOOLS = ("search_cities", "generate_route")


@pytest.fixture
def view(qtbot: QtBot) -> PlanView:
    view = PlanView(Theme())
    qtbot.addWidget(view)
    view.show_plan(Plan("a trip", STEPS))
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
    draft.rewrite(3, '{"city": "$1.data.name"}')
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


def test_arguments_are_changed_as_json(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    row = next(row for row in view.findChildren(PlanEditRow) if row.name.text() == "make a route")
    row.edit.click()
    assert '"$1.data.id"' in row.arguments.toPlainText()
    row.arguments.setPlainText('{"city": ')
    assert not view.run_button.isEnabled()
    row.arguments.setPlainText('{"city": "$3.data.id", "days": 5}')
    assert "later" in view._faults.text()
    row.arguments.setPlainText('{"city": "chengdu", "days": 5}')
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    assert handed.args[1][1]["params"] == {"city": "chengdu", "days": 5}


def test_hidden_characters_in_arguments_are_escapes_and_stay_the_same(view: PlanView) -> None:
    step = PlanStep(1, "write_file", {"path": "\u202egnp.md", "text": "a\u200bb\n"}, "write")
    text = written_arguments(step)
    assert "\\u202e" in text
    assert "\u202e" not in text
    assert read_arguments(text) == step.params


def test_moving_a_step_gives_up_what_could_not_be_read(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    row = next(row for row in view.findChildren(PlanEditRow) if row.name.text() == "find a city")
    row.edit.click()
    row.arguments.setPlainText("{")
    assert not view.run_button.isEnabled()
    press(qtbot, view, "Move down", 2 - 1)
    press(qtbot, view, "Move up", 2)
    assert view.run_button.isEnabled()


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
    pane.apply(PlanMade("a trip", STEPS, 1), 0.0)
    with qtbot.waitSignal(pane.plan_waiting):
        pane.apply(PhaseStart("approval"), 0.0)
    assert pane.plan.is_editable
    assert pane.plan.isVisible()
    with qtbot.waitSignal(pane.plan_submitted):
        pane.plan.run_button.click()
    pane.apply(PlanMade("a trip", STEPS, 2), 0.1)
    pane.apply(PhaseStart("executing"), 0.1)
    pane.apply(PlanStepChanged(1, "done"), 0.2)
    assert not pane.plan.is_editable
    pane.apply(LoopEnd("", "answered"), 0.3)


def test_a_plan_the_run_refuses_comes_back_with_the_changes_and_the_reasons(qtbot: QtBot) -> None:
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    pane.show()
    pane.apply(PlanMade("a trip", STEPS, 1), 0.0)
    pane.apply(PhaseStart("approval"), 0.0)
    pane.plan._goal_edit.clear()
    QTest.keyClicks(pane.plan._goal_edit, "a walk")
    pane.plan.run_button.click()
    pane.apply(Notice("plan_faults", "", {"faults": ["step 1: days must be a number"]}), 0.1)
    assert pane.plan.is_editable
    assert pane.plan._goal_edit.text() == "a walk"
    assert "days must be a number" in pane.plan._faults.text()
    with qtbot.waitSignal(pane.plan_submitted) as handed:
        pane.plan.run_button.click()
    assert handed.args[0] == "a walk"


def test_a_stored_plan_never_waits(qtbot: QtBot) -> None:
    pane = ReasoningPane(Theme(), spawn=lambda work: work.close())
    qtbot.addWidget(pane)
    pane.apply(PlanMade("a trip", STEPS, 1), 0.0, live=False)
    pane.apply(PhaseStart("approval"), 0.0, live=False)
    assert not pane.plan.is_editable
