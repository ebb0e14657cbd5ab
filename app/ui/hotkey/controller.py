"""Follows the setting: the keys a person chose for quick ask are taken, and given back with the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.ui.hotkey.combination import combination_of
from app.ui.hotkey.keyboard import DesktopKeyboard

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService


class GlobalHotkey(QObject):
    pressed = Signal()
    judged = Signal(str, bool)
    """Keys in Qt's portable form, and whether they are ours now."""

    def __init__(self, keyboard: DesktopKeyboard, settings: SettingsService, parent: QObject) -> None:
        super().__init__(parent)
        self._keyboard, self._settings, self._keys = keyboard, settings, ""
        keyboard.pressed.connect(self.pressed)
        self._stop_listening = settings.listen(self.follow)

    @property
    def can_take(self) -> bool:
        """Whether a program may ask this desktop for keys."""
        return self._keyboard.can_take

    def follow(self) -> None:
        keys = self._settings.preferences.quick_ask_keys
        if keys == self._keys:
            return
        self._keys = keys
        combination = combination_of(keys) if keys else None
        if combination is None:
            self._keyboard.give_back()
        is_ours = combination is not None and self._keyboard.take(combination)
        self.judged.emit(keys, is_ours)

    def close(self) -> None:
        self._stop_listening()
        self._keyboard.give_back()
