"""The answer first: what led to it is one line, its card has buttons that change it in place."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from app.ui.cards import CardFrame
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.items import NoticeRow, answer_of
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.rows.work_line import WorkLine

from .conftest import Driver, Open

QUESTION = "明天起在南京玩两天，帮我排一个行程"


def row_view(driver: Driver, id: str = "") -> AssistantRowView:
    view = driver.desk.chat.list.widget(id or driver.last().id)
    assert isinstance(view, AssistantRowView)
    return view


def seen(view: QWidget, kind: type[Any]) -> list[Any]:
    return [widget for widget in view.findChildren(kind) if widget.isVisible()]


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


async def planned(open_window: Open) -> Driver:
    driver = await open_window(agent="travel", model="offline/rules")
    driver.window.modes.set_mode("react")
    await driver.asked(QUESTION)
    await driver.until(lambda: not row_view(driver).is_work_open, "the work to fold")
    return driver


def buttons(driver: Driver) -> dict[str, QPushButton]:
    cards = seen(driver.desk.chat.list, CardFrame)
    return {
        button.objectName().removeprefix("cardAction."): button
        for card in cards
        for button in card.findChildren(QWidget)
        if button.objectName().startswith("cardAction.") and button.isVisible()
    }


async def test_the_card_is_seen_once_and_the_work_is_one_line(open_window: Open) -> None:
    driver = await planned(open_window)
    view = row_view(driver)
    assert len(seen(view, CardFrame)) == 1, "one card: what was asked for"
    assert seen(view, ToolCard) == []
    assert view.text_views() == [], "the model's text folds under more"
    [line] = seen(view, WorkLine)
    calls = len([part for part in driver.last().parts if part.id.startswith("call-")])
    assert line.accessibleName().startswith(f"{calls} look-ups · ")
    QTest.keyClick(line, Qt.Key.Key_Space)
    await driver.until(lambda: len(seen(view, ToolCard)) == calls, "a row for each call")
    first = seen(view, ToolCard)[0]
    click(first.findChild(QPushButton))
    await driver.until(lambda: seen(first, CardFrame), "the supporting card, in the row of its call")
    click(line)
    await driver.until(lambda: seen(view, ToolCard) == [], "the rows to fold")
    more = next(button for button in seen(view, QPushButton) if button.objectName() == "moreLine")
    click(more)
    await driver.until(view.text_views, "the text")
    assert "第 1 天" in "".join(one.document().toPlainText() for one in view.text_views())


async def test_a_text_without_a_card_is_the_answer_and_text_before_a_call_is_work(open_window: Open) -> None:
    call = {"name": "calculator", "arguments": {"expression": "6*7"}}
    driver = await open_window({"content": "I look it up.", "tool_calls": [call]}, {"content": "It is 42."})
    driver.window.modes.set_mode("react")
    await driver.asked("what is 6*7?")
    view = row_view(driver)
    await driver.until(lambda: not view.is_work_open, "the work to fold")
    assert [one.document().toPlainText().strip() for one in view.text_views()] == ["It is 42."]
    assert answer_of(driver.last()) == "It is 42."


async def test_buttons_change_the_card_in_its_place(open_window: Open) -> None:
    driver = await planned(open_window)
    click(buttons(driver)["save"])
    await driver.until(lambda: "calendar" in buttons(driver), "the buttons of the saved trip")
    assert len(seen(driver.desk.chat.list, CardFrame)) == 1, "in place of the first one"
    notices = [row.text for row in driver.rows() if isinstance(row, NoticeRow)]
    assert len(notices) == 1
    assert notices[0].startswith("保存行程 – ")
    stops = [id for id in buttons(driver) if id.startswith("remove.")]
    click(buttons(driver)[stops[0]])
    await driver.until(lambda: "undo" in buttons(driver), "the next version")
    left = [id for id in buttons(driver) if id.startswith("remove.")]
    assert len(left) == len(stops) - 1
    click(buttons(driver)["undo"])
    await driver.until(lambda: len([id for id in buttons(driver) if id.startswith("remove.")]) == len(stops), "undo")


async def test_the_live_line_says_what_is_done_and_counts_seconds(open_window: Open) -> None:
    driver = await open_window({"content": "slow " * 40, "delay": 0.02})
    driver.ask("tell me")
    await driver.until(driver.is_running, "the run")
    await driver.until(lambda: seen(row_view(driver), WorkLine), "the line")
    [line] = seen(row_view(driver), WorkLine)
    first = line._label.full_text()
    await driver.until(lambda: line._label.full_text() != first, "the seconds to count")
    await driver.done()
    await driver.until(lambda: seen(row_view(driver), WorkLine) == [], "no line for an answer without work")
