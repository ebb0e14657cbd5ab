"""Whatever was kept of the window's place and look, it opens where the person sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QDataStream, QIODevice, QRect, QSettings
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.session.summary import SessionRow
from app.services.data.first_look import FirstLook
from app.ui.application.look import Look
from app.ui.main_window.window import AGENT_NAMES, CLOSED_FOLDERS, MainWindow

FAR = 2**31 - 10
PLACES = {
    "off the screen": QRect(99_999, -5, 800, 600),
    "size 99999x-5": QRect(0, 0, 99_999, -5),
    "far to the left": QRect(-99_999, -99_999, 300, 300),
    "at the end of numbers": QRect(FAR, FAR, 100, 100),
    "larger than any screen": QRect(10, 10, 99_999, 99_999),
}


def kept(place: QRect, screen: int) -> QByteArray:
    """What `saveGeometry` writes, with a place and a screen of our own."""
    data = QByteArray()
    stream = QDataStream(data, QIODevice.OpenModeFlag.WriteOnly)
    stream.setVersion(QDataStream.Version.Qt_4_0)
    stream.writeUInt32(0x1D9D0CB)
    stream.writeUInt16(3)
    stream.writeUInt16(0)
    _ = stream << place << place
    stream.writeInt32(screen)
    stream.writeUInt8(0)
    stream.writeUInt8(0)
    stream.writeInt32(800)
    _ = stream << place
    return data


def opened(qapp: QApplication, qtbot: QtBot, folder: Path, geometry: object) -> MainWindow:
    settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("window/geometry", geometry)
    window = MainWindow(FirstLook(folder, language="en"), Look(qapp, "<b>", 100).theme, settings)
    qtbot.addWidget(window)
    window.allow_close()
    return window


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("screen", [0, 7])
def test_S10_a_kept_place_outside_the_screens_is_brought_back(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, place: str, screen: int
) -> None:
    window = opened(qapp, qtbot, tmp_path, kept(PLACES[place], screen))
    window.show()
    screens = [one.availableGeometry() for one in QGuiApplication.screens()]
    # Not `intersects`: at the end of numbers its sums overflow.
    x, y = window.x(), window.y()
    assert any(
        one.left() - window.width() < x <= one.right() and one.top() - window.height() < y <= one.bottom()
        for one in screens
    ), window.frameGeometry()
    assert window.minimumWidth() <= window.width() < 10_000
    assert window.minimumHeight() <= window.height() < 10_000


def test_it_opens_within_what_the_screen_has_free(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual size is larger than 1366×768; a kept one may be of a screen that is gone."""
    beyond = []
    for size in ((1366, 728), (1280, 680), (800, 560)):
        free = QRect(0, 0, *size)
        monkeypatch.setattr(QScreen, "availableGeometry", lambda _screen, free=free: free)
        for place in (None, QRect(300, 200, 1280, 820), QRect(0, 0, 1900, 1000), QRect(700, 500, 600, 500)):
            window = opened(qapp, qtbot, tmp_path, None if place is None else kept(place, 0))
            window.show()
            if place is None:
                fits = window.width() <= free.width() and window.height() <= free.height() - 30
            else:
                fits = free.adjusted(0, 30, 0, 0).contains(window.geometry())
            if not fits:
                beyond.append((size, place, window.geometry()))
            window.close()
    assert not beyond


@pytest.mark.parametrize("geometry", ["<b>", 7, QByteArray(b"\0" * 60), QByteArray(), None])
def test_S10_a_place_that_is_none_is_the_usual_one(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, geometry: object
) -> None:
    window = opened(qapp, qtbot, tmp_path, geometry)
    window.show()
    assert window.frameGeometry().intersects(QGuiApplication.primaryScreen().availableGeometry())
    assert window.width() >= window.minimumWidth()


def test_the_list_is_drawn_as_it_was_left_with_the_first_paint(qtbot: QtBot, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue(CLOSED_FOLDERS, ["Trips"])
    settings.setValue(AGENT_NAMES, ["travel\tTravel\tplanner", "nothing to split"])
    rows = [SessionRow(f"s{n}", f"t{n}", "travel", "", "", 0.0, float(n), folder="Trips") for n in range(3)]
    look = Look(QApplication.instance(), "light", 100)  # type: ignore[arg-type]
    window = MainWindow(FirstLook(data_dir=tmp_path, sessions=tuple(rows)), look.theme, settings)
    qtbot.addWidget(window)
    assert window.sessions.model.lines.shown_rows() == []
    assert window.sessions.model.agent_names.get("travel", "") == "Travel\tplanner"
