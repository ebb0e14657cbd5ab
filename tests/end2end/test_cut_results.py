"""R6: of a long result the model reads a part; the chat and the pane say so, show the whole, and raise the limit."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from app.ui.chat.rows.items import ToolPart
from app.ui.chat.rows.tool import ToolCard
from app.ui.reasoning.entry import OutlineEntry
from app.ui.widgets.cut_bar import CutBar
from app.ui.widgets.safe_text import SafeLabel

from .conftest import Driver, Open

CITIES = ["北京", "上海", "杭州"]
LONG = {"tool_calls": [{"name": "query_attractions", "arguments": {"cities": CITIES, "limit": 20}}]}


async def answered(open_window: Open) -> Driver:
    driver = await open_window(LONG, {"content": "found"}, agent="travel")
    driver.chooses_mode("react")
    await driver.asked("what is there to see")
    return driver


def part_of(driver: Driver) -> ToolPart:
    (part,) = [part for part in driver.last().parts if isinstance(part, ToolPart)]
    return part


def place_in(driver: Driver, where: str) -> QWidget:
    """The result unfolded, in the chat or in the outline."""
    if where == "chat":
        row = driver.desk.chat.list.widget(driver.last().id)
        row.open_work()
        card = row.findChild(ToolCard)
        assert isinstance(card, ToolCard)
        if not card.is_unfolded():
            QTest.mouseClick(card._header, Qt.MouseButton.LeftButton)
        return card
    entries: list[OutlineEntry] = driver.desk.reasoning.outline.entries()
    (entry,) = [entry for entry in entries if entry.call == part_of(driver).id.removeprefix("call-")]
    if not entry.is_open():
        QTest.mouseClick(entry.line, Qt.MouseButton.LeftButton)
    return entry


def bar(driver: Driver, where: str) -> CutBar | None:
    found = [one for one in place_in(driver, where).findChildren(CutBar) if one.isVisible()]
    return found[-1] if found else None


def button(bar: CutBar, name: str) -> QPushButton:
    found = bar.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def texts(place: QWidget) -> list[str]:
    return [view.toPlainText() for view in place.findChildren(QPlainTextEdit) if view.isVisible()]


@pytest.mark.parametrize("where", ["chat", "pane"])
async def test_R06_a_cut_result_is_told_shown_whole_and_its_limit_raised(open_window: Open, where: str) -> None:
    driver = await answered(open_window)
    part = part_of(driver)
    assert part.kept <= 4_000 < part.chars
    await driver.until(lambda: bar(driver, where), "the bar")
    shown: Any = bar(driver, where)
    told = shown.findChildren(SafeLabel)[0].full_text()
    assert told == f"The model read {part.kept:,} of {part.chars:,} characters"

    QTest.mouseClick(button(shown, "showAllButton"), Qt.MouseButton.LeftButton)
    await driver.until(
        lambda: any(len(text) >= part.chars for text in texts(place_in(driver, where))), "the whole result"
    )

    await driver.until(lambda: bar(driver, where), "the bar, again")
    again: Any = bar(driver, where)
    assert not button(again, "showAllButton").isVisibleTo(again) or not button(again, "showAllButton").isEnabled()
    QTest.keyClick(button(again, "raiseLimitButton"), Qt.Key.Key_Space)
    await driver.until(again.limits.isVisible, "the limits")
    QTest.keyClick(again.limits, Qt.Key.Key_Up)
    QTest.keyClick(again.limits, Qt.Key.Key_Return)
    settings = driver.services.settings
    await driver.until(lambda: settings.profile("travel").tool_result_max_length > part.chars, "a higher limit")

    await driver.asked("and once more")
    row = driver.last()
    (later,) = [part for part in row.parts if isinstance(part, ToolPart)]
    assert later.kept > part.kept or not later.kept
