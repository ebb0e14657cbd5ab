from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.ui.application.look import Look
from app.ui.theme import Theme
from app.ui.theme.fonts import choose_families, ui_families


@pytest.fixture(autouse=True)
def _as_before(qapp: QApplication) -> Iterator[None]:
    blink, sheet, font = qapp.cursorFlashTime(), qapp.styleSheet(), qapp.font()
    yield
    choose_families("", "")
    qapp.setCursorFlashTime(blink)
    qapp.setStyleSheet(sheet)
    qapp.setFont(font)


def test_reduced_motion_stops_what_moves_by_itself_and_gives_it_back(qapp: QApplication) -> None:
    qapp.setCursorFlashTime(1_000)
    look = Look(qapp, "light", 100)
    look.set("light", 100, still=True)
    assert qapp.cursorFlashTime() == 0
    assert not qapp.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
    look.set("light", 100, still=False)
    assert qapp.cursorFlashTime() == 1_000


def test_a_font_is_put_on_at_once_and_only_once(qapp: QApplication) -> None:
    look = Look(qapp, "light", 100)
    put_on: list[Theme] = []
    look.listen(put_on.append)
    look.set("light", 100, fonts=("My Sans", ""))
    look.set("light", 100, fonts=("My Sans", ""))
    assert len(put_on) == 1
    assert ui_families()[0] == "My Sans"
    assert qapp.font().families()[0] == "My Sans"
