"""Light or dark as the desktop wishes it, where Qt does not know: asked of the settings portal, and followed.

Bare X11 and desktops without their Qt plug-in leave the colour scheme unknown; the portal has it all the same.
Asked in the background and only there: no answer within the limit means no wish.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import SLOT, QObject, Signal, Slot

_SERVICE, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_NAMESPACE, _KEY = "org.freedesktop.appearance", "color-scheme"
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
        message = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "ReadOne")
        message.setArguments([_NAMESPACE, _KEY])
        self._watcher = QDBusPendingCallWatcher(bus.asyncCall(message, _LIMIT_MS), self)
        self._watcher.finished.connect(self._answered)

    def _answered(self, watcher: Any) -> None:
        reply = watcher.reply()
        if reply.errorMessage():
            _log.debug("the settings portal says: %s", reply.errorMessage())
        elif reply.arguments():
            self._tell(reply.arguments()[0])

    @Slot(str, str, "QDBusVariant")
    def _changed(self, namespace: str, key: str, value: Any) -> None:
        if (namespace, key) == (_NAMESPACE, _KEY):
            self._tell(value)

    def _tell(self, value: Any) -> None:
        """0 is no wish. Older portals wrap the number twice."""
        for _layer in range(3):
            value = value.variant() if hasattr(value, "variant") else value
        scheme = _SCHEMES.get(value) if isinstance(value, int) else None
        if scheme is not None:
            self.told.emit(scheme)
