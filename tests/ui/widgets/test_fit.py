from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.fit import open_at
from app.ui.widgets.layout.page_area import PageArea


def test_a_dialog_opens_as_large_as_wished_but_never_beyond_its_screen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    open_at(window, 300, 200)
    assert (window.width(), window.height()) == (300, 200)
    open_at(window, 100_000, 100_000)
    place = window.screen().availableGeometry()
    assert window.width() == place.width()
    assert window.height() < place.height()


def test_a_page_keeps_its_dialog_as_wide_as_its_fields(qtbot: QtBot) -> None:
    window, page, field = QWidget(), QWidget(), QLabel("field")
    qtbot.addWidget(window)
    field.setFixedWidth(300)
    QVBoxLayout(page).addWidget(field)
    QVBoxLayout(window).addWidget(PageArea(page, keeps_width=True))
    window.show()
    window.resize(100, 200)
    assert window.width() > 300
