"""The sheet of keys: changed, refused with the name of who has them, kept over a restart, set back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from app.ui.main_window.keys import KeysDialog

from .conftest import Driver, Open


def sheet(driver: Driver) -> KeysDialog:
    driver.desk.actions["keys"].trigger()
    found = [one for one in driver.window.findChildren(KeysDialog) if one.isVisible()]
    assert len(found) == 1
    return found[0]


def press(dialog: KeysDialog, command: str, keys: str) -> None:
    edit = dialog.edits[command]
    edit.setKeySequence(QKeySequence(keys))
    edit.editingFinished.emit()


async def test_keys_are_changed_kept_and_set_back(open_window: Open) -> None:
    driver = await open_window()
    dialog = sheet(driver)
    press(dialog, "find", "Ctrl+Alt+X")
    action = driver.desk.actions["find"]
    assert [key.toString() for key in action.shortcuts()] == ["Ctrl+Alt+X"]
    services = driver.application._services
    assert services is not None
    await driver.until(lambda: services.settings.preferences.shortcuts == {"find": "Ctrl+Alt+X"}, "it is kept")
    dialog.close()
    await driver.application.close()

    again = await open_window()
    assert [key.toString() for key in again.desk.actions["find"].shortcuts()] == ["Ctrl+Alt+X"]
    dialog = sheet(again)
    reset = dialog.findChild(QAbstractButton, "resetKeys")
    assert reset is not None
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert [key.toString() for key in again.desk.actions["find"].shortcuts()] == ["Ctrl+F"]


async def test_keys_that_are_taken_are_refused_with_the_name_of_the_command(open_window: Open) -> None:
    driver = await open_window()
    dialog = sheet(driver)
    press(dialog, "find", "Ctrl+K")
    assert "Command palette" in dialog.told.full_text()
    assert [key.toString() for key in driver.desk.actions["find"].shortcuts()] == ["Ctrl+F"]
    assert dialog.edits["find"].keySequence().toString() == "Ctrl+F"
