from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.plain_view import PlainView


def view(qtbot: QtBot, text: str = "", *, follow: bool = False, exact: bool = False) -> PlainView:
    holder = QWidget()
    made = PlainView(Theme(), text, follow=follow, exact=exact)
    layout = QVBoxLayout(holder)
    layout.addWidget(made)
    layout.addStretch(1)
    holder.resize(300, 600)
    qtbot.addWidget(holder)
    holder.show()
    made._holder = holder  # type: ignore[attr-defined]
    return made


def test_text_is_literal_and_hidden_characters_are_written_out(qtbot: QtBot) -> None:
    made = view(qtbot, "<b>X</b>\u202e\x1b[0m")
    assert made.toPlainText() == "<b>X</b>⟦U+202E⟧⟦U+001B⟧[0m"


def test_a_line_without_end_is_shown_in_pieces_and_copied_whole(qtbot: QtBot) -> None:
    made = view(qtbot)
    for _ in range(100):
        made.append("word " * 20)
    assert made.document().blockCount() == 5
    assert made.text() == "word " * 2_000


def test_exact_text_is_never_broken(qtbot: QtBot) -> None:
    made = view(qtbot, "x" * 10_000, exact=True)
    assert made.document().blockCount() == 1


def test_the_height_follows_the_text_up_to_a_limit(qtbot: QtBot) -> None:
    made = view(qtbot, "one")
    one = made.height()
    made.append("\ntwo\nthree")
    three = made.height()
    made.append("\n" * 200)
    assert one < three < made.height() < 600
    assert view(qtbot, "a\nb\nc").verticalScrollBar().maximum() == 0


def test_the_end_stays_in_view_until_the_person_scrolls_up(qtbot: QtBot) -> None:
    made = view(qtbot, follow=True)
    for n in range(100):
        made.append(f"line {n}\n")
    bar = made.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    bar.setValue(0)
    made.append("more\n" * 10)
    assert bar.value() == 0
