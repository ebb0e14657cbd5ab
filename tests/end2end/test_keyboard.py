"""The way of the keys to every feature: one table, each row walked in the window with nothing but keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QListWidget, QWidget

from app.ui.dialogs import ApprovalCard
from app.ui.main_window.palette.palette import Palette
from app.ui.widgets.selectors.choice_popup import ChoicePopup
from tests.end2end.conftest import Driver, Open

CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "36*12+58"}}]}
MOST_TABS = 150


class Way(NamedTuple):
    feature: str
    keys: tuple[str, ...]
    """`Ctrl+K`; `'words` are typed; `> name` is Tab until something of that name has the focus, `< name` Shift+Tab."""
    seen: Callable[[Driver], object]
    """What is true when it was reached."""
    turns: tuple[Mapping[str, object], ...] = ()
    """What the model answers from here on."""


def focus() -> QWidget:
    """Where a key goes: an open pop-up, else what has the focus in the window in front."""
    if (popup := QApplication.activePopupWidget()) is not None:
        return inside(popup)
    window = QApplication.activeWindow()
    assert window is not None
    return inside(window)


def inside(window: QWidget) -> QWidget:
    focused: QWidget | None = window.focusWidget()
    return window if focused is None else focused


def name_of(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return f"{interface.text(QAccessible.Text.Name)} {interface.text(QAccessible.Text.Description)}"


def in_front(driver: Driver) -> bool:
    """What a desktop does by itself: the dialog that is open gets the keys, else the window."""
    top = next(iter(driver.all_of(QDialog)), driver.window)
    if not top.isActiveWindow():
        top.activateWindow()
    return top.isActiveWindow() or QApplication.activePopupWidget() is not None


def press(keys: str) -> None:
    if keys.startswith("'"):
        QTest.keyClicks(focus(), keys[1:])
    elif keys.startswith(("> ", "< ")):
        tab_to(keys[2:], back=keys[0] == "<")
    else:
        combination = QKeySequence(keys)[0]  # type: ignore[index]
        QTest.keyClick(focus(), combination.key(), combination.keyboardModifiers())


def tab_to(name: str, *, back: bool) -> None:
    held = Qt.KeyboardModifier.ShiftModifier if back else Qt.KeyboardModifier.NoModifier
    passed = []
    for _stop in range(MOST_TABS):
        QTest.keyClick(focus(), Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab, held)
        passed.append(name_of(focus())[:60])
        if name in passed[-1]:
            return
    raise AssertionError(f"Tab never came to {name!r}, but to {sorted(set(passed))}")


def dialog(name: str) -> Callable[[Driver], object]:
    return lambda driver: any(one.objectName() == name for one in driver.all_of(QDialog))


def menu(_driver: Driver) -> object:
    return QApplication.activePopupWidget()


def closed(driver: Driver) -> bool:
    return not driver.all_of(QDialog) and QApplication.activePopupWidget() is None


def answered(text: str) -> Callable[[Driver], object]:
    """Shown, over, and stored: what is done with an answer is done with the stored one."""
    return lambda driver: (
        driver.answers() == [text]
        and not driver.is_running()
        and driver.desk.conversation.messages.message(driver.last().id)
    )


def is_shown(driver: Driver, name: str) -> bool:
    return any(one.objectName() == name for one in driver.all_of(QWidget))


def rated(driver: Driver) -> bool:
    return any(button.checked for button in driver.last().actions)


def listed(driver: Driver) -> bool:
    return "Errand" in [one.title for one in driver.sessions()]


def can_answer(driver: Driver) -> bool:
    """What may be pressed by who did not read it is not offered yet."""
    return any(card.allow_once.isEnabled() and card.focus_answer() for card in driver.all_of(ApprovalCard))


def page(name: str) -> Callable[[Driver], object]:
    """Of the settings; a press on what was found there is the way to it."""
    return lambda driver: any(
        pages.objectName() == "settingsPages" and name in one.text()
        for pages in driver.all_of(QListWidget)
        for one in pages.selectedItems()
    )


WAYS = (
    Way("a question", ("Ctrl+L", "'what is it?", "Return"), answered("first")),
    Way("another mode", ("Ctrl+L", "Ctrl+M"), lambda d: d.mode() == "direct"),
    Way("a mode of the row", ("> Mode: Direct", "Right"), lambda d: d.mode() == "react"),
    Way("the newest answer", ("Ctrl+L", "< Answer of Assistant"), lambda d: "Answer" in name_of(focus())),
    Way("copy an answer", ("> Copy as Markdown", "Space"), lambda d: "first" in QApplication.clipboard().text()),
    Way("regenerate", ("> Regenerate", "Space"), answered("second"), ({"content": "second"},)),
    Way("rate an answer", ("Ctrl+L", "< Answer of Assistant", "> Good answer", "Space"), rated),
    Way("how it came about", ("> Show how it came about", "Space"), lambda d: d.window.panes.is_open("right")),
    Way("details", ("> Details of this answer", "Space"), lambda d: d.all_of(QDialog)),
    Way("back", ("Esc",), closed),
    Way("find in the session", ("Ctrl+L", "Ctrl+F", "'second"), lambda d: "1" in d.desk.find.count.text()),
    Way("back", ("Esc",), lambda d: not d.desk.find.isVisible()),
    Way("menu of the session", ("Ctrl+L", "< Menu of the session", "Space"), menu),
    Way("rename", ("Esc", "F2", "Ctrl+A", "'Errand", "Return"), listed),
    Way("agents", ("Ctrl+L", "< Agent", "Space"), lambda d: d.all_of(ChoicePopup)),
    Way("back", ("Esc",), lambda d: not d.all_of(ChoicePopup)),
    Way("main menu", ("Ctrl+L", "< Menu", "Space"), menu),
    Way("back", ("Esc",), closed),
    Way("the pane", ("Ctrl+L", "F6"), lambda d: d.desk.reasoning.isAncestorOf(focus())),
    Way("tabs of the pane", ("< Outline", "Right"), lambda d: is_shown(d, "timelineView")),
    Way("cost", ("Right",), lambda d: is_shown(d, "costView")),
    Way("a pane hidden", ("Ctrl+J",), lambda d: not d.window.panes.is_open("right")),
    Way("a pane shown", ("Ctrl+J",), lambda d: d.window.panes.is_open("right")),
    Way("list hidden", ("Ctrl+B",), lambda d: not d.window.panes.is_open("left")),
    Way("list shown", ("Ctrl+B",), lambda d: d.window.panes.is_open("left")),
    Way("new session", ("Ctrl+N",), lambda d: not d.session),
    Way("temporary session", ("Ctrl+Shift+N",), lambda d: d.session and d.desk.conversation.row.is_temporary),
    Way("a session of the list", ("Ctrl+L", "Ctrl+K", "'errand", "Return"), lambda d: d.questions() == ["what is it?"]),
    Way("search all sessions", ("Ctrl+Shift+F",), lambda d: d.all_of(QDialog)),
    Way("back", ("Esc",), closed),
    Way("palette", ("Ctrl+K",), lambda d: d.all_of(Palette)),
    Way("a command of it", ("'bin", "Return"), lambda d: d.all_of(QDialog) and not d.all_of(Palette)),
    Way("back", ("Esc",), closed),
    Way("settings", ("Ctrl+,",), dialog("settingsDialog")),
    Way("a page by its name", ("> Pages of the settings", "'M"), page("M")),
    Way("back", ("Esc", "Esc"), closed),
    Way("shortcuts", ("F1",), dialog("settingsDialog")),
    Way("back", ("Esc",), closed),
    Way("an approval", ("Ctrl+L", "'compute", "Return"), can_answer, (CALL, {"content": "490"})),
    Way("to what waits", ("Ctrl+L", "Ctrl+."), lambda d: d.one(ApprovalCard).isAncestorOf(focus())),
    Way("allowed", ("Return",), lambda d: not d.all_of(ApprovalCard) and not d.is_running()),
    Way("stop", ("Ctrl+L", "'talk", "Return"), lambda d: d.is_running(), ({"chunks": ["w "] * 500, "delay": 0.02},)),
    Way("stopped", ("Esc",), lambda d: not d.is_running()),
    Way("to the bin", ("Ctrl+L", "Ctrl+K", "'move session to bin", "Return"), lambda d: "bin" in d.notice()),
    Way("undo", ("Ctrl+Z",), listed),
    Way("larger text", ("Ctrl+L", "Ctrl+="), lambda d: d.window.theme.zoom > 1),
)  # fmt: skip


async def test_every_feature_is_reached_by_keys_alone(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "first"})
    settings = driver.services.settings
    profile = settings.profile("assistant")
    await settings.save_profile(profile.model_copy(update={"tools": {**profile.tools, "calculator": "ask"}}))
    driver.comes_forward()
    await driver.until(driver.window.isActiveWindow, "the window in front")
    for way in WAYS:
        if way.turns:
            (tmp_path / "script0.json").write_text(json.dumps({"turns": way.turns, "repeat_last": True}))
        for keys in way.keys:
            await driver.until(lambda: in_front(driver), f"{way.feature}: a window in front")
            press(keys)
        await driver.until(partial(way.seen, driver), f"{way.feature} by {' '.join(way.keys)}", seconds=8)
        if not driver.is_running():
            await driver.services.chat.recorded()
