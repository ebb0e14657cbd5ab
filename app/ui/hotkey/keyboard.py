"""The keyboard of the desktop, as far as a program may ask for keys of it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.ui.hotkey.combination import Combination


class DesktopKeyboard(QObject):
    """One that gives no keys away: Wayland, macOS, a window without a screen."""

    pressed = Signal()
    """The keys that were taken."""
    can_take = False

    def take(self, keys: Combination) -> bool:
        """From now on these, in place of those before. False: another program has them, or there is no such key."""
        del keys
        return False

    def give_back(self) -> None:
        """None any more."""
