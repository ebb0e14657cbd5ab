from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.ui.widgets.found_label import FoundLabel


def test_every_place_is_marked_on_the_line_it_stands_on(qtbot: QtBot) -> None:
    label = FoundLabel("one fish two fish red fish")
    qtbot.addWidget(label)
    label.setWordWrap(True)
    label.resize(label.fontMetrics().horizontalAdvance("one fish two ") + 4, 200)
    label.show()
    assert label.mark("fish")
    boxes = label._boxes()
    assert len(boxes) == 3
    assert len({box.top() for box in boxes}) > 1
    assert all(box.width() > 0 and label.rect().contains(box.toAlignedRect()) for box in boxes)
    assert not label.grab().isNull()


def test_nothing_found_marks_nothing_and_markup_stays_text(qtbot: QtBot) -> None:
    label = FoundLabel("<b>bold</b>")
    qtbot.addWidget(label)
    assert not label.mark("")
    assert not label.mark("xyz")
    assert label.mark("<b>")
    assert label.text() == "<b>bold</b>"


def test_letters_that_fold_into_two_are_left_unmarked(qtbot: QtBot) -> None:
    label = FoundLabel("Straße")
    qtbot.addWidget(label)
    label.mark("ss")
    assert label._boxes() == []
