"""For people who do not see the window, or do not use a mouse: names, the way of the focus, what can be read."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)

from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.dialogs.preferences.preferences import PreferencesPage
from tests.end2end.conftest import Driver, Open
from tests.ui import heard, screen

_FOCUSED = Qt.FocusPolicy.TabFocus


def stops(window: QWidget) -> list[QWidget]:
    """Where Tab stops, in its order, once round."""
    focus: QWidget | None = window.focusWidget()
    first: QWidget | None = focus if focus is not None else window
    walk = first
    found: list[QWidget] = []
    for _ in range(5_000):
        assert walk is not None
        if walk.isVisible() and walk.isEnabled() and walk.focusPolicy() & _FOCUSED and walk.focusProxy() is None:
            found.append(walk)
        walk = walk.nextInFocusChain()
        if walk is first:
            return found
    raise AssertionError("the chain of focus has no end")


def spoken(widget: QWidget) -> str:
    """What a screen reader says of it."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) or interface.text(QAccessible.Text.Value)


async def test_every_stop_of_the_tab_key_says_what_it_is(open_window: Open) -> None:
    driver = await open_window({"content": "It is 42."})
    await driver.asked("what is 6*7?")
    found = stops(driver.window)
    assert len(found) >= 8
    assert [widget for widget in found if not spoken(widget)] == []


async def test_the_whole_window_is_heard_in_plain_words(open_window: Open) -> None:
    """Every control with a tool tip was described by its HTML; the modes were six buttons of nothing."""
    driver = await open_window({"content": "It is <b>42</b>."})
    assert heard.faults(driver.window) == []
    await driver.asked("what is 6*7?")
    assert heard.faults(driver.window) == []
    assert heard.without_role(driver.window) == []
    modes = [
        one
        for one in heard.interfaces(driver.window.modes)
        if one.role() == QAccessible.Role.RadioButton and not one.state().invisible
    ]
    assert [one.text(QAccessible.Text.Name) for one in modes if one.state().checked] == ["Mode: Auto"]
    assert len(modes) == len(driver.window.modes.modes())
    chosen = next(one for one in driver.window.modes.findChildren(QAbstractButton) if one.isChecked())
    chosen.setFocus()
    QTest.keyClick(chosen, Qt.Key.Key_Right)
    after = [one.text(QAccessible.Text.Name) for one in modes if one.state().checked]
    assert len(after) == 1
    assert after != ["Mode: Auto"]
    (answer,) = driver.window.findChildren(AssistantRowView)
    interface = QAccessible.queryAccessibleInterface(answer)
    assert interface.text(QAccessible.Text.Name) == "Answer of Assistant"
    assert interface.text(QAccessible.Text.Description) == "It is <b>42</b>."


async def test_tab_goes_round_the_window_and_comes_back(open_window: Open) -> None:
    driver = await open_window()
    driver.comes_forward()
    driver.goes_to_composer()
    start = driver.focused()
    seen: list[QWidget] = []
    for _ in range(60):
        focus = driver.focused()
        assert focus is not None
        if seen and focus is start:
            break
        seen.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    else:
        pytest.fail("Tab never came back to the composer")
    assert len(seen) == len(set(seen)) >= 8
    names = [widget.objectName() for widget in seen]
    for name in ("agentSelector", "modelSelector", "sessionSearch", "newSessionButton"):
        assert name in names


@pytest.mark.parametrize("command", ["settings", "agents", "providers", "permissions", "keys"])
async def test_dialogs_begin_inside_and_are_walked_from_top_to_bottom(open_window: Open, command: str) -> None:
    driver = await open_window()
    driver.command(command)
    await driver.sees(QDialog)
    dialog = shown(driver)
    await driver.until(dialog.isActiveWindow, "the window of the settings in front")
    found = stops(dialog)
    assert found
    assert all(dialog.isAncestorOf(widget) for widget in found)
    assert [widget for widget in found if not spoken(widget)] == []
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    if shown_or_none(driver):  # in a narrow window Esc goes back to the list first
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await driver.until(lambda: not shown_or_none(driver), "the dialog closed by Esc")


DIALOGS = (
    "bin", "settings", "agents", "providers", "mcp", "templates", "permissions",
    "data", "usage", "keys",
)  # fmt: skip
ACTED_ON = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
    QTabBar, QTextEdit,
)  # fmt: skip


