"""From the chat to the reasoning pane and back: a call, a round, the run of an earlier answer."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QWidget

from app.ui.chat.rows.items import ToolPart, Variant
from app.ui.chat.rows.rounds.row import RoundRow
from app.ui.chat.rows.row_actions import Plain
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.rows.work_line import WorkLine
from app.ui.plan.steering import StepSteering
from app.ui.plan.view import PlanView
from tests.ui import screen

from .conftest import Driver, Open


def call(expression: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": "calculator", "arguments": {"expression": expression}}]}


def parts(driver: Driver, row_id: str, kind: type[QWidget]) -> list[Any]:
    view = driver.desk.chat.list.widget(row_id)
    assert view is not None
    return view.findChildren(kind)  # type: ignore[no-any-return]


async def unfolds_work(driver: Driver) -> None:
    """Of the last answer, its rounds too. It folds by itself a moment after the end: a press before would fold it."""
    lines: list[WorkLine] = []

    def is_folded() -> bool:
        lines[:] = parts(driver, driver.last().id, WorkLine)
        return bool(lines) and lines[0].accessibleDescription() == "Show the steps"

    await driver.until(is_folded, "the work to fold")
    QTest.keyClick(lines[0], Qt.Key.Key_Space)
    for row in parts(driver, driver.last().id, RoundRow):
        QTest.keyClick(row.line, Qt.Key.Key_Space)


async def part(driver: Driver, kind: type[QWidget], place: int = 0) -> Any:
    """One of the last answer, once it is painted."""
    await driver.until(lambda: len(parts(driver, driver.last().id, kind)) > place, f"{place + 1} × {kind.__name__}")
    return parts(driver, driver.last().id, kind)[place]


def marked(driver: Driver) -> list[Any]:
    return [entry for entry in driver.desk.reasoning.outline.entries() if entry.line.is_marked]


def is_in_sight(driver: Driver, entry: QWidget) -> bool:
    area = driver.desk.reasoning.outline._area
    top = entry.mapTo(area.viewport(), entry.rect().topLeft()).y()
    return bool(-entry.height() < top < area.viewport().height())


async def answered(open_window: Open, *turns: dict[str, Any]) -> Driver:
    driver = await open_window(*turns)
    settings = driver.services.settings
    await settings.save_profile(settings.profile("assistant").model_copy(update={"enable_reflection": True}))
    driver.chooses_mode("react")
    await driver.asked("add up")
    await driver.desk.conversation.messages.refresh()
    return driver


async def test_a_call_in_the_chat_shows_its_place_in_the_outline(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), call("2+2"), {"content": "done"})
    await unfolds_work(driver)
    card: ToolCard = await part(driver, ToolCard, 0)
    QTest.mouseClick(card._header, Qt.MouseButton.LeftButton)
    await driver.until(lambda: marked(driver), "the mark")
    assert [f"call-{entry.call}" for entry in marked(driver)] == [card.part.id]
    assert is_in_sight(driver, marked(driver)[0])
    other: ToolCard = await part(driver, ToolCard, 1)
    QTest.keyClick(other._header, Qt.Key.Key_Space)
    await driver.until(lambda: [f"call-{e.call}" for e in marked(driver)] == [other.part.id], "the other mark")


async def test_a_round_in_the_chat_unfolds_in_the_outline_even_while_it_is_searched(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), {"content": "more", **call("2+2")}, {"content": "done"})
    outline = driver.desk.reasoning.outline
    outline.search.setText("nothing has this")
    outline._filter()
    await unfolds_work(driver)
    row: RoundRow = await part(driver, RoundRow, 0)
    QTest.mouseClick(row.line, Qt.MouseButton.LeftButton)
    await driver.until(lambda: marked(driver), "the mark")
    assert marked(driver)[0].number == 1
    assert outline.search.text() == ""
    assert not marked(driver)[0].isHidden()


async def test_the_run_of_an_earlier_answer_is_shown_and_left_again(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), {"content": "two"})
    first = driver.last().id
    await driver.asked("and again")
    latest = driver.last().id
    pane, talk = driver.desk.reasoning, driver.desk.conversation.run
    await driver.desk.conversation.messages.refresh()
    driver.desk.chat.row_action.emit(first, Plain.REASONING)
    await driver.until(lambda: talk.shown_row == first and pane.outline.entries(), "the earlier run")
    back = pane.findChild(QPushButton, "latestReasoningButton")
    assert back is not None
    assert back.isVisible()
    QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    await driver.until(lambda: talk.shown_row == latest and pane.outline.entries(), "the latest run")
    assert not back.isVisible()


async def test_looking_at_an_earlier_run_loses_nothing_of_the_one_that_goes_on(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), {"content": "two"})
    first = driver.last().id
    driver.chooses_mode("direct")
    from tests.end2end.test_messages import answer_with

    answer_with(driver, "second")
    pane, talk = driver.desk.reasoning, driver.desk.conversation.run
    driver.ask("once more")
    await driver.until(driver.is_running, "the second run")
    driver.desk.chat.row_action.emit(first, Plain.REASONING)
    await driver.until(lambda: talk.shown_row == first, "the earlier run")
    await driver.done()
    calls = [entry for entry in pane.outline.entries() if entry.call]
    assert len(calls) == 1
    talk.back_to_latest()
    assert pane.outline.entries()
    assert not [entry for entry in pane.outline.entries() if entry.call]


async def test_every_answer_offers_its_reasoning_by_name(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), {"content": "two"})
    driver.window.panes.ask("right", is_open=False)
    buttons: list[QAbstractButton] = parts(driver, driver.last().id, QAbstractButton)
    button = next(one for one in buttons if one.accessibleName() == "Show how it came about")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert driver.window.panes.is_open("right")


async def test_R08_requests_are_shown_while_the_run_goes_on_and_from_the_disk(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), {"content": "two"})
    pane = driver.desk.reasoning
    raw_tab = next(n for n in range(pane._tabs.count()) if pane._tabs.tabText(n) == "Raw")
    pane._tabs.setCurrentIndex(raw_tab)
    await driver.until(lambda: len(pane.raw.entries()) == 2, "both requests")
    session = driver.session
    await driver.closes()
    again = await open_window({"content": "later"}, session=session)
    pane = again.desk.reasoning
    await again.until(lambda: pane._tabs.isTabVisible(raw_tab), "the stored run")
    pane._tabs.setCurrentIndex(raw_tab)
    await again.until(lambda: len(pane.raw.entries()) == 2, "both requests from the disk")
    pane.raw.entries()[0].set_open(True)
    assert "add up" in pane.raw.entries()[0].text()


async def test_M12_a_run_is_run_again_from_a_step_and_keeps_what_came_before(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), call("2+2"), {"content": "done"})
    pane = driver.desk.reasoning
    steps = [entry for entry in pane.outline.entries() if entry.line.title.startswith("Request ")]
    QTest.keyClick(steps[1].line, Qt.Key.Key_Space)
    button = pane.findChild(QPushButton, "runAgainButton")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await driver.until(driver.is_running, "the second run")
    await driver.done()
    await driver.until(lambda: driver.last().variant == Variant(2, 2), "the variant")
    assert len(driver.questions()) == 1
    calls = [part.arguments for part in driver.last().parts if isinstance(part, ToolPart)]
    assert "1+1" in calls[0]


async def test_M05_a_plan_is_run_again_from_one_of_its_steps(open_window: Open) -> None:
    from tests.end2end.test_plan_steering import PLAN

    driver = await open_window(PLAN, {"content": "no new plan"}, {"content": "the answer"})
    driver.chooses_mode("plan")
    await driver.asked("add them up")
    await driver.desk.conversation.messages.refresh()
    await unfolds_work(driver)
    await driver.until(lambda: driver.all_of(PlanView), "the plan")
    view = driver.one(PlanView)
    driver.desk.chat.list.verticalScrollBar().setValue(0)
    screen.click(view.head.fold)
    line = view.steps.rows[3].line
    await driver.until(lambda: screen.why_not(line) == "", "the line of the step")
    screen.click(line)
    body = view.steps.rows[3].body
    assert isinstance(body, StepSteering)
    again = body.buttons["again"]
    await driver.until(lambda: screen.why_not(again) == "", "the button")
    screen.click(again)
    await driver.until(driver.is_running, "the second run")
    await driver.done()
    await driver.until(lambda: driver.last().variant == Variant(2, 2), "the variant")


async def test_M11_a_repeat_is_shown_as_one_in_the_chat_and_explained_in_the_pane(open_window: Open) -> None:
    driver = await answered(open_window, call("1+1"), call("1+1"), {"content": "two"})
    await unfolds_work(driver)
    second: ToolCard = await part(driver, ToolCard, 1)
    assert "repeat, not run" in " ".join(label.text() for label in second.findChildren(QLabel))
    QTest.mouseClick(second._header, Qt.MouseButton.LeftButton)
    await driver.until(lambda: marked(driver), "its place")
    entry = marked(driver)[0]
    entry.set_open(True)
    told = " ".join(label.text() for label in entry.body.findChildren(QLabel))
    assert "it was not run again" in told
