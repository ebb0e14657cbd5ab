from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme, apply
from app.ui.widgets.fields.switch import Switch


def test_space_and_click_switch(qtbot: QtBot) -> None:
    switch = Switch(Theme(), "Wide")
    qtbot.addWidget(switch)
    switch.show()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert switch.isChecked()
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert not switch.isChecked()
    assert switch.accessibleName() == "Wide"


def test_its_colours_follow_a_theme_put_on_while_it_is_shown(qtbot: QtBot, qapp: QApplication) -> None:
    light, dark = Theme("light"), Theme("dark")
    apply(qapp, light)
    switch = Switch(light)
    qtbot.addWidget(switch)
    switch.setChecked(True)
    switch.show()
    apply(qapp, dark)
    seen = switch.grab().toImage().pixelColor(switch.width() // 2, switch.height() // 2)
    apply(qapp, light)
    assert seen == QColor(dark.tokens.accent)
