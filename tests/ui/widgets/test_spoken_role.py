"""What is drawn by ourselves says what it is."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.spoken_role import Role, install_roles, speak_as


def test_a_plain_widget_has_the_role_it_was_given_and_others_that_of_qt(qtbot: QtBot) -> None:
    install_roles()
    top = QWidget()
    qtbot.addWidget(top)
    line, plain = QWidget(top), QWidget(top)
    speak_as(line, Role.ListItem)
    line.setAccessibleName("First")
    roles = [QAccessible.queryAccessibleInterface(one).role() for one in (line, plain)]
    assert roles == [Role.ListItem, Role.Client]
    assert QAccessible.queryAccessibleInterface(line).text(QAccessible.Text.Name) == "First"
