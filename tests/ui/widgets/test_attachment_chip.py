"""The chip of an attachment: its name as it is, a small picture, a way to remove it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.attachment_chip import SIDE, AttachmentChip
from tests.pictures import png


def test_a_chip_shows_the_middle_of_its_picture(qtbot: QtBot) -> None:
    chip = AttachmentChip(Theme("light"), "photo.png", "9 × 3", image=QImage.fromData(png(90, 30)))
    qtbot.addWidget(chip)
    mark = chip.findChildren(QLabel)[0]
    assert mark.pixmap().toImage().pixelColor(SIDE // 2, SIDE // 2).red() > 150


def test_a_chip_can_be_opened_and_removed(qtbot: QtBot) -> None:
    chip = AttachmentChip(Theme("dark"), "<b>x</b>.txt", "3 characters", removable=True)
    qtbot.addWidget(chip)
    chip.show()
    with qtbot.waitSignal(chip.opened):
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    button = chip.findChild(QToolButton)
    assert button is not None
    assert "<b>x</b>.txt" in button.accessibleName()
    with qtbot.waitSignal(chip.removed):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
