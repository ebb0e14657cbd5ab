"""The palette by keyboard: what is found, what stands at the right of a line, what is said where nothing is found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.main_window.palette.palette import Palette, PaletteEntry
from app.ui.theme import Theme


@pytest.fixture
def ran() -> list[str]:
    return []


@pytest.fixture
def palette(qtbot: QtBot, ran: list[str]) -> Iterator[Palette]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    window.show()
    entries = [
        PaletteEntry("New <b>session</b>", "Command", lambda: ran.append("new"), "plus", "Ctrl+N"),
        PaletteEntry("Bin", "Command", lambda: ran.append("bin"), "trash"),
        PaletteEntry("A talk", "Session", lambda: ran.append("talk"), "book"),
    ]
    made = Palette(Theme(), entries, window)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    made.show()
    yield made
    made.close()


def lines(palette: Palette) -> list[str]:
    role = Qt.ItemDataRole.AccessibleTextRole
    return [str(palette.list.item(n).data(role) or palette.list.item(n).text()) for n in range(palette.list.count())]


def test_each_line_tells_what_it_is_and_its_keys(palette: Palette) -> None:
    assert lines(palette) == ["New <b>session</b>, Command, Ctrl+N", "Bin, Command", "A talk, Session"]
    assert not palette.grab().isNull()


def test_letters_narrow_it_and_return_does_the_first(palette: Palette, ran: list[str]) -> None:
    QTest.keyClicks(palette.field, "talk")
    assert palette.titles() == ["A talk"]
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert ran == ["talk"]


def test_where_nothing_is_found_it_says_so_and_return_does_nothing(palette: Palette, ran: list[str]) -> None:
    QTest.keyClicks(palette.field, "(.*[")
    assert palette.titles() == []
    assert lines(palette) == ["Nothing found"]
    QTest.keyClick(palette, Qt.Key.Key_Return)
    assert ran == []
