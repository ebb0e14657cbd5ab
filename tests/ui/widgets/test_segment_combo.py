"""A drop-down whose choices stand side by side where there is room."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.fields.segment_combo import SegmentCombo


def test_a_click_and_the_arrows_choose_side_by_side_and_a_narrow_one_is_a_drop_down(qtbot: QtBot) -> None:
    combo, chosen = SegmentCombo(Theme()), list[int]()
    qtbot.addWidget(combo)
    for word in ("Off", "Deny", "Ask", "Allow"):
        combo.addItem(word, word.casefold())
    combo.setAccessibleName("Permission of Search")
    combo.activated.connect(chosen.append)
    combo.resize(combo.sizeHint())
    combo.show()
    boxes = combo.segments()
    assert len(boxes) == 4
    assert all(left.right() <= right.left() for left, right in pairwise(boxes))
    QTest.mouseClick(combo, Qt.MouseButton.LeftButton, pos=boxes[2].center().toPoint())
    QTest.mouseClick(combo, Qt.MouseButton.LeftButton, pos=boxes[2].center().toPoint())
    QTest.mouseClick(combo, Qt.MouseButton.LeftButton, pos=QPoint(combo.width() - 1, combo.height() // 2))
    assert (chosen, combo.currentData()) == ([2], "ask"), "beside the choices and on the chosen one nothing happens"
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(combo, key)
    assert (chosen, combo.currentData()) == ([2, 3, 2], "ask"), "the arrows stop at the ends"
    assert "Permission of Search" in combo.accessibleDescription()
    combo.resize(combo.minimumSizeHint())
    assert not combo.segments()
    assert not combo.grab().isNull()
