from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.main_window.approval_stack import ApprovalStack
from app.ui.widgets.safe_text import SafeLabel


def card(text: str, button: str) -> QWidget:
    made = QWidget()
    layout = QVBoxLayout(made)
    label = SafeLabel(text)
    label.setWordWrap(True)
    layout.addWidget(label)
    layout.addWidget(QPushButton(button))
    return made


def shown(qtbot: QtBot, room: int) -> tuple[ApprovalStack, QWidget]:
    place = QWidget()
    layout = QVBoxLayout(place)
    asks = ApprovalStack(8)
    layout.addStretch(1)
    layout.addWidget(asks)
    qtbot.addWidget(place)
    place.resize(400, 500)
    place.show()
    asks.set_room(room)
    return asks, place


def test_without_a_card_it_takes_no_room(qtbot: QtBot) -> None:
    asks, _place = shown(qtbot, 300)
    assert not asks.isVisible()
    one = card("short", "Yes")
    asks.add(one)
    assert asks.isVisible()
    asks.take(one)
    assert not asks.isVisible()


def test_a_card_is_whole_where_there_is_room_and_grows_with_what_it_says(qtbot: QtBot) -> None:
    asks, _place = shown(qtbot, 450)
    one = card("short", "Yes")
    asks.add(one)
    qtbot.waitUntil(lambda: one.height() >= one.sizeHint().height(), timeout=30_000)
    before = asks.height()
    assert asks.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    one.findChildren(SafeLabel)[0].setText("a longer one, " * 30)
    qtbot.waitUntil(lambda: asks.height() > before, timeout=30_000)
    label = one.findChildren(SafeLabel)[0]
    qtbot.waitUntil(lambda: label.height() >= label.heightForWidth(label.width()), timeout=30_000)


def test_a_card_that_is_too_tall_scrolls_whole_and_the_focus_is_always_seen(qtbot: QtBot) -> None:
    asks, place = shown(qtbot, 120)
    one = card("line\n" * 30, "Yes")
    asks.add(one)
    qtbot.waitUntil(lambda: one.height() > 300, timeout=30_000)
    assert asks.height() == 120
    button = one.findChildren(QPushButton)[0]
    assert button.height() >= button.sizeHint().height()
    place.activateWindow()
    qtbot.waitUntil(place.isActiveWindow, timeout=30_000)
    button.setFocus()
    bar = asks.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0, timeout=30_000)
