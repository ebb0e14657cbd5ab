"""Which keyboard this desktop has."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.ui.hotkey.keyboard import DesktopKeyboard


def desktop_keyboard(parent: QObject) -> DesktopKeyboard:
    if sys.platform == "win32":
        from app.ui.hotkey.windows import WindowsKeyboard

        return WindowsKeyboard(parent)
    # Under Wayland an X11 program hears only what is pressed in other X11 programs.
    if QGuiApplication.platformName() == "xcb" and not os.environ.get("WAYLAND_DISPLAY"):
        from app.ui.hotkey.x11 import X11Keyboard

        return X11Keyboard(parent)
    return DesktopKeyboard(parent)
