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


def _say(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as guest:
        guest.connect(address)
        guest.sendall(b"ask\n")
        assert guest.recv(64) == b"ok\n"


async def _answered(driver: Driver, first: str) -> None:
    assert first in {row.id for row in await driver.listed(2)}
    await driver.until(lambda: driver.answers() == ["yes"], "the answer")
    await driver.done()
