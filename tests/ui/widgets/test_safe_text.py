"""Labels and tool tips show what a model or a file says, letter by letter."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible

HOSTILE = "<b>X</b><img src='//canary.invalid/s'>"


def test_T05_a_label_never_becomes_rich_text(qtbot: QtBot) -> None:
    label = SafeLabel(HOSTILE)
    qtbot.addWidget(label)
    label.setTextFormat(Qt.TextFormat.RichText)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == HOSTILE


def test_T05_a_tool_tip_shows_the_markup_as_text(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    set_safe_tooltip(widget, HOSTILE)
    assert "<img" not in widget.toolTip()
    assert "&lt;img" in widget.toolTip()


def test_T07_hidden_and_reordering_characters_are_written_out() -> None:
    assert visible("good\u202emoc.live") == "good⟦U+202E⟧moc.live"
    assert visible("a\x1b[31m\u200bb\U000e0041") == "a⟦U+001B⟧[31m⟦U+200B⟧b⟦U+E0041⟧"


def test_T07_scripts_and_emoji_families_survive() -> None:
    for text in ("中文，标点。", "مرحبا", "नमस्ते", "👨‍👩‍👧", "❤️ 1️⃣", "می‌خواهم", "葛\ufe00", "line\nline\ttab"):
        assert visible(text) == text


def test_T07_a_joiner_or_selector_that_joins_nothing_is_written_out() -> None:
    assert visible("rm\u200d -rf") == "rm⟦U+200D⟧ -rf"
    assert visible("\u200cx") == "⟦U+200C⟧x"
    assert visible("a\ufe0fb") == "a⟦U+FE0F⟧b"
    assert visible("x\U000e0101\U000e0120") == "x⟦U+E0101⟧⟦U+E0120⟧"
    assert visible("❤\ufe0f\ufe0f") == "❤\ufe0f⟦U+FE0F⟧"
    assert visible("a\u3164b\u2800\u115f") == "a⟦U+3164⟧b⟦U+2800⟧⟦U+115F⟧"


def test_a_narrow_label_gives_way_and_keeps_its_text(qtbot: QtBot) -> None:
    label = SafeLabel("a rather long name of a file.txt", elide=True)
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.show()
    assert label.text().endswith("…")
    assert label.full_text() == "a rather long name of a file.txt"
    label.resize(600, 20)
    assert label.text() == label.full_text()
