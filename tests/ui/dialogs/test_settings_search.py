"""The search of the settings window, with pages of the test's own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout
from pytestqt.qtbot import QtBot

from app.ui.dialogs.settings.page import SettingsPage
from app.ui.dialogs.settings.window import PageSpec, SettingsWindow
from app.ui.theme import Theme


class Buttons(SettingsPage):
    def __init__(self, *texts: str) -> None:
        super().__init__(Theme())
        self._column = QVBoxLayout(self)
        self.fill(*texts)

    def fill(self, *texts: str) -> None:
        for old in self.findChildren(QPushButton):
            old.setParent(None)
        for text in texts:
            self._column.addWidget(QPushButton(text))


def test_a_page_that_cannot_be_made_is_tried_once_and_the_others_are_searched(qtbot: QtBot, tmp_path: Path) -> None:
    tries: list[str] = []

    def broken() -> SettingsPage:
        tries.append("broken")
        raise ValueError("no such page")

    late = Buttons("Lantern height")
    specs = [
        PageSpec("first", "First", "settings", lambda: Buttons("Colour")),
        PageSpec("broken", "Broken", "settings", broken),
        PageSpec("late", "Late", "settings", lambda: late),
    ]
    window = SettingsWindow(specs, Theme(), QSettings(str(tmp_path / "memory.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(window)
    window.go_to("first")
    window.show()
    hits, search = window.navigation.hits, window.navigation.search
    with qtbot.captureExceptions() as faults:
        QTest.keyClicks(search, "lantern")
        qtbot.waitUntil(lambda: hits.count() == 1)
        QTest.keyClicks(search, " nothing")
        qtbot.waitUntil(lambda: not hits.isVisible())
        qtbot.wait(20)  # turns of the loop, in which it was tried again and again
    assert (tries, len(faults)) == (["broken"], 1)
    search.clear()
    QTest.keyClicks(search, "lantern")
    assert hits.count() == 1
    late.fill("Lantern width", "Lantern light")  # while it is not in sight
    hits.itemClicked.emit(hits.item(0))
    assert [hits.item(n).text().partition("\n")[0] for n in range(hits.count())] == ["Lantern width", "Lantern light"]
    hits.itemClicked.emit(hits.item(1))
    assert window.current == "late"
