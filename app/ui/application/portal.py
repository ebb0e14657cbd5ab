"""The desktop's wishes that Qt does not know – light or dark, less motion – asked of the settings portal, and followed.

Bare X11 and desktops without their Qt plug-in leave the colour scheme unknown; the portal has it all the same. Of
motion Qt tells nothing anywhere: newer portals have a key for it, older ones hand out the setting of GNOME.
Asked in the background and only there: no answer within the limit means no wish.
"""

from __future__ import annotations

import logging
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import SLOT, QObject, Signal, Slot

_SERVICE, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_COLORS = ("org.freedesktop.appearance", "color-scheme")
_LESS_MOTION = ("org.freedesktop.appearance", "reduced-motion")
_ANIMATIONS = ("org.gnome.desktop.interface", "enable-animations")
_LIMIT_MS = 200
_log = logging.getLogger(__name__)
_SCHEMES: dict[int, Literal["light", "dark"]] = {1: "dark", 2: "light"}


def _has_bus() -> bool:
    """Without one the library would try to start one, and take its time."""
    place = Path(os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")) / "bus"
    return bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS")) or place.exists()


class Portal(QObject):
    told = Signal(str)
    """`light` or `dark`; again whenever the person changes it."""
    motion = Signal(bool)
    """Whether things may move."""

    def __init__(self) -> None:
        super().__init__()
        self._watchers: list[Any] = []
        self._moves: dict[tuple[str, str], bool] = {}

    def ask(self) -> None:
        """Returns at once, whatever is there."""
        if not sys.platform.startswith("linux") or not _has_bus():
            return
        try:
            from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher
        except ImportError:
            return  # a system without the library of D-Bus
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        # WORKAROUND: the stub asks for bytes, with which the call is refused.
        slot: Any = SLOT("_changed(QString,QString,QDBusVariant)")
        bus.connect(_SERVICE, _PATH, _INTERFACE, "SettingChanged", self, slot)
        for wish in (_COLORS, _LESS_MOTION, _ANIMATIONS):
            message = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "ReadOne")
            message.setArguments(list(wish))
            watcher = QDBusPendingCallWatcher(bus.asyncCall(message, _LIMIT_MS), self)
            watcher.finished.connect(partial(self._answered, wish, watcher))
            self._watchers.append(watcher)

    def _answered(self, wish: tuple[str, str], watcher: Any) -> None:
        reply = watcher.reply()
        if reply.errorMessage():
            _log.debug("the settings portal says: %s", reply.errorMessage())
        elif reply.arguments():
            self._changed(*wish, reply.arguments()[0])

    @Slot(str, str, "QDBusVariant")
    def _changed(self, namespace: str, key: str, value: Any) -> None:
        """0 is no wish. Older portals wrap the value twice."""
        for _layer in range(3):
            value = value.variant() if hasattr(value, "variant") else value
        wish = (namespace, key)
        if wish == _COLORS and isinstance(value, int) and value in _SCHEMES:
            self.told.emit(_SCHEMES[value])
        elif (wish == _LESS_MOTION and value in (0, 1)) or (wish == _ANIMATIONS and isinstance(value, bool)):
            self._moves[wish] = bool(value) if wish == _ANIMATIONS else value == 0
            self.motion.emit(all(self._moves.values()))  # one of the two says no by default where the other was set
