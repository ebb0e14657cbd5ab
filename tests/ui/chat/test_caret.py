"""The caret rests when nobody writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.ui.chat.caret import RestingCaret


@pytest.fixture(autouse=True)
def usual(qapp: QGuiApplication) -> Iterator[int]:
    hints = QGuiApplication.styleHints()
    before = hints.cursorFlashTime()
    hints.setCursorFlashTime(1_000)
    yield before
    hints.setCursorFlashTime(before)


def test_the_caret_stops_blinking_until_somebody_writes(qtbot: QtBot) -> None:
    field = QPlainTextEdit()
    qtbot.addWidget(field)
    caret = RestingCaret(field, rests_after=30)
    hints = QGuiApplication.styleHints()
    assert hints.cursorFlashTime() == 1_000
    qtbot.waitUntil(lambda: hints.cursorFlashTime() == 0)
    QTest.keyClick(field, Qt.Key.Key_A)
    assert hints.cursorFlashTime() == 1_000
    qtbot.waitUntil(lambda: hints.cursorFlashTime() == 0)
    assert caret.parent() is field
