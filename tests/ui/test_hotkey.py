"""Keys of the whole desktop: which may be taken, on X11 pressed for real, on Windows as its functions are called."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Iterator
from ctypes import wintypes
from ctypes.util import find_library
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QCoreApplication
from pytestqt.qtbot import QtBot

from app.ui.hotkey.combination import Combination, combination_of
from app.ui.hotkey.windows import WindowsKeyboard
from tests.every import looped

XTST = find_library("Xtst")


@looped(
    ("keys", "expected"),
    [
        ("Ctrl+Alt+Space", Combination(frozenset({"control", "alt"}), " ")),
        ("Meta+K", Combination(frozenset({"meta"}), "k")),
        ("F9", Combination(frozenset(), function_key=9)),
        ("K", None),
        ("Shift+K", None),
        ("Ctrl+Left", None),
        ("Ctrl+K, Ctrl+L", None),
        ("", None),
    ],
)
def test_what_no_other_program_should_lose_is_not_taken(keys: str, expected: Combination | None) -> None:
    assert combination_of(keys) == expected


@pytest.fixture
def display() -> Iterator[str]:
    """A desktop of our own."""
    if sys.platform != "linux" or shutil.which("Xvfb") is None or XTST is None:
        pytest.skip("needs Xvfb and libXtst")
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "320x240x8", "-nolisten", "tcp"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    number = server.stdout.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)
    server.stdout.close()


class Fingers:
    """Presses keys of the desktop, as a person does: whichever window is in front."""

    def __init__(self, display: str) -> None:
        self._x, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL(XTST)
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XKeysymToKeycode.argtypes = (ctypes.c_void_p, ctypes.c_ulong)
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(display.encode()))

    def press(self, *signs: int) -> None:
        codes = [self._x.XKeysymToKeycode(self._display, sign) for sign in signs]
        for is_down, each in ((1, codes), (0, reversed(codes))):
            for code in each:
                self._test.XTestFakeKeyEvent(self._display, code, is_down, 0)
        self._x.XSync(self._display, 0)

    def close(self) -> None:
        self._x.XCloseDisplay(self._display)


CONTROL, ALT, SPACE, K, NUMBER_LOCK = 0xFFE3, 0xFFE9, 0x20, 0x6B, 0xFF7F


def test_keys_are_heard_from_any_window_until_they_are_given_back(qtbot: QtBot, display: str) -> None:
    from app.ui.hotkey.x11 import X11Keyboard

    keyboard, fingers, heard = X11Keyboard(display=display), Fingers(display), list[str]()
    keyboard.pressed.connect(lambda: heard.append("pressed"))
    wanted = combination_of("Ctrl+Alt+Space")
    assert wanted is not None
    assert keyboard.take(wanted)
    fingers.press(CONTROL, K)
    fingers.press(CONTROL, ALT, SPACE)
    qtbot.waitUntil(lambda: bool(heard))
    fingers.press(NUMBER_LOCK)
    fingers.press(CONTROL, ALT, SPACE)
    qtbot.waitUntil(lambda: len(heard) == 2)

    other, elsewhere = X11Keyboard(display=display), list[str]()
    other.pressed.connect(lambda: elsewhere.append("pressed"))
    assert not other.take(wanted), "another program has them"
    keyboard.give_back()
    assert other.take(wanted)
    fingers.press(CONTROL, ALT, SPACE)
    qtbot.waitUntil(lambda: bool(elsewhere))
    other.give_back()
    assert heard == ["pressed"] * 2, "who gave them back hears no more, and no key but those was taken"
    fingers.close()
    assert not X11Keyboard(display=":63999").take(wanted), "no such desktop"


class User32:
    """The three functions of Windows, which answer as it does."""

    def __init__(self) -> None:
        self.registered: tuple[int, int, int] | None = None
        self.is_taken = False

    def VkKeyScanW(self, sign: int) -> int:
        return ord(chr(sign).upper())

    def RegisterHotKey(self, window: object, number: int, modifiers: int, code: int) -> int:
        if window is None and not self.is_taken:
            self.registered = (number, modifiers, code)
        return int(not self.is_taken)

    def UnregisterHotKey(self, _window: object, number: int) -> int:
        assert self.registered is not None
        assert self.registered[0] == number
        self.registered = None
        return 1


def test_on_windows_the_message_of_the_keys_is_heard(qtbot: QtBot) -> None:
    windows = User32()
    keyboard, heard = WindowsKeyboard(user32=windows), list[str]()
    keyboard.pressed.connect(lambda: heard.append("pressed"))
    wanted = combination_of("Ctrl+Alt+K")
    assert wanted is not None
    assert keyboard.take(wanted)
    assert windows.registered is not None
    number, modifiers, code = windows.registered
    assert (modifiers & 0xF, code) == (1 | 2, ord("K"))

    def message(kind: int, parameter: int) -> Any:
        event = wintypes.MSG()
        event.message, event.wParam = kind, parameter
        return event

    for event, is_ours in (
        (message(0x0312, number), True),
        (message(0x0312, number + 1), False),
        (message(15, 0), False),
    ):
        filtered = keyboard._filter.nativeEventFilter(QByteArray(b"windows_generic_MSG"), ctypes.addressof(event))  # type: ignore[union-attr]
        assert filtered[0] is is_ours
    assert heard == ["pressed"]
    keyboard.give_back()
    assert windows.registered is None
    windows.is_taken = True
    assert not keyboard.take(wanted)
    assert QCoreApplication.instance() is not None
