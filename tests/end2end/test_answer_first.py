"""The answer first: what led to it is one line, its card has buttons that change it in place."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from PySide6.QtCore import QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from app.storage.stores.documents import Documents
from app.ui.cards import CardFrame
from app.ui.cards.file_card import FileCard
from app.ui.cards.form import FormBody
from app.ui.cards.timeline.stop_row import StopRow
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.items import ToolPart, answer_of
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.rows.work_line import WorkLine
from tests.ui import screen

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
    driver.chooses_mode("react")
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
    assert "第1天" in "".join(one.document().toPlainText() for one in view.text_views())


async def test_the_readmes_question_is_answered_on_two_screens(open_window: Open) -> None:
    """At 1440 x 900, the work folded; with it unfolded too. Nothing is called by an internal name."""
    driver = await open_window(agent="travel", model="offline/rules")
    driver.resize(1440, 900)
    await driver.asked("帮我规划北京3日游，包括景点和美食")
    await driver.until(lambda: not row_view(driver).is_work_open, "the work to fold")
    view, chat = row_view(driver), driver.desk.chat.list
    await driver.until(lambda: view.height() > 400, "the row to be laid out")
    height = chat.viewport().height()
    assert view.height() <= 1.3 * height
    total = sum(chat.widget(row.id).height() for row in driver.rows() if chat.widget(row.id) is not None)
    assert total <= 2 * height
    notes = next(button for button in seen(view, QPushButton) if button.objectName() == "moreNotes")
    assert "more notes" in notes.text()
    view.open_work()
    await driver.until(lambda: len(seen(view, ToolCard)) == 5, "a row for each step")
    assert view.height() <= 2 * height
    shown = [label.text() for label in seen(view, QLabel)]
    ids = {part.name for part in driver.last().parts if isinstance(part, ToolPart)}
    assert ids
    assert not [text for text in shown if any(id in text for id in ids)]
    outline = [entry.line.title for entry in driver.desk.reasoning.outline.entries()]
    assert not ids & set(outline)


async def test_a_text_without_a_card_is_the_answer_and_text_before_a_call_is_work(open_window: Open) -> None:
    call = {"name": "calculator", "arguments": {"expression": "6*7"}}
    driver = await open_window({"content": "I look it up.", "tool_calls": [call]}, {"content": "It is 42."})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    view = row_view(driver)
    await driver.until(lambda: not view.is_work_open, "the work to fold")
    assert [one.document().toPlainText().strip() for one in view.text_views()] == ["It is 42."]
    assert answer_of(driver.last()) == "It is 42."


def hovered(driver: Driver, day: int = 0, stop: int = 0) -> StopRow:
    """The pointer over a stop of the day that is open: its buttons appear."""
    rows = [row for row in seen(driver.desk.chat.list, StopRow) if row.number]
    row: StopRow = rows[stop]
    QApplication.sendEvent(row, QEnterEvent(QPointF(9, 9), QPointF(9, 9), QPointF(9, 9)))
    return row


async def version(driver: Driver) -> int:
    services = driver.services
    assert services is not None
    trips = await Documents(services.database).list("trip")
    return trips[0].version if trips else 0


async def test_every_button_of_the_card_is_clicked_and_changes_it_in_its_place(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await planned(open_window)

    def names() -> list[str]:
        return [row.accessibleName() for row in seen(driver.desk.chat.list, StopRow) if row.number]

    async def pressed(id: str, what: str) -> None:
        before, (card,) = await version(driver), seen(driver.desk.chat.list, CardFrame)
        click(buttons(driver)[id])
        await driver.until(lambda: seen(driver.desk.chat.list, CardFrame) not in ([card], []), what, 20)
        assert len(seen(driver.desk.chat.list, CardFrame)) == 1, "one card, in its place"
        for _ in range(100):  # the card may be drawn before the version is stored
            if await version(driver) > before:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"no new version: {what}")

    at_first = names()
    hovered(driver)
    remove = next(id for id in buttons(driver) if id.startswith("remove."))
    await pressed(remove, "removed before anything was saved")
    await driver.until(lambda: names() != at_first, "the next version")
    await pressed("undo", "taken back")
    await driver.until(lambda: names() == at_first, "as it was")
    hovered(driver)
    await pressed(next(id for id in buttons(driver) if id.startswith("lock.")), "locked")
    row = hovered(driver)
    swap = row.findChild(QToolButton, "swapChoices")
    assert swap is not None
    click(swap)
    await driver.until(lambda: any(id.startswith("swap.") for id in buttons(driver)), "places nearby", 10)
    await pressed(next(id for id in buttons(driver) if id.startswith("swap.")), "swapped")
    assert names()[0] != at_first[0]
    click(buttons(driver)["change"])
    (menu,) = seen(driver.window, QMenu)
    ease = next(entry for entry in menu.actions() if entry.objectName() == "cardAction.change.ease.1")
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(ease).center())
    await driver.until(lambda: not driver.is_running(), "the easier day")
    await asyncio.sleep(0.5)
    click(buttons(driver)["calendar"])
    exports = tmp_path / "data" / "exports"
    await driver.until(lambda: exports.exists() and list(exports.glob("*.ics")), "the calendar file")
    await driver.until(lambda: not driver.is_running(), "the end")
    await the_file_is_opened_shown_and_saved_elsewhere(driver, next(exports.glob("*.ics")), tmp_path, monkeypatch)


async def test_a_calendar_of_a_plan_without_dates_asks_for_the_first_day(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window(agent="travel", model="offline/rules")
    driver.chooses_mode("react")
    await driver.asked("Plan 2 days in Shanghai for 2 adults")
    await driver.until(lambda: "calendar" in buttons(driver), "the card")
    screen.click(buttons(driver)["calendar"])
    await driver.until(lambda: driver.all_of(FormBody) and "export" in buttons(driver), "the form")
    await driver.done()
    (line,) = driver.one(FormBody).findChildren(QLineEdit)
    screen.click(line)
    QTest.keyClicks(line, "2027-03-09")
    screen.click(buttons(driver)["export"])
    exports = tmp_path / "data" / "exports"
    await driver.until(lambda: exports.exists() and list(exports.glob("*.ics")), "the calendar file")
    await driver.until(lambda: not driver.is_running() and driver.all_of(FileCard), "the card of the file")
    events = Calendar.from_ical(next(exports.glob("*.ics")).read_bytes()).walk("VEVENT")
    assert {event.decoded("DTSTART").date().isoformat() for event in events} == {"2027-03-09", "2027-03-10"}
    if shots := os.environ.get("ANSWER_SHOTS"):
        driver.picture().save(f"{shots}/calendar.png")


async def the_file_is_opened_shown_and_saved_elsewhere(
    driver: Driver, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the three buttons of its card; only what the system would show is noted instead."""
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    await driver.until(lambda: seen(driver.desk.chat.list, FileCard), "the card of the file")
    (card,) = seen(driver.desk.chat.list, FileCard)
    for name in ("openFile", "showFile", "saveFileAs"):
        button = card.findChild(QAbstractButton, name)
        assert isinstance(button, QAbstractButton)
        driver.desk.chat.list.verticalScrollBar().setValue(driver.desk.chat.list.verticalScrollBar().maximum())
        await driver.until(lambda button=button: screen.why_not(button) == "", name)  # type: ignore[misc]
        screen.click(button)
    await driver.until(lambda: len(opened) == 2, "the program of the system, and the folder")
    assert sorted(opened) == sorted([str(file), str(file.parent)])
    (chooser,) = driver.all_of(QFileDialog)
    target = tmp_path / "kept elsewhere.ics"
    chooser.fileSelected.emit(str(target))
    chooser.close()
    await driver.until(target.exists, "the copy")
    assert await asyncio.to_thread(target.read_bytes) == await asyncio.to_thread(file.read_bytes)


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
