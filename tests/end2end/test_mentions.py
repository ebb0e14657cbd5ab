"""`@` in the composer: what can be named is offered in place, and nothing that is typed is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.main_window.palette.mention_list import MentionList
from tests.ui import screen

from .conftest import Driver, Open


def titles(driver: Driver) -> list[str]:
    found = driver.all_of(MentionList)
    return [entry.title for entry in found[0].entries] if found else []


async def with_bases(open_window: Open, folder: Path) -> Driver:
    driver = await open_window()
    for name in ("My garden", "manuals", "公司资料"):
        await driver.services.knowledge.add(name, [folder])
    return driver


async def test_K2_an_at_offers_the_knowledge_bases_where_it_is_typed(open_window: Open, tmp_path: Path) -> None:
    driver = await with_bases(open_window, tmp_path)
    field = driver.window.composer.field
    driver.window.composer.fill("🌱 when, in ?")
    driver.press(Qt.Key.Key_Left)
    driver.type("@")
    await driver.until(lambda: titles(driver), "the bases")
    assert titles(driver) == ["manuals", "My garden", "公司资料"]
    assert field.hasFocus()
    driver.type("my g")
    assert titles(driver) == ["My garden"]
    driver.press(Qt.Key.Key_Return)
    assert driver.draft() == "🌱 when, in @My garden ?"
    assert titles(driver) == []
    driver.type("or @")
    await driver.until(lambda: titles(driver), "the bases again")
    (offered,) = driver.all_of(MentionList)
    await driver.until(lambda: screen.why_not(offered.viewport()) == "", "the lines")
    screen.click(offered.viewport(), offered.visualItemRect(offered.item(2)).center())
    assert driver.draft() == "🌱 when, in @My garden or @公司资料 ?"
    assert field.hasFocus()
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert driver.draft() == "🌱 when, in @My garden or @?"
    assert driver.questions() == []


async def test_whatever_is_typed_around_an_at_keeps_every_character(open_window: Open, tmp_path: Path) -> None:
    driver = await with_bases(open_window, tmp_path)
    field = driver.window.composer.field
    for sentence in ("@", "@nobody, hello", "@manuals what", "bob@manuals", "@@m x", "3 @ 5"):
        for escapes in (False, True):
            driver.window.composer.fill("")
            for letter in sentence:
                QTest.keyClicks(QApplication.focusWidget() or field, letter)
                await asyncio.sleep(0)
                if escapes and letter == "@" and sentence != "bob@manuals":
                    await driver.until(lambda: titles(driver), "the bases")
                    driver.press(Qt.Key.Key_Escape)
                    assert titles(driver) == []
            assert (driver.draft(), field.hasFocus()) == (sentence, True)
    driver.window.composer.fill("")
    driver.type("@ma")
    await driver.until(lambda: titles(driver) == ["manuals"], "what was typed meanwhile finds its base")
    driver.press(Qt.Key.Key_Home)
    assert titles(driver) == [], "the cursor is elsewhere"
    driver.window.composer.fill("")
    driver.type("@manuals ")
    await asyncio.sleep(0.05)
    driver.press(Qt.Key.Key_Return)
    await driver.until(lambda: "@manuals" in driver.questions(), "a name written out is sent")
    await driver.done()
