"""The sheet of keys: changed, refused with the name of who has them, kept over a restart, set back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from app.core.session.summary import SessionRow
from app.ui.actions import COMMANDS, command_text
from app.ui.dialogs.preferences.keys import KeysPage
from app.ui.dialogs.settings.window import SettingsWindow
from app.ui.main_window.palette.palette import Palette

from .conftest import Driver, Open

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


async def in_front(driver: Driver) -> None:
    window = await driver.sees(SettingsWindow)
    await driver.until(window.isActiveWindow, "the settings in front")


async def sheet(driver: Driver) -> KeysPage:
    driver.command("keys")
    await in_front(driver)
    found = driver.all_of(KeysPage)
    assert len(found) == 1
    return found[0]


def press(dialog: KeysPage, command: str, keys: str) -> None:
    """As a person does: Change, into the field, the keys."""
    change = dialog.findChild(QAbstractButton, "changeKeys")
    assert change is not None
    if change.isVisible():
        QTest.mouseClick(change, Qt.MouseButton.LeftButton)
    edit = dialog.edits[command]
    sequence: Any = QKeySequence(keys)
    combination = sequence[0]
    edit.setFocus()
    QTest.keyClick(edit, combination.key(), combination.keyboardModifiers())


def in_focus(dialog: KeysPage) -> QWidget:
    found: QWidget | None = dialog.window().focusWidget()
    # Without a widget the key would go through a nested loop, in which other tasks die.
    assert found is not None
    return found


async def test_the_sheet_is_for_reading_until_change_is_pressed(open_window: Open) -> None:
    """F1 and then a key gave that key to the first command, and it was saved."""
    driver = await open_window()
    driver.comes_forward()
    services = driver.services
    assert services is not None
    usual = {id: action.shortcuts() for id, action in driver.desk.actions.items()}
    driver.press(Qt.Key.Key_F1)
    await in_front(driver)
    (dialog,) = driver.all_of(KeysPage)
    for key, held in (
        (Qt.Key.Key_X, CTRL | SHIFT),
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_F9, CTRL),
    ):
        QTest.keyClick(in_focus(dialog), key, held)
        QTest.keyClick(in_focus(dialog), Qt.Key.Key_Tab)
    assert {id: action.shortcuts() for id, action in driver.desk.actions.items()} == usual
    assert services.settings.preferences.shortcuts == {}
    assert "Ctrl+N" in [label.text() for label in dialog.shown.values() if label.isVisible()]
    QTest.keyClick(in_focus(dialog), Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    await driver.until(lambda: not driver.window.findChildren(KeysPage), "it is gone")

    dialog = await sheet(driver)
    press(dialog, "find", "Ctrl+Alt+X")
    QTest.keyClick(dialog.edits["find"], Qt.Key.Key_Escape)
    assert not dialog.isVisible(), "from a field too"
    assert [keys.toString() for keys in driver.desk.actions["find"].shortcuts()] == ["Ctrl+Alt+X"]


async def test_keys_are_changed_kept_and_set_back(open_window: Open) -> None:
    driver = await open_window()
    dialog = await sheet(driver)
    press(dialog, "find", "Ctrl+Alt+X")
    action = driver.desk.actions["find"]
    assert [key.toString() for key in action.shortcuts()] == ["Ctrl+Alt+X"]
    services = driver.services
    assert services is not None
    await driver.until(lambda: services.settings.preferences.shortcuts == {"find": "Ctrl+Alt+X"}, "it is kept")
    dialog.window().close()
    await driver.closes()

    again = await open_window()
    assert [key.toString() for key in again.desk.actions["find"].shortcuts()] == ["Ctrl+Alt+X"]
    dialog = await sheet(again)
    reset = dialog.findChild(QAbstractButton, "resetKeys")
    assert reset is not None
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert [key.toString() for key in again.desk.actions["find"].shortcuts()] == ["Ctrl+F"]


async def test_keys_that_are_taken_are_refused_with_the_name_of_the_command(open_window: Open) -> None:
    driver = await open_window()
    dialog = await sheet(driver)
    press(dialog, "find", "Ctrl+K")
    assert "Command palette" in dialog.told.full_text()
    assert [key.toString() for key in driver.desk.actions["find"].shortcuts()] == ["Ctrl+F"]
    assert dialog.edits["find"].keySequence().toString() == "Ctrl+F"


async def test_a_whole_errand_without_the_mouse(open_window: Open) -> None:
    """Asked in another mode, read in the pane, gone to another session and back, renamed, looked up, found."""
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    driver = await open_window(call, {"content": "it is 42"})
    window = driver.window
    window.activateWindow()
    driver.type("what is 6*7?")
    while window.modes.mode() != "react":
        driver.press(Qt.Key.Key_M, CTRL)
    driver.press(Qt.Key.Key_Return)
    await driver.until(lambda: driver.answers()[-1:] == ["it is 42"], "the answer")
    await driver.done()
    window.composer.focus()

    def focus() -> QWidget:
        found = window.focusWidget()
        assert found is not None
        return found

    driver.press(Qt.Key.Key_F6)
    outline = driver.desk.reasoning.outline
    assert focus() is outline.search
    QTest.keyClick(focus(), Qt.Key.Key_Down)
    entry = next(one for one in outline.entries() if one.call)
    while focus() is not entry.line:
        QTest.keyClick(focus(), Qt.Key.Key_Down)
    QTest.keyClick(focus(), Qt.Key.Key_Space)
    assert entry.is_open()
    QTest.keyClick(focus(), Qt.Key.Key_F6)
    assert window.sessions.isAncestorOf(focus())
    QTest.keyClick(focus(), Qt.Key.Key_F6)
    assert driver.desk.chat.isAncestorOf(focus())
    QTest.keyClick(focus(), Qt.Key.Key_F6)
    assert focus() is window.composer.field

    first = driver.session
    driver.press(Qt.Key.Key_N, CTRL)
    assert driver.desk.conversation.row is None
    await driver.asked("again")
    other: SessionRow | None = driver.desk.conversation.row
    assert other is not None
    second = other.id
    await driver.until(lambda: [row.id for row in driver.sessions()] == [second, first], "the newest session on top")
    driver.press(Qt.Key.Key_Tab, CTRL)
    await driver.until(lambda: driver.session == first, "the other session")
    driver.press(Qt.Key.Key_1, CTRL)
    await driver.until(lambda: driver.session == second, "the first of the list")
    driver.press(Qt.Key.Key_F2)
    editor = window.findChild(QLineEdit, "sessionTitleField")
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "My errand")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    await driver.until(lambda: "My errand" in [row.title for row in driver.sessions()], "the new name")

    window.composer.focus()
    driver.press(Qt.Key.Key_K, CTRL)
    palette = window.findChild(Palette)
    assert palette is not None
    QTest.keyClicks(palette.field, "my errand")
    assert palette.titles() == ["My errand"]
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    window.composer.focus()
    driver.press(Qt.Key.Key_F, CTRL)
    assert driver.desk.find.isVisible()
    QTest.keyClick(focus(), Qt.Key.Key_Escape)
    assert not driver.desk.find.isVisible()
    window.composer.focus()
    driver.press(Qt.Key.Key_J, CTRL)
    assert not window.panes.is_open("right")
    driver.press(Qt.Key.Key_B, CTRL)
    assert not window.panes.is_open("left")


async def test_escape_closes_what_is_open_before_it_stops_the_run(open_window: Open) -> None:
    driver = await open_window({"chunks": [f"w{n} " for n in range(500)], "delay": 0.02})
    driver.chooses_mode("direct")
    driver.comes_forward()
    driver.ask("talk")
    await driver.until(driver.is_running, "the run")
    driver.command("find")
    driver.press(Qt.Key.Key_Escape)
    assert not driver.desk.find.isVisible()
    dialog = await sheet(driver)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert driver.is_running()
    driver.comes_forward()
    await driver.until(driver.window.isActiveWindow, "the window in front again")
    driver.press(Qt.Key.Key_Escape)
    await driver.done()
    assert driver.last().stop_reason.startswith("Stopped by you")


async def test_every_command_stands_in_the_palette(open_window: Open) -> None:
    driver = await open_window()
    driver.command("palette")
    palette = driver.window.findChild(Palette)
    assert palette is not None
    for command in COMMANDS:
        if command.argument or command.id == "palette":
            continue
        palette.field.setText(command_text(command))
        assert command_text(command) in palette.titles(), command.id
    palette.close()
