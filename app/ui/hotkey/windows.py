"""Keys of a Windows desktop: registered for this thread, whose messages Qt hands to a filter."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication, QObject

from app.ui.hotkey.combination import Combination
from app.ui.hotkey.keyboard import DesktopKeyboard

_MODIFIERS = {"alt": 1, "control": 2, "shift": 4, "meta": 8}
_NO_REPEAT = 0x4000
_F1, _HOTKEY_MESSAGE, _ID = 0x70, 0x0312, 0x7A1C
"""Key code of F1; WM_HOTKEY; ours among the registrations of this thread."""


class WindowsKeyboard(DesktopKeyboard):
    can_take = True

    def __init__(self, parent: QObject | None = None, user32: Any = None) -> None:
        super().__init__(parent)
        self._user32 = user32 or getattr(ctypes, "windll").user32  # noqa: B009  known on Windows only
        self._filter: _Filter | None = None

    def take(self, keys: Combination) -> bool:
        self.give_back()
        code = _F1 + keys.function_key - 1 if keys.function_key else self._user32.VkKeyScanW(ord(keys.sign)) & 0xFF
        modifiers = sum(_MODIFIERS[name] for name in keys.held) | _NO_REPEAT
        if code == 0xFF or not self._user32.RegisterHotKey(None, _ID, modifiers, code):
            return False
        self._filter = _Filter(self)
        app = QCoreApplication.instance()
        assert app is not None
        app.installNativeEventFilter(self._filter)
        return True

    def give_back(self) -> None:
        event_filter, self._filter = self._filter, None
        app = QCoreApplication.instance()
        if event_filter is not None and app is not None:
            self._user32.UnregisterHotKey(None, _ID)
            app.removeNativeEventFilter(event_filter)


class _Filter(QAbstractNativeEventFilter):
    def __init__(self, keyboard: WindowsKeyboard) -> None:
        super().__init__()
        self._keyboard = keyboard

    def nativeEventFilter(self, kind: QByteArray | bytes | bytearray | memoryview, message: Any) -> tuple[bool, int]:
        name = kind.data() if isinstance(kind, QByteArray) else bytes(kind)
        if name in (b"windows_generic_MSG", b"windows_dispatcher_MSG"):
            event = wintypes.MSG.from_address(int(message))
            if event.message == _HOTKEY_MESSAGE and event.wParam == _ID:
                self._keyboard.pressed.emit()
                return True, 0
        return False, 0
