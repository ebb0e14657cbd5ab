from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import SearchField


def test_the_clear_button_has_a_name_and_the_colour_of_the_theme(qtbot: QtBot) -> None:
    field = SearchField(Theme("light"), "Search <b>all</b>")
    qtbot.addWidget(field)
    assert [button.accessibleName() for button in field.findChildren(QToolButton)] == ["Clear the search"]
    (clear,) = field.findChildren(QAction, "_q_qlineeditclearaction")
    before = clear.icon().pixmap(16, 16).toImage()
    assert before == Theme("light").icon("x").pixmap(16, 16).toImage()
    field.set_theme(Theme("dark"))
    assert clear.icon().pixmap(16, 16).toImage() != before
