"""Approvals as a person meets them: by keyboard alone, several at once, and when their session goes meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.core.tools.tool import ToolContext, ToolResult
from app.ui.chat.rows.tool import ToolCard
from app.ui.dialogs import ApprovalCard

from .conftest import Driver, Open
from .test_questions import CALL, card_of, change, deny

OTHER = {"name": "calculator", "arguments": {"expression": "1+1"}}
TWO: dict[str, Any] = {"tool_calls": [*CALL["tool_calls"], OTHER]}


def cards(driver: Driver) -> list[ApprovalCard]:
    return driver.all_of(ApprovalCard)


def focused(driver: Driver) -> QWidget:
    widget: QWidget = driver.focused()
    assert widget is not None
    return widget


def press(driver: Driver, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(focused(driver), key, held)


def tab_to(driver: Driver, wanted: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> None:
    for _step in range(30):
        if focused(driver) is wanted:
            return
        press(driver, key)
    raise AssertionError(f"never reached {wanted.accessibleName()}")


async def waiting(open_window: Open, *turns: dict[str, Any]) -> Driver:
    driver = await open_window(*turns)
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: (card := card_of(driver)) and card.deny.isEnabled(), "a card that listens")
    return driver


async def test_a_card_is_answered_by_keyboard_alone(open_window: Open) -> None:
    driver = await waiting(open_window, CALL, {"content": "It is 42."})
    card = card_of(driver)
    assert card is not None
    assert not card.isAncestorOf(focused(driver)), "it takes the focus from nobody"
    press(driver, Qt.Key.Key_Return)
    assert cards(driver) == [card], "Enter in the composer is none of its business"
    driver.press(Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    await driver.until(lambda: focused(driver) is card.allow_once, "the focus at Allow once")
    tab_to(driver, card.more)
    tab_to(driver, card.details_button, Qt.Key.Key_Backtab)
    press(driver, Qt.Key.Key_Return)
    assert cards(driver) == [card]
    tab_to(driver, card.details.edit, Qt.Key.Key_Backtab)
    tab_to(driver, card.allow_once)
    press(driver, Qt.Key.Key_Return)
    await driver.done()
    assert driver.answers()[-1].endswith("It is 42.")


async def test_one_shift_and_tab_leads_from_the_composer_to_what_asks(open_window: Open) -> None:
    """It was made last, so Tab came to it after everything else of the window."""
    driver = await waiting(open_window, CALL, {"content": "It is 42."})
    card = card_of(driver)
    assert card is not None
    driver.goes_to_composer()
    composer = focused(driver)
    press(driver, Qt.Key.Key_Backtab)
    assert focused(driver) is card.deny
    press(driver, Qt.Key.Key_Tab)
    assert focused(driver) is composer
    tab_to(driver, card.allow_once, Qt.Key.Key_Backtab)
    press(driver, Qt.Key.Key_Return)
    await driver.done()


async def test_allow_once_is_once_however_often_the_call_stands_in_the_message(open_window: Open) -> None:
    five = {"tool_calls": [{"name": "export_trip", "arguments": {"id": "t1", "format": "md"}}] * 5}
    driver = await open_window(five, {"content": "Done."})
    await change(driver, tools={"export_trip": "ask"})
    ran: list[object] = []
    assert driver.application.services is not None
    tools = driver.services.tools._tools

    async def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
        ran.append(args)
        return ToolResult.success({"file": "x"})

    tools.add([replace(tools["export_trip"], body=body)])
    driver.chooses_mode("react")
    driver.ask("export it")
    await driver.until(lambda: (card := card_of(driver)) and card.allow_once.isEnabled(), "a card that listens")
    first = cards(driver)
    first[0].allow_once.click()
    await driver.until(lambda: cards(driver) and cards(driver) != first, "a second card")
    await driver.until(lambda: len(ran) == 1, "the one call that was allowed")
    second = cards(driver)[0]
    assert "once more" in second.details.facts.values["Why it asks"].full_text()
    await driver.until(second.deny.isEnabled, "the second card to listen")
    deny(second)
    await driver.done()
    assert len(ran) == 1


async def test_two_calls_at_once_ask_one_after_the_other(open_window: Open) -> None:
    driver = await waiting(open_window, TWO, {"content": "42 and 2."})
    first = cards(driver)
    assert [card.accessibleName() for card in first] == ["Approval: Calculate"]
    first[0].allow_once.click()
    await driver.until(lambda: cards(driver) and cards(driver) != first, "the second card")
    second = cards(driver)
    assert len(second) == 1
    await driver.until(second[0].deny.isEnabled, "the second card to listen")
    deny(second[0])
    await driver.done()
    states = [getattr(part, "state", "") for part in driver.last().parts if hasattr(part, "summary")]
    assert states == ["done", "skipped"]


async def test_two_sessions_wait_each_with_its_own_card(open_window: Open) -> None:
    driver = await waiting(open_window, CALL, {"content": "done"})
    first, first_cards = driver.session, cards(driver)
    driver.command("new")
    await driver.until(lambda: not cards(driver), "no card in another session")
    driver.chooses_mode("react")
    driver.ask("and once more?")
    await driver.until(lambda: cards(driver) and cards(driver) != first_cards, "the second card")
    await driver.until(cards(driver)[0].deny.isEnabled, "the second card to listen")
    deny(cards(driver)[0])
    await driver.until(lambda: not driver.is_running(), "the end of the second run")
    assert driver.application.services is not None
    assert driver.services.chat.running_sessions() == {first}
    await driver.desk.conversation.open(first)
    await driver.until(lambda: cards(driver) and cards(driver)[0].allow_once.isEnabled(), "the first card again")
    assert cards(driver)[0].details.facts.values["You asked"].full_text() == "what is 6*7?"
    cards(driver)[0].allow_once.click()
    await driver.done()
    assert driver.answers()[-1].endswith("done")


async def test_a_session_that_goes_meanwhile_takes_its_run_and_its_card_along(open_window: Open) -> None:
    driver = await waiting(open_window, CALL, {"content": "done"})
    assert driver.application.services is not None
    chat = driver.services.chat
    driver.command("delete")
    await driver.until(lambda: not cards(driver), "the card to go")
    await driver.until(lambda: not chat.running_sessions(), "the run to end")


async def test_a_window_that_closes_with_a_card_keeps_what_was_said(open_window: Open) -> None:
    driver = await waiting(open_window, CALL, {"content": "done"})
    session = driver.session
    await driver.closes()
    again = await open_window({"content": "yes"}, session=session)
    await again.until(again.questions, "the question")
    assert again.questions() == ["what is 6*7?"]
    assert cards(again) == []


async def test_a_card_nobody_answers_goes_and_the_answer_says_so(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "Nobody allowed it."})
    await change(driver, tools={"calculator": "ask"})
    services = driver.services
    assert services is not None
    services.settings._preferences = services.settings.preferences.model_copy(update={"approval_minutes": 0.02})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: card_of(driver), "the card")
    await driver.done()
    await driver.until(lambda: not cards(driver), "the card to go")
    assert driver.answers()[-1].endswith("Nobody allowed it.")
    states = [getattr(part, "state", "") for part in driver.last().parts if hasattr(part, "summary")]
    assert states == ["skipped"]
    assert "Denied\nNobody answered in time." in driver.desk.reasoning.outline.text()


async def test_what_was_read_forgivingly_stands_at_the_approval_at_the_call_and_in_the_export(
    open_window: Open,
) -> None:
    call = {"name": "calculate_budget", "arguments": {"city": "Beijing", "days": "三", "adults": 2, "colour": "red"}}
    driver = await open_window({"tool_calls": [call]}, {"content": "About 3,000."})
    await change(driver, tools={"calculate_budget": "ask"})
    driver.chooses_mode("react")
    driver.ask("what does it cost?")
    await driver.until(lambda: (card := card_of(driver)) and card.allow_once.isEnabled(), "a card that listens")
    card = card_of(driver)
    assert card is not None
    words = "days: “三” is read as 3 · colour is not known here and is left out"
    assert card.mended.isVisible()
    assert card.mended.text() == words
    QTest.mouseClick(card.allow_once, Qt.MouseButton.LeftButton)
    await driver.done()
    line = driver.window.findChild(QPushButton, "workLine")
    assert isinstance(line, QPushButton)
    line.click()
    (row,) = (row for row in driver.window.findChildren(ToolCard) if row.part.name == "calculate_budget")
    row.toggle()
    assert [note.text() for note in row.findChildren(QLabel, "mendedNote")] == [words]
    services = driver.services
    assert services is not None
    exported = await services.transfer.export([driver.session], "md")
    assert "days: “三” is read as 3" in exported.data.decode()
