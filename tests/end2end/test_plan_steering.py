"""A plan worked off under the person's hand, in the whole window; templates; results read again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QToolButton, QWidget

from app.core.run.plan import PlanStep
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.rows.work_line import WorkLine
from app.ui.dialogs.approvals.try_card import TryCard
from app.ui.dialogs.data.compare_runs import CompareRunsDialog
from app.ui.main_window.context_popup import ContextPopup
from app.ui.plan.steering import StepEditor, StepSteering
from app.ui.plan.step_line import StepLine
from app.ui.plan.view import PlanView
from tests.ui import screen

from .conftest import Driver, Open


def step(n: int, expression: str, **more: Any) -> dict[str, Any]:
    return {"step": n, "action": "calculator", "params": {"expression": expression}, "description": f"sum {n}", **more}


PLAN = {"content": json.dumps({"goal": "add up", "steps": [step(1, "6*7"), step(2, "1+", needs=[1]), step(3, "3")]})}
LOST = {"content": json.dumps({"goal": "add up", "steps": [step(1, "6*7"), step(2, "1+"), step(3, "3", needs=[2])]})}
"""Its second step fails, and the third needs it."""
WHOLE_PLAN = {"content": json.dumps({"goal": "add up", "steps": [step(1, "6*7"), step(2, "1+1", needs=[1])]})}


async def waiting_plan(
    open_window: Open, *turns: dict[str, Any], plan: dict[str, Any] = PLAN
) -> tuple[Driver, PlanView]:
    driver = await open_window(plan, *turns)
    settings = driver.services.settings
    await settings.save_profile(settings.profile("assistant").model_copy(update={"plan_review": "always"}))
    driver.chooses_mode("plan")
    driver.ask("add them up")
    view: PlanView = driver.desk.conversation.run.plan
    await driver.until(lambda: view.run_button.isVisible() and view.run_button.isEnabled(), "the plan to wait")
    return driver, view


async def test_the_plan_that_waits_is_the_card_in_the_chat_reached_by_one_key(open_window: Open) -> None:
    driver, view = await waiting_plan(open_window, plan=WHOLE_PLAN)
    row = driver.desk.chat.list.widget(driver.last().id)
    assert row.isAncestorOf(view), "with the work of the answer, below who answers"
    assert not driver.window.panes.is_open("right") or driver.desk.reasoning.isVisible()
    driver.goes_to_composer()
    QTest.keyClick(driver.window, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert view.run_button.hasFocus()
    await asyncio.sleep(0.6)  # keys count once it has been seen
    press_where_the_focus_is(Qt.Key.Key_Return)
    await driver.done()
    assert driver.window.findChildren(PlanView) == [view]
    await driver.until(lambda: not view.isVisible(), "the work to fold, and the plan with it")
    line = row.findChild(WorkLine)
    assert isinstance(line, WorkLine)
    screen.click(line)
    assert view.head.fold.isVisible(), "in the work, below the line that unfolds it"
    assert line.mapTo(row, line.rect().bottomLeft()).y() < view.mapTo(row, view.rect().topLeft()).y()


def steps(view: PlanView) -> Sequence[PlanStep]:
    made = view.plan()
    return made.steps if made is not None else ()


async def change(driver: Driver, view: PlanView) -> None:
    screen.click(view.footer.change)
    await driver.until(lambda: screen.why_not(view.next_button) == "", "the card to be changed")


async def steering(driver: Driver, view: PlanView, number: int) -> StepSteering:
    """What a step unfolds, by a click on its line."""
    line = view.steps.rows[number].line
    await driver.until(lambda: screen.why_not(line) == "", "the line of the step")
    screen.click(line)
    body = view.steps.rows[number].body
    assert isinstance(body, StepSteering)
    return body


async def press(driver: Driver, body: StepSteering, text: str) -> None:
    button = next(one for one in body.buttons.values() if one.text() == text)
    await driver.until(lambda: screen.why_not(button) == "", text)
    screen.click(button)


def calls(driver: Driver) -> list[Any]:
    return [entry for entry in driver.desk.reasoning.outline.entries() if entry.call]


async def test_a_plan_runs_step_by_step_is_mended_and_goes_on(open_window: Open) -> None:
    driver, view = await waiting_plan(open_window, {"content": "no new plan"}, {"content": "none"}, {"content": "done"})
    await change(driver, view)
    screen.click(view.next_button)
    await driver.until(lambda: steps(view)[0].status == "done", "the first step")
    await driver.until(lambda: view.run_bar.resume.text() == "Continue from step 2", "the pause")
    assert driver.state().startswith("The plan is paused")
    body = await steering(driver, view, 2)
    await press(driver, body, "Change its arguments…")
    assert body.editor is not None
    assert body.editor.form is not None
    accept, field = body.editor.accept, body.editor.form.control("expression")
    QTest.keyClick(field, Qt.Key.Key_End)
    QTest.keyClicks(field, "1")
    await driver.until(lambda: screen.why_not(accept) == "", "the button under the arguments")
    screen.click(accept)
    await driver.until(lambda: steps(view)[1].params == {"expression": "1+1"}, "the change")
    await press(driver, await steering(driver, view, 3), "Skip this step")
    await driver.until(lambda: steps(view)[2].status == "skipped", "the skipped step")
    QTest.keyClick(view.run_bar.resume, Qt.Key.Key_Space)
    await driver.done()
    assert [s.status for s in steps(view)] == ["done", "done", "skipped"]
    assert not view.run_bar.isVisible()


async def test_a_result_put_in_by_hand_is_what_the_later_steps_get(open_window: Open) -> None:
    driver, view = await waiting_plan(open_window, {"content": "done"})
    await change(driver, view)
    screen.click(view.next_button)
    await driver.until(lambda: view.run_bar.resume.text() == "Continue from step 2", "the pause")
    body = await steering(driver, view, 2)
    await press(driver, body, "Put in a result by hand…")
    editor = body.editor
    assert editor is not None
    assert editor.field is not None
    await driver.until(editor.field.hasFocus, "the field")
    QTest.keyClicks(editor.field, "forty-two")
    await driver.until(lambda: screen.why_not(editor.accept) == "", "the button under the result")
    screen.click(editor.accept)
    await driver.until(lambda: steps(view)[1].status == "done", "the step")
    screen.click(view.run_bar.resume)
    services = driver.services
    assert services is not None
    handle = driver.desk.conversation.run.handle
    await driver.done()
    sent = "".join(one.body for one in await services.runs.requests(handle.id))
    assert "forty-two" in sent
    assert driver.answers()[-1].endswith("done")


def press_where_the_focus_is(key: Qt.Key) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)


async def test_esc_in_a_field_of_the_plan_goes_to_the_composer_and_only_from_there_stops(open_window: Open) -> None:
    """The changes stay, and come back when the run goes on with its plan."""
    driver, view = await waiting_plan(open_window, plan=WHOLE_PLAN)
    await change(driver, view)
    screen.click(view.head.field)
    QTest.keyClick(view.head.field, Qt.Key.Key_End)
    QTest.keyClicks(view.head.field, " carefully")
    press_where_the_focus_is(Qt.Key.Key_Escape)
    assert driver.is_in_composer()
    assert (driver.is_running(), view.head.field.text()) == (True, "add up carefully")
    press_where_the_focus_is(Qt.Key.Key_Escape)
    await driver.done()

    await driver.until(lambda: way_on(driver), "the way on")
    screen.click(way_on(driver)[0])
    await driver.until(lambda: screen.why_not(view.run_button) == "", "the plan to wait again")
    assert view.head.field.text() == "add up carefully"
    handle = driver.desk.conversation.run.handle
    screen.click(view.run_button)
    await driver.done()
    made = view.plan()
    assert made is not None
    assert (made.goal, [one.status for one in made.steps]) == ("add up carefully", ["done", "done"])
    services = driver.services
    assert services is not None
    purposes = [one.purpose for one in await services.runs.requests(handle.id)]
    assert purposes == ["answer"], "no new plan was asked for"


async def test_changes_of_a_plan_survive_the_end_of_the_program(open_window: Open) -> None:
    """They are on the disk a moment after the last key, and gone from it once the plan was handed in."""
    driver, view = await waiting_plan(open_window, plan=WHOLE_PLAN)
    await change(driver, view)
    session = driver.session
    services = driver.services
    assert services is not None
    screen.click(view.head.field)
    QTest.keyClick(view.head.field, Qt.Key.Key_End)
    QTest.keyClicks(view.head.field, " carefully")
    kept: dict[str, Any] = {}

    async def read() -> None:
        kept.update(await services.sessions.notes.plan_draft(session))

    while kept.get("goal") != "add up carefully":
        await asyncio.sleep(0.02)
        await read()
    await driver.leave()
    driver = await open_window({"content": "done"}, session=session)
    await driver.until(lambda: way_on(driver), "the way on")
    screen.click(way_on(driver)[0])
    view = driver.desk.conversation.run.plan
    await driver.until(lambda: screen.why_not(view.run_button) == "" and view.is_editable, "the plan as it was left")
    assert view.head.field.text() == "add up carefully"
    screen.click(view.run_button)
    await driver.done()
    services = driver.services
    assert services is not None
    assert await services.sessions.notes.plan_draft(session) == {}


def way_on(driver: Driver) -> list[QToolButton]:
    card = driver.desk.chat.list.widget(driver.last().id)
    found = card.findChildren(QToolButton) if card is not None else []
    return [one for one in found if one.text() == "Continue" and screen.why_not(one) == ""]


async def test_esc_stops_the_run_from_no_other_control_of_the_window(open_window: Open) -> None:
    driver, _view = await waiting_plan(open_window, plan=WHOLE_PLAN)
    window, home = driver.window, driver.window.composer
    outside = [
        one
        for one in window.findChildren(QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisible() and one.isEnabled()
        and not (home.isAncestorOf(one) or driver.desk.chat.isAncestorOf(one) or one is home)
    ]  # fmt: skip
    assert len(outside) > 15
    wrong = []
    for control in outside:
        control.setFocus()
        if isinstance(control, QLineEdit):
            QTest.keyClicks(control, "x")
        for _twice in range(2):
            if not home.isAncestorOf(focus := QApplication.focusWidget() or home):
                QTest.keyClick(focus, Qt.Key.Key_Escape)
        if not driver.is_running() or not home.field.hasFocus():
            wrong.append(control)
            break
    assert wrong == []
    assert window.sessions.search.text() == ""
    QTest.keyClick(home.field, Qt.Key.Key_Escape)
    await driver.done()


async def test_another_session_and_back_leaves_the_changes_of_a_plan_alone(open_window: Open) -> None:
    driver, view = await waiting_plan(open_window, {"content": "done"})
    session = driver.session
    await change(driver, view)
    QTest.keyClick(view.head.field, Qt.Key.Key_End)
    QTest.keyClicks(view.head.field, " carefully")
    driver.command("new")
    await driver.desk.conversation.open(session)
    await driver.until(lambda: screen.why_not(view.run_button) == "", "the plan")
    assert view.head.field.text() == "add up carefully"
    screen.click(view.run_button)
    await driver.done()


def is_asked(view: PlanView) -> bool:
    return view.is_waiting and view.run_button.text() == "Accept"


def can_press(button: QWidget) -> bool:
    return screen.why_not(button) == ""


async def test_a_new_plan_for_the_rest_waits_as_a_difference_and_the_old_one_can_be_kept(open_window: Open) -> None:
    rest = {"goal": "add up", "steps": [step(4, "1+1", description="another sum")]}
    for press, statuses in (
        ("run_button", ["done", "failed", "skipped", "done"]), ("keep", ["done", "failed", "skipped"]),
    ):  # fmt: skip
        driver, view = await waiting_plan(open_window, {"content": json.dumps(rest)}, {"content": "done"}, plan=LOST)
        screen.click(view.run_button)
        await driver.until(partial(is_asked, view), "the new plan")
        button = getattr(view, press, None) or getattr(view.footer, press)
        await driver.until(partial(can_press, button), press)
        screen.click(button)
        await driver.done()
        made = view.plan()
        assert made is not None
        assert [one.status for one in made.steps] == statuses, press
        await driver.leave()


async def test_the_focus_stays_where_it_is_of_use_when_its_control_vanishes(open_window: Open) -> None:
    driver, view = await waiting_plan(open_window, {"content": "done"})
    await change(driver, view)
    view.next_button.setFocus()
    press_where_the_focus_is(Qt.Key.Key_Space)
    await driver.until(lambda: view.run_bar.resume.text() == "Continue from step 2", "the pause")
    assert driver.is_in_composer()
    view.run_bar.resume.setFocus()
    press_where_the_focus_is(Qt.Key.Key_Space)
    await driver.done()
    assert driver.is_in_composer()
    assert len(await driver.listed()) == 1


async def test_answer_now_is_heard_while_a_plan_is_held(open_window: Open) -> None:
    driver, view = await waiting_plan(open_window, {"content": "as far as I got"})
    await change(driver, view)
    screen.click(view.next_button)
    await driver.until(lambda: steps(view)[0].status == "done", "the first step")
    await driver.until(lambda: view.run_bar.resume.text() == "Continue from step 2", "the pause")
    driver.command("answer_now")
    await driver.done()
    assert driver.answers()[-1].endswith("as far as I got")
    assert [s.status for s in steps(view)] == ["done", "skipped", "skipped"]


async def test_a_kept_plan_is_offered_for_the_next_one(open_window: Open) -> None:
    driver, view = await waiting_plan(open_window, {"content": "done"})
    await change(driver, view)
    screen.choose(view.templates.button, view.templates.menu, "Save as a template…")
    QTest.keyClick(view.templates.name, Qt.Key.Key_Return)
    menu = view.templates.menu
    await driver.until(lambda: "add up" in [action.text() for action in menu.actions()], "the template in the menu")
    assert "add up" in driver.notice()
    screen.click(view.run_button)
    await driver.done()


async def test_a_click_in_the_outline_shows_the_call_in_the_chat_and_a_stored_run_keeps_its_times(
    open_window: Open,
) -> None:
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    driver = await open_window(call, {"content": "42\n\n" + "and so on\n\n" * 200})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    outline = driver.desk.reasoning.outline
    entry = next(e for e in outline.entries() if e.call)
    bar = driver.desk.chat.list.verticalScrollBar()
    await driver.until(lambda: bar.value() > 200, "the end of a long answer")
    entry.line.click()
    assert bar.value() < 200
    row = driver.desk.conversation.row
    driver.command("new")
    assert outline.entries() == []
    await driver.desk.conversation.open(row.id)
    await driver.until(lambda: any(e.call for e in outline.entries()), "the stored run")
    assert driver.desk.reasoning.view.now > 0


async def test_the_whole_of_a_cut_result_can_be_seen_live_and_stored(open_window: Open) -> None:
    call = {"tool_calls": [{"name": "query_attractions", "arguments": {"cities": ["beijing"]}}]}
    driver = await open_window(call, {"content": "long"}, agent="travel")
    settings = driver.services.settings
    profile = settings.profile("travel").model_copy(update={"tool_result_max_length": 500})
    await settings.save_profile(profile)
    driver.chooses_mode("react")
    await driver.asked("a big number")
    row = driver.desk.conversation.row
    for again in range(2):
        if again:
            driver.command("new")
            await driver.desk.conversation.open(row.id)
        await driver.until(lambda: calls(driver), "the call")
        entry = calls(driver)[0]
        entry.set_open(True)
        button = next(b for b in entry.body.findChildren(QPushButton) if b.text() == "Show all")
        button.click()
        await driver.until(button.isHidden, "the whole result")
        assert len(entry.body._shown.text()) > 2_000
    driver.desk.reasoning.limit_raised.emit(32_000)
    await driver.until(lambda: settings.profile("travel").tool_result_max_length == 32_000, "the limit")
    assert settings.profile("travel").tool_results_total_length >= 32_000
    assert "32,000" in driver.notice()


async def test_the_meter_says_what_fills_the_context(open_window: Open) -> None:
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    driver = await open_window(call, {"content": "42"})
    driver.chooses_mode("react")
    profile = driver.services.settings.profile("assistant")
    await driver.services.settings.save_profile(profile.model_copy(update={"context_limit": 4_000}))
    await driver.asked("what is 6*7? " + "Take your time. " * 170)
    meter = driver.window.header.meter
    await driver.until(meter.isVisible, "the meter")
    presses: list[Callable[[], None]] = [
        lambda: QTest.mouseClick(meter, Qt.MouseButton.LeftButton),
        lambda: QTest.keyClick(meter, Qt.Key.Key_Space),
    ]
    for press in presses:
        press()
        await driver.until(lambda: driver.all_of(ContextPopup), "the list")
        popup = driver.window.findChildren(ContextPopup)[0]
        told = " ".join(child.accessibleName() for child in popup.findChildren(QWidget))
        assert "Result of calculator" in told
        assert "What was said, 2 messages" in told
        assert "Instructions and tools go with every request besides" in popup._sum.full_text()
        popup.close()
        await driver.until(lambda: not driver.window.findChildren(ContextPopup), "its end")


async def test_R07_a_result_is_left_out_of_the_next_request_and_taken_back(open_window: Open) -> None:
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    driver = await open_window(call, {"content": "42"})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    services = driver.services
    assert services is not None
    session = driver.session
    await driver.until(lambda: driver.desk.conversation.context._characters > 20, "the figures")
    whole = driver.desk.conversation.context._characters
    driver.window.header.meter.clicked.emit()
    await driver.until(lambda: driver.all_of(ContextPopup), "the list")
    popup = driver.window.findChildren(ContextPopup)[0]
    row = next(one for one in popup.rows if one.button is not None)
    assert row.button is not None
    assert [one.button is not None for one in popup.rows].count(True) == 1
    QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
    assert row.accessibleName().endswith(", left out")
    assert "1 item left out" in popup._sum.full_text()
    await driver.until(lambda: driver.desk.conversation.context._characters < whole, "the meter")
    assert len(await services.sessions.notes.left_out(session)) == 1
    QTest.keyClick(row.button, Qt.Key.Key_Space)
    await driver.until(lambda: driver.desk.conversation.context._characters == whole, "it is back")
    assert await services.sessions.notes.left_out(session) == frozenset()


WORKS = {
    "goal": "add up",
    "steps": [
        step(1, "6*7"), step(2, "1+"),
        {"step": 3, "action": "none", "params": {}, "description": "think it over"},
        step(4, "3", needs=[3]),
    ],
}  # fmt: skip


def answer_view(driver: Driver) -> QWidget:
    view = driver.desk.chat.list.widget(driver.last().id)
    assert isinstance(view, QWidget)
    return view


def work_rows(driver: Driver) -> list[tuple[str, str]]:
    """What stands under the work line: the first words of each row with its state."""
    view = answer_view(driver)
    cards = [one for one in view.findChildren(ToolCard) if one.isVisible()]
    cards.sort(key=lambda one: one.mapTo(view, one.rect().topLeft()).y())
    return [(one.part.title or one.part.arguments.strip(" {}\n").partition(": ")[2], one.part.state) for one in cards]


def order_of(driver: Driver, name: str) -> QPushButton | None:
    found = [one for one in answer_view(driver).findChildren(QPushButton, name) if screen.why_not(one) == ""]
    return found[0] if found else None


async def test_what_waits_runs_or_failed_differs_under_the_work_line_and_a_failed_step_is_mended_there(
    open_window: Open,
) -> None:
    slow = {"content": "thought over", "delay": 2}
    driver, view = await waiting_plan(open_window, slow, {"content": "done"}, plan={"content": json.dumps(WORKS)})
    screen.click(view.run_button)
    rows = [('"6*7"', "done"), ('"1+"', "failed"), ("think it over", "running"), ('"3"', "waiting")]
    await driver.until(lambda: work_rows(driver) == rows, "the rows")
    assert not [one for one in view.findChildren(StepLine) if one.isVisible()], "said once"
    screen.click(view.head.pause)
    assert all(order_of(driver, f"{one}StepButton") is not None for one in ("retry", "skip", "change"))
    change_button = order_of(driver, "changeStepButton")
    assert change_button is not None
    screen.click(change_button)
    await driver.until(lambda: view.findChildren(StepEditor), "the arguments of the step")
    editor = view.findChildren(StepEditor)[0]
    assert editor.form is not None
    field = editor.form.control("expression")
    QTest.keyClick(field, Qt.Key.Key_End)
    QTest.keyClicks(field, "1")
    await driver.until(lambda: screen.why_not(editor.accept) == "", "the button under the arguments")
    screen.click(editor.accept)
    await driver.until(lambda: view.run_bar.resume.text() == "Continue from step 2", "the pause")
    screen.click(view.run_bar.resume)
    await driver.done()
    assert [one.status for one in steps(view)] == ["done"] * 4
    assert "waiting" not in dict(work_rows(driver)).values()


def try_link(row: QWidget) -> QPushButton | None:
    return next((one for one in row.findChildren(QPushButton) if one.text() == "Try from here…"), None)


async def test_a_failed_step_is_skipped_in_its_row_and_a_waiting_one_on_the_card(open_window: Open) -> None:
    slow = {"content": "thought over", "delay": 2}
    driver, view = await waiting_plan(open_window, slow, {"content": "done"}, plan={"content": json.dumps(WORKS)})
    screen.click(view.run_button)
    await driver.until(lambda: dict(work_rows(driver)).get("think it over") == "running", "the third step")
    screen.click(view.head.pause)
    failed = order_of(driver, "skipStepButton")
    assert failed is not None
    screen.click(failed)
    last = next(one for one in view.findChildren(StepLine) if one.facts.number == 4)
    await driver.until(lambda: screen.why_not(last) == "", "the lines of a plan that is held")
    screen.click(last)
    (steering,) = view.findChildren(StepSteering)
    skip = steering.buttons["skip"]
    await driver.until(lambda: screen.why_not(skip) == "", "Skip, where it will stay", 10)
    assert skip.text() == "Skip this step"
    screen.click(skip)
    wanted = ["done", "skipped", "done", "skipped"]
    await driver.until(lambda: [one.status for one in steps(view)] == wanted, "both are skipped")
    await driver.done()  # nothing is left that could be held

    # M21: a step without a call is tried with another result, and both runs stand side by side
    await driver.desk.conversation.messages.refresh()
    answer = answer_view(driver)
    answer.open_work()  # type: ignore[attr-defined]
    thought = next(one for one in answer.findChildren(ToolCard) if one.part.title == "think it over")
    screen.click(thought._header)
    await driver.until(lambda: try_link(thought) is not None, "the link")
    link = try_link(thought)
    assert link is not None
    await driver.until(lambda: screen.why_not(link) == "", "the link in its place")
    screen.click(link)
    await driver.until(lambda: driver.window.findChild(TryCard) is not None, "the card")
    card = driver.one(TryCard)
    assert "think it over" in card.accessibleName()
    assert not card.form.isVisible()
    QTest.keyClicks(card.result, "thought by hand")
    await driver.until(lambda: screen.why_not(card.go) == "", "the button")
    screen.click(card.go)
    await driver.until(lambda: driver.window.findChild(CompareRunsDialog) is not None, "the compare view")
    variant = driver.last().variant
    assert variant is not None
    assert variant.count == 2
    driver.one(CompareRunsDialog).close()
