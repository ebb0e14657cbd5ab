from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.run.analysis.run_stats import RunFigures
from app.core.run.analysis.tool_records import ToolRecord, result_fields
from app.core.run.chat_model import Usage
from app.core.run.events import LoopEnd, Notice, PhaseStart, PlanMade, PlanStepChanged, RunEvent
from app.core.run.plan import Plan, PlanStep, read_plan
from app.core.run.plan_template import PlanTemplate
from app.core.run.view import RunView
from app.ui.plan.draft import PlanDraft
from app.ui.plan.feed import PlanFeed
from app.ui.plan.steering import StepEditor, StepSteering
from app.ui.plan.step_form import StepForm
from app.ui.plan.step_line import StepLine
from app.ui.plan.view import PlanView
from app.ui.theme import Theme
from app.ui.widgets.fields.word_chips import WordChips
from tests.ui import screen
from tests.ui.reasoning.runs import HOSTILE, STEPS

TOOLS = ("search_cities", "generate_route")


@dataclass(frozen=True)
class Tool:
    name: str
    parameters: dict[str, Any]
    description: str = ""
    permission: str = "pure"


TOOL_ENTRIES = (
    Tool("search_cities", {"properties": {"limit": {"type": "integer"}, "region": {"type": "string"}}}),
    Tool(
        "generate_route",
        {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]},
    ),
)


