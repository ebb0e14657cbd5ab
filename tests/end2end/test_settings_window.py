"""The one window of the settings: every way leads to its page, all is found, nothing lies on top of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QListWidget, QSpinBox, QWidget

from app.ui.dialogs.agents.agent_settings import AgentsPage
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.settings.window import SettingsWindow
from app.ui.widgets.sheet import has_sheet
from tests.ui import screen

from .conftest import Driver, Open

PAGES = {
    "providers": "providersPage", "agents": "agentsPage", "mcp": "mcpPage",
    "permissions": "permissionsPage", "templates": "templatesPage", "keys": "keysPage",
    "data": "dataPage", "usage": "usagePage",
}  # fmt: skip


async def opened(driver: Driver) -> SettingsWindow:
    await driver.sees(SettingsWindow)
    found = [one for one in driver.all_of(QDialog) if one.isWindow()]
    assert [type(one) for one in found] == [SettingsWindow]
    await driver.until(found[0].isActiveWindow, "the window in front")
    return found[0]  # type: ignore[return-value]


def page(window: SettingsWindow) -> str:
    return window.page(window.current).objectName()


def row_of(window: SettingsWindow, id: str) -> int:
    pages = window.navigation.pages
    return next(row for row in range(pages.count()) if pages.item(row).data(Qt.ItemDataRole.UserRole) == id)


class Flashes(QObject):
    """Names every window that is shown: a part shown before it has its place is one for a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(repr(watched))
        return False


async def look_for(driver: Driver, window: SettingsWindow, text: str) -> QListWidget:
    search, hits = window.navigation.search, window.navigation.hits
    screen.click(search)
    search.selectAll()
    QTest.keyClicks(search, text)
    await driver.until(lambda: not window._building.isActive(), "all pages searched")
    return hits


async def test_every_way_leads_to_its_page_of_one_window_and_it_is_remembered(open_window: Open) -> None:
    driver = await open_window()
    for command, name in PAGES.items():
        driver.command(command)
        assert (command, page(await opened(driver))) == (command, name)
    window = await opened(driver)
    assert not window.isModal()
    unnamed = [one for one in window.findChildren(QListWidget) if not one.accessibleName()]
    assert unnamed == []
    for size in ((1280, 680), (790, 560)):
        window.resize(*size)
        for row in range(window.navigation.pages.count()):
            window.navigation.pages.setCurrentRow(row)
            assert (size, (window.width(), window.height())) == (size, size)
            found = window.page(window.current)
            beyond = found.minimumSizeHint().width() > size[0] - window.navigation.width()
            assert not beyond, f"{found.objectName()} is cut at {size}"
    window.navigation.pages.setCurrentRow(row_of(window, "appearance"))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    await driver.until(lambda: driver.window.findChild(SettingsWindow) is None, "it is closed by Esc")
    driver.command("settings")
    again = await opened(driver)
    assert page(again) == "appearancePage"
    assert (again.width(), again.height()) == (790, 560)


async def test_search_finds_fields_hints_and_values_on_every_page_and_leads_to_them(open_window: Open) -> None:
    driver = await open_window()
    await driver.asked("hi")
    services = driver.services
    assert services is not None
    from app.services.providers.service import ProviderEntry

    await services.providers.save_provider(ProviderEntry("ds", "deepseek", "My DeepSeek", "https://api.deepseek.com"))
    driver.command("settings")
    window = await opened(driver)
    flashes = Flashes()
    driver.application._app.installEventFilter(flashes)
    for text, name, title in (
        ("dark mode", "appearancePage", "Theme"),
        ("no such setting", "", ""),
        ("certificates", "providersPage", "Certificates"),
        ("my deepseek", "providersPage", "My DeepSeek"),
        ("all results batch", "agentsPage", "All results of one batch"),
        ("VPN", "generalPage", "Proxy"),
        ("backup", "dataPage", "Data and backups"),
    ):
        hits = await look_for(driver, window, text)
        if not name:
            assert not hits.isVisible(), text
            continue
        rows = [hits.item(row).text().split("\n")[0] for row in range(hits.count())]
        row = rows.index(title) if title else 0
        if text == "all results batch":
            assert hits.item(row).text().split("\n")[1] == "Agents › Tool results"
        QTest.mouseClick(hits.viewport(), Qt.MouseButton.LeftButton, pos=hits.visualItemRect(hits.item(row)).center())
        assert (text, page(window)) == (text, name)
        focus = QApplication.focusWidget()
        assert focus is not None, (text, window.isActiveWindow(), window.focusWidget())
        assert window.page(window.current).isAncestorOf(focus), text
        assert focus.isVisible(), text
        if title not in ("Data and backups", "My DeepSeek"):
            assert any(mark.isVisible() for mark in window.findChildren(QWidget, "foundMark")), text
    driver.application._app.removeEventFilter(flashes)
    assert flashes.seen == [], "pages are made without a window of their own"
    await look_for(driver, window, "reduced")
    QTest.keyClick(window.navigation.search, Qt.Key.Key_Return)
    assert page(window) == "appearancePage"
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    await driver.until(lambda: QApplication.focusWidget() is window.navigation.search, "Ctrl+F goes to the search")
    QTest.keyClick(window.navigation.search, Qt.Key.Key_Escape)
    assert window.navigation.search.text() == ""
    assert window.isVisible()


