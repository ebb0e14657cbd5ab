from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton


def test_an_icon_grows_with_the_zoom_when_it_is_made_and_when_it_changes(qtbot: QtBot) -> None:
    button = IconButton(Theme(zoom=1.5), "copy", "Copy <b>all</b>", size=16)
    qtbot.addWidget(button)
    assert button.iconSize().width() == 24
    button.set_icon(Theme(zoom=2.0), "check")
    assert button.iconSize().width() == 32
    assert button.accessibleName() == "Copy <b>all</b>"