@pytest.fixture(autouse=True)
def _names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tools go by their own names, whatever program was composed before."""
    monkeypatch.setattr("app.core.wording.tools._sources", [])


@pytest.fixture
def view(qtbot: QtBot) -> PlanView:
    view = PlanView(Theme())
    qtbot.addWidget(view)
    view.show_plan(Plan("a trip", STEPS))
    view.resize(640, 900)
    view.show()
    return view


def line(view: PlanView, place: int) -> StepLine:
    """The line of a step, by its place on the screen."""
    lines = [one for one in view.findChildren(StepLine) if one.isVisible()]
    return sorted(lines, key=lambda one: one.mapTo(view, one.rect().topLeft()).y())[place - 1]


def titles(view: PlanView) -> list[str]:
    lines = [one for one in view.findChildren(StepLine) if one.isVisible()]
    return [one.facts.title for one in sorted(lines, key=lambda one: one.facts.number)]


def opened(view: PlanView, place: int, qtbot: QtBot) -> StepForm:
    """The form of a step, unfolded by a click on its line."""
    screen.click(line(view, place))
    form = view.findChild(StepForm)
    assert form is not None
    qtbot.waitUntil(lambda: screen.why_not(form.remove) == "")
    return form


def edited(view: PlanView, qtbot: QtBot) -> PlanView:
    """Waiting for the person, who wants to change it."""
    view.set_waiting(True)
    qtbot.waitUntil(lambda: screen.why_not(view.footer.change) == "")
    screen.click(view.footer.change)
    qtbot.waitUntil(lambda: screen.why_not(view.tools.add) == "")
    return view


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


def test_each_change_is_taken_back_and_typing_is_one() -> None:
    draft = PlanDraft("g", STEPS)
    for text in ("find a c", "find a co", "find a coast"):
        draft.rename(1, text)
    draft.move(1, 1)
    draft.remove(2)
    draft.duplicate(1)
    draft.set_params(1, dict(STEPS[0].params))  # as it was: no change
    assert draft.changes == 4
    states = [[step.description for step in draft.steps()]]
    for _each in range(4):
        draft.undo()
        states.append([step.description for step in draft.steps()])
    assert states == [
        ["find a coast", "find a coast", "write it down"],
        ["find a coast", "write it down"],
        ["make a route", "find a coast", "write it down"],
        ["find a coast", "make a route", "write it down"],
        ["find a city", "make a route", "write it down"],
    ]
    assert not draft.is_changed


def test_what_has_run_already_is_not_changed() -> None:
    done = replace(STEPS[0], status="done")
    draft = PlanDraft("g", (done, *STEPS[1:]))
    draft.move(2, -1)
    draft.move(3, -5)
    assert [step.step for step in draft.steps()] == [1, 3, 2]
    assert draft.handed_in()[0]["status"] == "done"


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


# ---------------------------------------------------------------- the card


def test_a_plan_waits_with_one_primary_button_and_is_run_as_it_is(view: PlanView, qtbot: QtBot) -> None:
    assert not view.run_button.isVisible()
    view.set_tools(TOOL_ENTRIES)
    view.set_waiting(True)
    qtbot.waitUntil(lambda: screen.why_not(view.run_button) == "")
    primary = [b for b in view.findChildren(QPushButton) if b.isVisible() and b.property("kind") == "primary"]
    assert primary == [view.run_button]
    assert titles(view) == ["search_cities", "generate_route", "write it down"]
    assert view.footer.sum() == "2 tool calls · 2 requests · no network, no files"
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    assert handed.args == ["a trip", [step.to_json() for step in STEPS]]
    assert not view.is_waiting


def test_enter_runs_and_e_changes_only_where_the_card_has_the_focus_and_not_at_once(
    view: PlanView, qtbot: QtBot
) -> None:
    view.set_waiting(True)
    view.run_button.setFocus()
    with qtbot.assertNotEmitted(view.submitted):
        QTest.keyClick(view.run_button, Qt.Key.Key_Return)  # meant for what stood there before
    qtbot.wait(520)
    for other in (view.footer.cancel, view.footer.change):
        with qtbot.assertNotEmitted(view.submitted):
            other.setFocus()
            QTest.keyClick(other, Qt.Key.Key_Return)
    line(view, 1).setFocus()
    QTest.keyClick(line(view, 1), Qt.Key.Key_E)
    assert view.is_editable
    places: tuple[QWidget, ...] = (view.head.field, line(view, 1))
    for place in places:
        place.setFocus()
        with qtbot.assertNotEmitted(view.submitted):
            QTest.keyClick(place, Qt.Key.Key_Return)
    view.run_button.setFocus()
    with qtbot.waitSignal(view.submitted):
        QTest.keyClick(view.run_button, Qt.Key.Key_Return)


def test_a_step_is_renamed_where_it_stands_and_the_plan_is_run(view: PlanView, qtbot: QtBot) -> None:
    view.set_waiting(True)
    form = opened(view, 1, qtbot)  # a click on a line of a plan that waits begins to change it
    form.name.selectAll()
    QTest.keyClicks(form.name, "find a village")
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    goal, steps = handed.args
    assert goal == "a trip"
    assert [step["description"] for step in steps] == ["find a village", "make a route", "write it down"]


def test_a_plan_that_cannot_run_says_so_at_its_line_and_undo_mends_it(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    screen.click(opened(view, 1, qtbot).remove)
    assert not view.run_button.isEnabled()
    assert "find a city" in line(view, 1).facts.detail
    assert view.tools.undo.text() == "1 change"
    QTest.keyClick(view.tools.undo, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert view.run_button.isEnabled()
    assert (titles(view)[0], view.tools.undo.isVisible()) == ("search_cities", False)


def test_ctrl_z_takes_back_what_was_typed_and_then_what_was_done(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    screen.click(opened(view, 3, qtbot).remove)
    field = view.head.field
    QTest.keyClick(field, Qt.Key.Key_End)
    QTest.keyClicks(field, " by sea")
    assert view.tools.undo.text() == "2 changes"
    for _each in range(20):
        QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (field.text(), len(titles(view)), view.tools.undo.isVisible()) == ("a trip", 3, False)


def test_revert_takes_all_changes_back_at_once_and_can_be_undone(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    screen.click(opened(view, 3, qtbot).remove)
    screen.click(view.footer.restore)
    assert len(titles(view)) == 3
    screen.click(view.tools.undo)
    assert len(titles(view)) == 2


def test_a_step_is_moved_by_keys_by_buttons_and_by_its_grip(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    QTest.keyClick(line(view, 3), Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert titles(view) == ["search_cities", "write it down", "generate_route"]
    assert not view.run_button.isEnabled()  # it needs what comes later now
    screen.click(opened(view, 2, qtbot).down)
    assert titles(view) == ["search_cities", "generate_route", "write it down"]
    view.steps.fold()
    qtbot.waitUntil(lambda: view.findChild(StepForm) is None)
    grip, below = QPoint(10, 20), QPoint(10, 20 + 45)
    moved = line(view, 1)
    QTest.mousePress(moved, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, grip)
    QTest.mouseMove(moved, below)
    QTest.mouseRelease(moved, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, below)
    assert titles(view) == ["generate_route", "search_cities", "write it down"]


def test_a_step_of_ones_own_needs_words_and_is_handed_in_last(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    screen.click(view.tools.add)
    assert not view.run_button.isEnabled()
    form = view.findChild(StepForm)
    assert form is not None
    qtbot.waitUntil(form.name.hasFocus)
    QTest.keyClicks(form.name, "tell a joke")
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    assert [(s["step"], s["action"], s["description"]) for s in handed.args[1]][-1] == (4, "none", "tell a joke")


def test_a_reference_stands_in_words_and_is_filled_in_by_hand_or_chosen_anew(view: PlanView, qtbot: QtBot) -> None:
    view.set_tools(TOOL_ENTRIES)
    edited(view, qtbot)
    form = opened(view, 2, qtbot).form
    assert form is not None
    city = form.row("city")
    assert (city.chip.text(), city.control.isVisible()) == ("← the result of step 1", False)
    screen.click(city.by_hand)
    assert not view.run_button.isEnabled()  # it is needed
    QTest.keyClicks(city.control, "chengdu")
    assert view.run_button.isEnabled()
    screen.choose(city.refer, city.menu, "← the result of step 1 (search_cities)")
    assert city.chip.isVisible()
    screen.click(city.by_hand)
    QTest.keyClicks(city.control, "$3.data.id")
    assert "later" in view._faults.text()
    city.control.clear()  # type: ignore[attr-defined]
    QTest.keyClicks(city.control, "emei")
    days = form.control("days")
    QTest.keyClicks(days, "x")
    assert not view.run_button.isEnabled()
    QTest.keyClick(days, Qt.Key.Key_Backspace)
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    assert handed.args[1][1]["params"] == {"city": "emei", "days": 3}


def test_another_tool_keeps_what_it_takes_and_asks_for_what_it_needs(view: PlanView, qtbot: QtBot) -> None:
    view.set_tools(TOOL_ENTRIES)
    edited(view, qtbot)
    tool = opened(view, 1, qtbot).tool
    tool.setFocus()
    QTest.keyClick(tool, Qt.Key.Key_Down)
    tool.activated.emit(tool.currentIndex())
    qtbot.waitUntil(lambda: line(view, 1).facts.title == "generate_route")
    assert not view.run_button.isEnabled()
    form = view.findChildren(StepForm)[-1].form
    assert form is not None
    QTest.keyClicks(form.control("city"), "emei")
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    first = handed.args[1][0]
    assert (first["action"], first["params"]) == ("generate_route", {"city": "emei"})


def test_a_step_is_duplicated_inserted_and_marked_to_ask_first(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    form = opened(view, 1, qtbot)
    screen.click(form.ask)
    assert line(view, 1).facts.chip == "asks first"
    screen.click(form.duplicate)
    form = next(one for one in view.findChildren(StepForm) if one.isVisible())
    qtbot.waitUntil(lambda: screen.why_not(form.insert) == "")
    screen.click(form.insert)
    form = next(one for one in view.findChildren(StepForm) if one.isVisible())
    QTest.keyClicks(form.name, "ask a friend")
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    steps = handed.args[1]
    assert [(step["description"], step.get("ask", False)) for step in steps] == [
        ("find a city", True), ("find a city", True), ("ask a friend", False),
        ("make a route", False), ("write it down", False),
    ]  # fmt: skip
    assert steps[3]["params"]["city"] == "$1.data.id"


def test_run_next_hands_in_and_pauses_after_the_first_step(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    heard: list[object] = []
    view.ordered.connect(lambda *order: heard.append(order))
    view.submitted.connect(lambda goal, _steps: heard.append(goal))
    screen.click(view.next_button)
    assert heard == [("next", 0, None), "a trip"]
    view.set_running(True)
    assert view.run_bar.resume.isVisible()
    assert view.run_bar.resume.text() == "Continue from step 1"


def test_a_template_is_kept_used_and_deleted(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    screen.choose(view.templates.button, view.templates.menu, "Save as a template…")
    assert view.templates.name.text() == "a trip"
    view.templates.name.clear()
    QTest.keyClicks(view.templates.name, "short trip")
    with qtbot.waitSignal(view.template_saved) as saved:
        QTest.keyClick(view.templates.name, Qt.Key.Key_Return)
    assert (saved.args[0], len(saved.args[2])) == ("short trip", 3)
    kept = (PlanStep(1, "search_cities", {}, "look"), PlanStep(2, "generate_route", {"city": "$1.data.id"}, "go", (1,)))
    view.set_templates([PlanTemplate("t1", "travel", "short & sweet", "a walk", kept)])
    screen.choose(view.templates.button, view.templates.menu, "short && sweet")
    with qtbot.waitSignal(view.template_deleted) as deleted:
        view.templates.menu.findChildren(QMenu)[0].actions()[0].trigger()
    assert deleted.args == ["t1"]
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    assert handed.args[0] == "a walk"
    assert [step["description"] for step in handed.args[1]] == ["look", "go"]
    assert handed.args[1][1]["params"] == {"city": "$1.data.id"}


def test_the_sum_says_what_it_takes_and_what_it_touches(view: PlanView) -> None:
    view.set_waiting(True)
    assert view.footer.sum() == "2 tool calls · 2 requests · no network, no files"
    view.set_earlier([RunFigures("s", "travel", "plan", 4, Usage(900, 100), 8.0, True)], {})
    assert view.footer.sum() == "2 tool calls · 2 requests · ≈ 500 tokens · ≈ 4.0 s · no network, no files"
    view.set_tools([replace(TOOL_ENTRIES[0], permission="net"), replace(TOOL_ENTRIES[1], permission="fs.write")])
    assert view.footer.sum().endswith("goes online, writes files")


def test_a_step_tells_how_long_it_takes_by_earlier_runs_and_offers_what_fits(view: PlanView, qtbot: QtBot) -> None:
    takes = {"interests": {"type": "array", "items": {"type": "string", "enum": ["food", "history", "art"]}},
             "near": {"type": "array", "items": {"type": "string"}}, "days": {"type": "integer"},
             "city": {"type": "string"}}  # fmt: skip
    view.set_tools([TOOL_ENTRIES[0], Tool("generate_route", {"properties": takes})])
    second = replace(STEPS[1], action="generate_route", params={"interests": ["food"], "near": ["a & b"], "days": 2})
    view.show_plan(Plan("a trip", (replace(STEPS[0], action="search_cities"), second)))
    view.set_waiting(True)
    assert [line(view, place).facts.aside for place in (1, 2)] == ["", ""]
    fields = result_fields({"city": {"id": "x"}, "count": 3, "names": ["a"]})
    view.set_earlier([], {"search_cities": ToolRecord(0.002, 1, fields), "generate_route": ToolRecord(3.2, 4)})
    assert [line(view, place).facts.aside for place in (1, 2)] == ["≈ 0.1 s", "≈ 3.2 s"]
    assert "≈ 3.2 s" in view.footer.sum()

    form = opened(view, 2, qtbot).form
    assert form is not None
    form.more.click()
    offered = {name: [one.text() for one in form.row(name).menu.actions()] for name in takes}
    assert offered == {
        "interests": ["← the names of step 1"], "near": ["← the names of step 1"], "days": ["← the count of step 1"],
        "city": ["← the city of step 1"],
    }  # fmt: skip
    interests, near = form.control("interests"), form.control("near")
    assert isinstance(interests, WordChips)
    assert isinstance(near, WordChips)
    assert [one.text() for one in (*interests.chips, *interests.offers)] == ["food  ×", "+ history", "+ art"]
    screen.click(interests.offers[1])
    screen.click(interests.chips[0])
    QTest.keyClicks(near.field, "lake, tower")
    QTest.keyClick(near.field, Qt.Key.Key_Return)
    assert form.values() == {"interests": ["art"], "near": ["a & b", "lake", "tower"], "days": 2}
    QTest.keyClick(near.field, Qt.Key.Key_Backspace)
    form.row("near").menu.actions()[0].trigger()
    assert form.values()["near"] == "$1.data.names"
    with qtbot.waitSignal(view.submitted) as handed:
        screen.click(view.run_button)
    assert handed.args[1][1]["params"] == {"interests": ["art"], "near": "$1.data.names", "days": 2}


def test_a_new_plan_for_the_rest_is_a_difference_to_accept_change_or_turn_down(view: PlanView, qtbot: QtBot) -> None:
    before = Plan("a trip", (replace(STEPS[0], status="done"), replace(STEPS[1], status="failed"), STEPS[2]))
    given_up = replace(STEPS[2], status="skipped")
    fourth = PlanStep(4, "generate_route", {"city": "$1.data.id"}, "a shorter route", (1,))
    after = Plan("a trip", (*before.steps[:2], given_up, fourth, PlanStep(5, "none", {}, "write it down", (4,))), 2)
    heard: list[object] = []
    view.submitted.connect(lambda _goal, steps: heard.append([step["description"] for step in steps]))
    view.kept.connect(lambda: heard.append("kept"))
    for press in (view.run_button, view.footer.keep, view.footer.change):
        view.clear()
        view.show_plan(before)
        view.set_running(True)
        view.show_plan(after, before)
        view.set_waiting(True)
        qtbot.waitUntil(lambda press=press: screen.why_not(press) == "")  # type: ignore[misc]
        assert [(one.facts.mark, one.facts.title) for one in view.findChildren(StepLine) if one.isVisible()] == [
            ("−", "generate_route"), ("+", "generate_route"),
        ]  # fmt: skip
        assert view.run_button.text() == "Accept"
        screen.click(press)
    done = ["find a city", "make a route", "write it down"]
    assert heard == [[*done, "a shorter route", "write it down"], "kept"]
    assert view.is_editable
    assert [line(view, place).has_grip for place in range(1, 6)] == [False, False, False, True, True]


# ---------------------------------------------------------------- while it runs


@pytest.fixture
def running(view: PlanView) -> PlanView:
    view.set_tools(TOOL_ENTRIES)
    view.set_running(True)
    assert not titles(view), "its steps stand in the work of the answer"
    screen.click(view.head.fold)
    return view


def steering(view: PlanView, place: int, qtbot: QtBot) -> StepSteering:
    """What a step unfolds while the plan runs."""
    row = line(view, place).parentWidget()
    assert row is not None
    if not any(one.isVisible() for one in row.findChildren(StepSteering)):
        screen.click(line(view, place))
    body = next(one for one in view.findChildren(StepSteering) if one.isVisible())
    qtbot.waitUntil(body.isVisible)
    return body


def press(body: StepSteering, text: str, qtbot: QtBot) -> None:
    button = next(one for one in body.buttons.values() if one.isVisible() and one.text() == text)
    qtbot.waitUntil(lambda: screen.why_not(button) == "")
    screen.click(button)


def editor_of(body: StepSteering, qtbot: QtBot) -> StepEditor:
    assert body.editor is not None
    qtbot.waitUntil(body.editor.accept.isVisible)
    return body.editor


def test_a_plan_is_paused_stepped_and_continued(running: PlanView, qtbot: QtBot) -> None:
    running.set_status(1, "done")
    orders: list[str] = []
    running.ordered.connect(lambda order, _step, _value: orders.append(order))
    screen.click(running.run_bar.pause)
    assert running.run_bar.resume.text() == "Continue from step 2"
    QTest.keyClick(running.run_bar.next, Qt.Key.Key_Space)
    running.set_status(2, "running")
    assert "generate_route" in running.run_bar._told.text()
    screen.click(running.run_bar.resume)
    assert orders == ["pause", "next", "resume"]
    assert running.run_bar.pause.isVisible()


def test_a_step_to_come_is_skipped(running: PlanView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(running.ordered) as ordered:
        press(steering(running, 2, qtbot), "Skip this step", qtbot)
    assert ordered.args == ["skip", 2, None]


def test_a_failed_step_is_tried_again_with_other_arguments(running: PlanView, qtbot: QtBot) -> None:
    running.set_status(1, "done")
    running.set_status(2, "failed", "no such city")
    assert line(running, 2).facts.detail == "no such city"
    body = steering(running, 2, qtbot)
    press(body, "Change its arguments…", qtbot)
    editor = editor_of(body, qtbot)
    assert editor.form is not None
    screen.click(editor.form.row("city").by_hand)
    QTest.keyClicks(editor.form.control("city"), "emei")
    qtbot.waitUntil(lambda: screen.why_not(editor.accept) == "")
    with qtbot.waitSignal(running.ordered) as ordered:
        screen.click(editor.accept)
    assert ordered.args == ["retry", 2, {"city": "emei", "days": 3}]
    with qtbot.waitSignal(running.ordered) as ordered:
        press(body, "Retry", qtbot)
    assert ordered.args == ["retry", 2, None]


@pytest.mark.parametrize(("text", "value"), [('{"id": 7}', {"id": 7}), ("seven", "seven")])
def test_a_result_is_put_in_by_hand(running: PlanView, qtbot: QtBot, text: str, value: object) -> None:
    body = steering(running, 3, qtbot)
    press(body, "Put in a result by hand…", qtbot)
    editor = editor_of(body, qtbot)
    assert editor.field is not None
    assert not editor.accept.isEnabled()
    QTest.keyClicks(editor.field, text)
    qtbot.waitUntil(lambda: screen.why_not(editor.accept) == "")
    with qtbot.waitSignal(running.ordered) as ordered:
        screen.click(editor.accept)
    assert ordered.args == ["result", 3, value]
    assert body.editor is None
    press(body, "Put in a result by hand…", qtbot)
    cancel = editor_of(body, qtbot).cancel
    qtbot.waitUntil(lambda: screen.why_not(cancel) == "")
    with qtbot.assertNotEmitted(running.ordered):
        screen.click(cancel)
    assert body.editor is None


def test_what_is_written_for_a_step_stays_whatever_the_plan_does_meanwhile(running: PlanView, qtbot: QtBot) -> None:
    body = steering(running, 3, qtbot)
    press(body, "Put in a result by hand…", qtbot)
    editor = editor_of(body, qtbot)
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
        assert body.editor is editor
        assert (editor.field.toPlainText(), editor.isVisible()) == ("seven", True)
    assert not editor.accept.isEnabled()
    running.set_running(True)
    qtbot.waitUntil(lambda: screen.why_not(editor.accept) == "")
    with qtbot.waitSignal(running.ordered) as ordered:
        screen.click(editor.accept)
    assert ordered.args == ["result", 3, "seven"]


def test_changes_that_were_not_handed_in_come_back_with_their_plan(view: PlanView, qtbot: QtBot) -> None:
    view.session = "one"
    edited(view, qtbot)
    field = opened(view, 3, qtbot).name
    QTest.keyClick(field, Qt.Key.Key_End)
    QTest.keyClicks(field, " by hand")
    view.set_over()
    view.clear()
    for session, title in (("two", "write it down"), ("one", "write it down by hand")):
        view.session = session
        view.show_plan(Plan("a trip", STEPS, 2))
        view.set_waiting(True)
        assert titles(view)[-1] == title
        assert view.is_editable == (session == "one")
        view.clear()


def test_a_plan_that_is_over_is_one_line_and_is_run_again_from_a_step(running: PlanView, qtbot: QtBot) -> None:
    running.can_run_again = True
    for number in (1, 2, 3):
        running.set_status(number, "done")
    tall = running.wanted(640)
    running.set_over()
    assert not running.run_bar.isVisible()
    assert running.wanted(640) < tall / 2
    screen.click(running.head.fold)
    body = steering(running, 2, qtbot)
    assert [one.text() for one in body.buttons.values() if one.isVisible()] == ["Run again from this step"]
    with qtbot.waitSignal(running.ordered) as ordered:
        press(body, "Run again from this step", qtbot)
    assert ordered.args == ["again", 2, None]


def test_a_plan_has_at_most_twelve_steps(view: PlanView, qtbot: QtBot) -> None:
    edited(view, qtbot)
    for _each in range(12):
        view.tools.add.click()
    assert len(titles(view)) == 12
    assert not view.tools.add.isEnabled()


def test_descriptions_are_literal(view: PlanView) -> None:
    view.show_plan(Plan(HOSTILE, (PlanStep(1, "none", {"a": HOSTILE}, HOSTILE),)))
    view.set_waiting(True)
    for field in view.findChildren(QLineEdit):
        assert "\u202e" not in field.text()
    assert all("\u202e" not in one.accessibleName() for one in view.findChildren(StepLine))


# ---------------------------------------------------------------- fed by a run


def fed(view: PlanView, *events: RunEvent, live: bool = True) -> tuple[PlanFeed, RunView]:
    feed, run = PlanFeed(view), RunView()
    feed.clear()
    for event in events:
        feed.show_changes(run, run.apply(event), live=live)
    return feed, run


def test_a_run_that_waits_for_its_plan_is_answered_on_the_card_and_goes_on(view: PlanView, qtbot: QtBot) -> None:
    feed, run = fed(view, PlanMade("a trip", STEPS, 1), PhaseStart("approval"))
    assert view.is_waiting
    with qtbot.waitSignal(view.submitted):
        view.run_button.click()
    for event in (PlanMade("a trip", STEPS, 2), PhaseStart("executing"), PlanStepChanged(1, "done")):
        feed.show_changes(run, run.apply(event))
    screen.click(view.head.fold)
    assert (view.is_waiting, line(view, 1).facts.icon) == (False, "check")
    feed.show_changes(run, run.apply(LoopEnd("", "answered")))
    assert view.head.fold.isVisible()


def test_a_plan_the_run_refuses_comes_back_with_the_changes_and_the_reasons(view: PlanView, qtbot: QtBot) -> None:
    feed, run = fed(view, PlanMade("a trip", STEPS, 1), PhaseStart("approval"))
    screen.click(view.footer.change)
    view.head.field.selectAll()
    QTest.keyClicks(view.head.field, "a walk")
    view.run_button.click()
    faults = Notice("plan_faults", "", {"faults": ["step 1: days must be a number"]})
    feed.show_changes(run, run.apply(faults))
    assert view.is_editable
    assert view.head.field.text() == "a walk"
    assert "days must be a number" in view._faults.text()
    with qtbot.waitSignal(view.submitted) as handed:
        view.run_button.click()
    assert handed.args[0] == "a walk"


def test_a_stored_plan_never_waits(view: PlanView) -> None:
    fed(view, PlanMade("a trip", STEPS, 1), PhaseStart("approval"), live=False)
    assert not view.is_waiting


def test_who_looks_late_sees_the_same_difference(view: PlanView) -> None:
    run = RunView()
    fourth = PlanStep(4, "generate_route", {"city": "emei"}, "another route")
    rest = (replace(STEPS[0], status="done"), replace(STEPS[1], status="failed"), replace(STEPS[2], status="skipped"))
    events: list[RunEvent] = [
        PlanMade("a trip", STEPS, 1), PhaseStart("executing"), PlanStepChanged(1, "done"),
        PlanStepChanged(2, "failed", "no"), PhaseStart("planning"), PlanMade("a trip", (*rest, fourth), 2),
        PhaseStart("approval"),
    ]  # fmt: skip
    for event in events:
        run.apply(event)
    feed = PlanFeed(view)
    feed.clear()
    feed.show_all(run, live=True)
    marks = [(one.facts.mark, one.facts.detail) for one in view.findChildren(StepLine) if one.isVisible()]
    assert marks == [("−", "make a route"), ("−", ""), ("+", "another route")]
