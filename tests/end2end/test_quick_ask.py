"""`triptych --ask`: a small window for one question, with the clipboard if the person says so."""

from __future__ import annotations

import asyncio
import socket
import sys
import tempfile

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.dialogs.preferences.hotkey_row import HotkeyRow
from app.ui.dialogs.preferences.keys import KeysPage
from app.ui.hotkey.combination import Combination
from app.ui.hotkey.keyboard import DesktopKeyboard
from app.ui.main_window.quick_ask import QuickAsk

from .conftest import Driver, Open


def small_window() -> QuickAsk | None:
    shown = (one for one in QApplication.topLevelWidgets() if isinstance(one, QuickAsk) and one.isVisible())
    return next(shown, None)


@pytest.mark.skipif(sys.platform == "win32", reason="a named pipe is no path")
async def test_another_start_with_ask_opens_the_small_window_and_its_question_is_answered(open_window: Open) -> None:
    driver = await open_window()
    await driver.asked("first")
    first = driver.session
    QGuiApplication.clipboard().setText("line one\nline two")
    with tempfile.TemporaryDirectory() as folder:
        driver.application.further_starts.hear(f"{folder}/door", lambda: None)
        await asyncio.to_thread(_say, f"{folder}/door")
        await driver.until(small_window, "the small window")
        small = small_window()
        assert small is not None
        assert small.along.isVisible()
        assert not small.along.isChecked()
        QTest.mouseClick(small.along, Qt.MouseButton.LeftButton, pos=QPoint(8, small.along.height() // 2))
        assert small.along.isChecked()
        QTest.keyClicks(small.field, "what is this?")
        QTest.keyClick(small.field, Qt.Key.Key_Return)
        assert small_window() is None
        await _answered(driver, first)
        assert driver.questions() == ["what is this?\n\n> line one\n> line two"]
        driver.application.further_starts.stop()

    driver.command("ask")
    again = small_window()
    assert again is not None
    QTest.keyClick(again.field, Qt.Key.Key_Escape)
    assert small_window() is None


class Desktop(DesktopKeyboard):
    """One that gives keys away, but for those another program has."""

    can_take = True

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[Combination | None] = []

    def take(self, keys: Combination) -> bool:
        self.taken.append(keys)
        return keys.sign != "t"

    def give_back(self) -> None:
        self.taken.append(None)


async def test_keys_of_the_desktop_are_chosen_in_the_settings_and_open_the_small_window(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window()
    driver.command("keys")
    page = await driver.sees(KeysPage)
    (row,) = page.findChildren(HotkeyRow)
    assert not row.field.isVisible()
    assert row.told.full_text().endswith("triptych --ask"), "what to do where no program may have keys"

    desktop = Desktop()
    monkeypatch.setattr("app.ui.main_window.compose.desktop_keyboard", lambda _parent: desktop)
    driver = await open_window()
    assert desktop.taken == [], "nobody has asked for it"
    driver.command("keys")
    page = await driver.sees(KeysPage)
    (row,) = page.findChildren(HotkeyRow)
    ctrl_alt = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier

    def press(key: Qt.Key, held: Qt.KeyboardModifier) -> None:
        row.field.setFocus()
        QTest.keyClick(row.field, key, held)

    press(Qt.Key.Key_K, Qt.KeyboardModifier.ShiftModifier)
    await driver.until(lambda: "function key" in row.told.full_text(), "a letter is not taken from everybody")
    press(Qt.Key.Key_T, ctrl_alt)
    await driver.until(lambda: "another program" in row.told.full_text(), "who has them is said")
    press(Qt.Key.Key_Space, ctrl_alt)
    await driver.until(lambda: row.told.full_text().startswith("Off until"), "they are ours")
    assert driver.services.settings.preferences.quick_ask_keys == "Ctrl+Alt+Space"
    assert desktop.taken[-1] == Combination(frozenset({"control", "alt"}), " ")
    desktop.pressed.emit()
    small = small_window()
    assert small is not None
    QTest.keyClick(small.field, Qt.Key.Key_Escape)
    await driver.leave()
    assert desktop.taken[-1] is None, "with the window they are given back"


def _say(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as guest:
        guest.connect(address)
        guest.sendall(b"ask\n")
        assert guest.recv(64) == b"ok\n"


async def _answered(driver: Driver, first: str) -> None:
    assert first in {row.id for row in await driver.listed(2)}
    await driver.until(lambda: driver.answers() == ["yes"], "the answer")
    await driver.done()