async def test_a_valid_change_is_stored_and_one_that_is_not_is_asked_about_inside_the_window(open_window: Open) -> None:
    driver = await open_window()
    driver.command("agents")
    window = await opened(driver)
    steps = window.findChild(QSpinBox, "maxStepsField")
    assert steps is not None
    steps.setValue(19)
    assert driver.services is not None
    settings = driver.services.settings
    await driver.until(lambda: settings.profile("assistant").max_steps == 19, "the choice stored")
    page_of_agents = window.page("agents")
    assert isinstance(page_of_agents, AgentsPage)
    field = page_of_agents.form.editor("temperature").control
    assert isinstance(field, QLineEdit)
    field.setText("0,7")
    await driver.until(lambda: page_of_agents.is_refused, "the number refused")
    window.navigation.pages.setCurrentRow(row_of(window, "keys"))
    assert page(window) == "keysPage"
    assert "•" in window.navigation.pages.item(row_of(window, "agents")).text()
    window.navigation.pages.setCurrentRow(row_of(window, "agents"))
    assert field.text() == "0,7", "another page is no reason to lose it"

    driver.command("quit")
    assert driver.is_open(), "the program waits for the answer"
    driver.window.close()
    assert driver.is_open(), "and so with the button of the window"
    sheet = next(one for one in window.findChildren(AskDialog) if one.isVisible())
    assert not sheet.isWindow()
    assert await opened(driver) is window
    assert window.rect().contains(sheet.mapTo(window, sheet.rect().center()))
    for _stop in range(6):
        inside: Any = QApplication.focusWidget()
        assert sheet.isAncestorOf(inside)
        QTest.keyClick(inside, Qt.Key.Key_Tab)
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    await asyncio.sleep(0)
    assert not has_sheet(window)
    assert window.isVisible()
    window.close()
    sheet = next(one for one in window.findChildren(AskDialog) if one.isVisible())
    screen.click(sheet.buttons["discard"])
    await driver.until(lambda: driver.window.findChild(SettingsWindow) is None, "the window closed")


def all_in_reach(window: SettingsWindow) -> bool:
    area = window.body.area
    beyond = window.page(window.current).width() - area.viewport().width()
    return area.horizontalScrollBar().maximum() >= beyond


async def test_in_a_narrow_window_with_large_text_list_and_page_take_turns(
    open_window: Open,
) -> None:
    driver = await open_window()
    settings = driver.services.settings
    await settings.save_preferences(settings.preferences.model_copy(update={"zoom": 200}))
    driver.command("settings")
    window = await opened(driver)
    window.resize(420, 640)
    await driver.until(window.body.back_button.isVisible, "the page alone, with the way back")
    assert window.width() == 420
    pages = window.navigation.pages
    faults: list[str] = []
    for row in range(pages.count()):
        QTest.mouseClick(window.body.back_button, Qt.MouseButton.LeftButton)
        await driver.until(pages.isVisible, "the list")
        pages.scrollToItem(pages.item(row))
        spot = pages.visualItemRect(pages.item(row)).center()
        QTest.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        await driver.until(lambda: not pages.isVisible(), "the page in its place")
        await driver.until(partial(all_in_reach, window), f"{window.current}: all can be scrolled to")
        if window.width() != 420:
            faults.append(f"{window.current}: the window became wider")
    assert faults == []
    QTest.mouseClick(window.body.back_button, Qt.MouseButton.LeftButton)
    pages.setCurrentRow(0)
    QTest.keyClick(pages, Qt.Key.Key_Down)
    assert pages.isVisible(), "the arrow keys only move in the list"
    QTest.keyClick(pages, Qt.Key.Key_Return)
    await driver.until(lambda: not pages.isVisible(), "Enter opens")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not pages.isVisible(), "Esc: from the agent to the agents"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    await driver.until(pages.isVisible, "and from them to the pages")
    window.resize(1_700, 800)
    await driver.until(lambda: not window.body.back_button.isVisible() and pages.isVisible(), "side by side again")
