"""The desktop's wishes for light or dark and for less motion, over a real message bus where there is one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.ui.application.portal import Portal

REPO = Path(__file__).parents[3]
SCENE = """
import sys
from PySide6.QtCore import ClassInfo, QObject, QTimer, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant
from PySide6.QtWidgets import QApplication

app = QApplication([])
PATH = "/org/freedesktop/portal/desktop"


@ClassInfo({"D-Bus Interface": "org.freedesktop.portal.Settings"})
class Desktop(QObject):
    @Slot(str, str, result="QDBusVariant")
    def ReadOne(self, namespace, key):
        return QDBusVariant({"color-scheme": 1, "reduced-motion": 0}.get(key, True))


bus = QDBusConnection.sessionBus()
desktop = Desktop()
bus.registerService("org.freedesktop.portal.Desktop")
option = QDBusConnection.RegisterOption
bus.registerObject(PATH, desktop, option.ExportAllSlots)

from app.ui.application import portal
from app.ui.application.look import Look

portal._LIMIT_MS = 60_000  # of a desktop that is this very process
look = Look(app, "system", 100)
look.put_on()
print("at first", look.theme.scheme, app.cursorFlashTime() > 0)


def changed(theme):
    print("then", theme.scheme, app.cursorFlashTime() > 0)
    if theme.scheme == "dark":
        for key, value in (("contrast", 1), ("reduced-motion", 1), ("color-scheme", 2)):
            told = QDBusMessage.createSignal(PATH, "org.freedesktop.portal.Settings", "SettingChanged")
            told.setArguments(["org.freedesktop.appearance", key, QDBusVariant(value)])
            bus.send(told)
    else:
        app.quit()


look.listen(changed)
look.ask_desktop()
QTimer.singleShot(100_000, app.quit)
app.exec()
"""


def test_where_qt_knows_no_wish_the_portals_counts_and_is_followed() -> None:
    runner = shutil.which("dbus-run-session")
    if runner is None or not sys.platform.startswith("linux"):
        pytest.skip("no message bus to start here")
    environment = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(REPO), "PATH": "/usr/bin:/bin", "HOME": "/tmp"}
    done = subprocess.run(
        [runner, "--", sys.executable, "-c", SCENE],
        capture_output=True, text=True, timeout=240, check=False, env=environment,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["at first light True", "then dark True", "then light False"], done.stderr


def test_without_a_bus_nothing_happens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at/all")
    told: list[str] = []
    portal = Portal()
    portal.told.connect(told.append)
    portal.ask()
    assert told == []


@pytest.mark.parametrize(("value", "told"), [(1, ["dark"]), (2, ["light"]), (0, []), ("dark", []), (None, [])])
def test_only_a_wish_is_told(qtbot: QtBot, value: object, told: list[str]) -> None:
    heard: list[str] = []
    portal = Portal()
    portal.told.connect(heard.append)
    portal._changed("org.freedesktop.appearance", "color-scheme", value)
    portal._changed("org.gnome.other", "color-scheme", 1)
    assert heard == told


@pytest.mark.parametrize(
    ("namespace", "key", "value", "told"),
    [
        ("org.freedesktop.appearance", "reduced-motion", 1, [False]),
        ("org.freedesktop.appearance", "reduced-motion", 0, [True]),
        ("org.freedesktop.appearance", "reduced-motion", "much", []),
        ("org.gnome.desktop.interface", "enable-animations", False, [False]),
        ("org.gnome.desktop.interface", "enable-animations", 7, []),
        ("org.gnome.desktop.interface", "cursor-blink", False, []),
    ],
)
def test_the_desktops_wish_for_less_motion_is_told(
    qtbot: QtBot, namespace: str, key: str, value: object, told: list[bool]
) -> None:
    heard: list[bool] = []
    portal = Portal()
    portal.motion.connect(heard.append)
    portal._changed(namespace, key, value)
    assert heard == told
