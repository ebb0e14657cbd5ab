"""Message templates in the window: kept, offered by "/" and by the menu, filled in, managed."""

from __future__ import annotations

import asyncio
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.ui.chat.template_form import TemplateForm
from app.ui.dialogs.preferences.templates import TemplatesPage
from app.ui.main_window.palette.template_list import TemplateList
from tests.ui import screen

from .conftest import Driver, Open

TRIP = "{{days=3}} days in {{city}}"


def shown(driver: Driver, kind: type[QWidget]) -> Any:
    return next(iter(driver.all_of(kind)), None)


async def with_template(open_window: Open) -> Driver:
    driver = await open_window()
    await driver.services.prompts.save("trip", TRIP)
    return driver


def offered(driver: Driver) -> TemplateList | None:
    found: TemplateList | None = shown(driver, TemplateList)
    return found


def press(key: Qt.Key) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)


async def test_a_slash_offers_templates_and_the_form_fills_their_gaps(open_window: Open) -> None:
    driver = await with_template(open_window)
    driver.type("/")
    await driver.until(lambda: offered(driver), "the templates")
    assert driver.window.composer.field.hasFocus()
    driver.type("tri")
    press(Qt.Key.Key_Return)
    form = shown(driver, TemplateForm)
    assert form is not None
    assert offered(driver) is None
    assert form.fields["days"].text() == "3"
    QTest.keyClick(form.fields["days"], Qt.Key.Key_Return)
    assert form.fields["city"].hasFocus()
    form.fields["city"].insert("杭州")
    QTest.keyClick(form.fields["city"], Qt.Key.Key_Return)
    assert driver.draft() == "3 days in 杭州"
    assert shown(driver, TemplateForm) is None
    assert driver.answers() == []


async def test_a_template_is_taken_by_the_mouse_and_can_be_undone(open_window: Open) -> None:
    driver = await with_template(open_window)
    await driver.services.prompts.save("hello", "Good morning!")
    driver.type("/")
    await driver.until(lambda: offered(driver), "the templates")
    driver.type("morning")
    listed = offered(driver)
    assert listed is not None
    assert [entry.title for entry in listed.entries] == ["hello"]
    await driver.until(lambda: screen.why_not(listed.viewport()) == "", "the line")
    screen.click(listed.viewport(), listed.visualItemRect(listed.item(0)).center())
    assert driver.draft() == "Good morning!"
    QTest.keyClick(driver.window.composer.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert driver.draft() == "/morning"


async def test_a_sentence_that_begins_with_a_slash_keeps_every_character(open_window: Open) -> None:
    """However fast it is typed: the list comes later, and nothing that is typed goes elsewhere."""
    driver = await with_template(open_window)
    field = driver.window.composer.field
    for sentence in ("/usr/bin is full", "/", "/ in the city", "/t", "/trip to the moon", "//", "/days in Rome?"):
        for escapes in (False, True):
            driver.window.composer.fill("")
            driver.type(sentence[0])
            if escapes:
                await driver.until(lambda: offered(driver), "the templates")
                press(Qt.Key.Key_Escape)
                assert offered(driver) is None
            for letter in sentence[1:]:
                QTest.keyClicks(QApplication.focusWidget() or field, letter)
                await asyncio.sleep(0)
            assert (driver.draft(), field.hasFocus()) == (sentence, True)
        press(Qt.Key.Key_Return)
        await driver.until(lambda: sentence in driver.questions(), "the question")  # noqa: B023  awaited here
        await driver.done()


async def test_escape_leaves_the_form_and_the_text_as_they_were(open_window: Open) -> None:
    driver = await with_template(open_window)
    driver.type("begun")
    QTest.mouseClick(driver.window.composer.templates_button, Qt.MouseButton.LeftButton)
    await driver.until(lambda: driver.window.findChild(QMenu, "templatesMenu"), "the menu")
    menu = driver.window.findChild(QMenu, "templatesMenu")
    assert menu is not None
    menu.actions()[0].trigger()
    menu.close()
    form = shown(driver, TemplateForm)
    assert form is not None
    press(Qt.Key.Key_Escape)
    assert shown(driver, TemplateForm) is None
    assert driver.draft() == "begun"
    assert driver.window.composer.field.hasFocus()


async def test_what_is_typed_is_kept_as_a_template_and_offered_in_the_menu(open_window: Open) -> None:
    driver = await open_window()
    driver.type("Translate {{what}} for me")
    QTest.mouseClick(driver.window.composer.templates_button, Qt.MouseButton.LeftButton)
    await driver.until(lambda: driver.window.findChild(QMenu, "templatesMenu"), "the menu")
    menu = driver.window.findChild(QMenu, "templatesMenu")
    assert menu is not None
    next(one for one in menu.actions() if one.text().startswith("Keep")).trigger()
    menu.close()
    dialog = shown(driver, TemplatesPage)
    assert dialog is not None
    assert dialog.text.toPlainText() == "Translate {{what}} for me"
    assert "what" in dialog.told.full_text()
    prompts = driver.services.prompts
    screen.click(dialog.name)
    QTest.keyClicks(dialog.name, "translate")
    assert await prompts.list() == []
    screen.click(dialog.text)  # leaves the name
    await driver.until(lambda: dialog.list.list.count() == 1, "the kept template")
    assert [one.name for one in await prompts.list()] == ["translate"]
    screen.click(dialog.name)
    dialog.name.selectAll()
    QTest.keyClicks(dialog.name, "into French")
    press(Qt.Key.Key_Return)
    await driver.until(lambda: dialog.list.list.item(0).text() == "into French", "the new name")
    screen.click(dialog.saved.button)
    await driver.until(lambda: dialog.list.list.item(0).text() == "translate", "the old name")
    dialog.go_back()  # to the list, where there is no room for both
    screen.click(dialog._remove)
    await driver.until(lambda: dialog.list.list.count() == 0, "the deletion")
    assert await prompts.list() == []
    await driver.until(dialog.saved.button.isVisible, "the way back")
    screen.click(dialog.saved.button)
    await driver.until(lambda: dialog.list.list.count() == 1, "it is there again")
    assert [(one.name, one.text) for one in await prompts.list()] == [("translate", "Translate {{what}} for me")]