def unnamed(top: QWidget) -> list[str]:
    """What one can act on and has no name, also where the Tab key does not stop. Parts of Qt's own widgets aside."""
    found = []
    for widget in top.findChildren(QWidget):
        parent = widget.parent()
        assert parent is not None
        is_part = isinstance(parent, QComboBox | QAbstractSpinBox) or parent.inherits("QComboBoxPrivateContainer")
        is_part = is_part or any(one.objectName().startswith("qt_") for one in (widget, parent))
        is_part = is_part or isinstance(widget, QScrollBar) or (isinstance(widget, QHeaderView) and widget.isHidden())
        if isinstance(widget, ACTED_ON) and not is_part and not (widget.accessibleName() or spoken(widget)):
            found.append(f"{type(widget).__name__} in {type(parent).__name__} in {type(parent.parent()).__name__}")
    return found


async def test_whatever_one_can_act_on_has_a_name(open_window: Open) -> None:
    driver = await open_window({"content": "It is **42**.\n\n```py\nx\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"})
    await driver.asked("what is 6*7?")
    assert unnamed(driver.window) == []
    for command in DIALOGS:
        driver.command(command)
        await driver.sees(QDialog)
        dialog = shown(driver)
        assert (command, unnamed(dialog)) == (command, [])
        assert dialog.windowTitle(), command
        dialog.close()
        await driver.until(lambda: shown_or_none(driver) is None, "the dialog closed")


NAMES = """mainWindow sessionList sessionSearch newSessionButton agentSelector modeSelector modelSelector composer
sendButton stopButton chatView jumpToLatestButton reasoningPane reasoningToggle reasoningOutline timelineView costView
planView statusBar contextMeter findBar"""


async def test_the_names_scripts_lean_on_are_there_once(open_window: Open) -> None:
    driver = await open_window()
    for name in NAMES.split():
        found = driver.window.findChildren(QWidget, name) + [driver.window] * (driver.window.objectName() == name)
        assert (name, len(found)) == (name, 1)
    for command, names in (
        ("agents", "settingsDialog agentList reflectionSlider truncationField maxStepsField toolTable"),
        ("providers", "providerList testConnectionButton"),
        ("palette", "commandPalette"),
    ):
        driver.command(command)
        await driver.sees(QDialog)
        for name in names.split():
            assert driver.window.findChild(QWidget, name) is not None, name
        for dialog in driver.window.findChildren(QDialog):
            dialog.close()


async def test_the_form_of_the_preferences_is_walked_in_reading_order(open_window: Open) -> None:
    driver = await open_window()
    driver.desk.settings.show("general")
    await driver.sees(PreferencesPage)
    dialog = shown(driver)
    form = dialog.findChild(PreferencesPage).form  # type: ignore[union-attr]
    tops = [widget.mapTo(form, widget.rect().center()).y() for widget in stops(dialog) if form.isAncestorOf(widget)]
    assert len(tops) >= 10
    assert tops == sorted(tops)


def cut_off(top: QWidget) -> list[str]:
    """What one can act on and what stands, in part, beside the window."""
    found = []
    for widget in top.findChildren(QWidget):
        if isinstance(widget, ACTED_ON) and widget.isVisible() and widget.window() is top and widget.width() > 4:
            left = widget.mapTo(top, widget.rect().topLeft()).x()
            right = left + widget.width()
            if left < 0 or right > top.width():
                found.append(f"{type(widget).__name__} {spoken(widget)!r} from {left} to {right} of {top.width()}")
    return found


async def test_at_twice_the_size_nothing_is_lost_in_the_narrowest_window(open_window: Open) -> None:
    driver = await open_window({"content": "It is **42**.\n\n```py\nx\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"})
    await driver.asked("what is 6*7?")
    settings = driver.services.settings
    await settings.save_preferences(settings.preferences.model_copy(update={"zoom": 200}))
    await driver.until(lambda: driver.window.theme.zoom == 2, "twice the size")
    driver.resize(420, 820)
    await driver.until(lambda: not driver.window.panes.is_open("left"), "the panes folded")
    assert driver.window.width() == 420
    await driver.until(lambda: cut_off(driver.window) == [], "all within the window", seconds=15)
    for name in ("sendButton", "composer", "agentSelector"):
        (part,) = driver.window.findChildren(QWidget, name)
        assert screen.why_not(part) in ("", "it is switched off"), name


def shown_or_none(driver: Driver) -> QDialog | None:
    return next(iter(driver.all_of(QDialog)), None)


def shown(driver: Driver) -> QDialog:
    dialog = shown_or_none(driver)
    assert dialog is not None
    return dialog
