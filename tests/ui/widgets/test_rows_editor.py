from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QLineEdit
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.fields.rows_editor import EditRow, RowsEditor


class Word(EditRow):
    def __init__(self, word: str) -> None:
        super().__init__(Theme(), "the word")
        self.field = QLineEdit(word)
        self.field.textChanged.connect(self.changed)
        layout = QHBoxLayout(self)
        for widget in (self.field, *self.buttons):
            layout.addWidget(widget)

    def value(self) -> str:
        return self.field.text()

    def error(self) -> str:
        return "" if self.field.text() else "empty"

    def begin(self) -> None:
        self.field.setFocus()


class Words(RowsEditor):
    def make_row(self, value: Any) -> EditRow:
        return Word(value)


def editor(qtbot: QtBot, *words: str) -> RowsEditor:
    made = Words(Theme(), add="Add", empty="None yet", fresh="new")
    qtbot.addWidget(made)
    made.set_value(words)
    made.show()
    return made


def field(made: RowsEditor, row: int) -> QLineEdit:
    found = made.rows[row]
    assert isinstance(found, Word)
    return found.field


def test_rows_are_added_changed_and_deleted(qtbot: QtBot) -> None:
    made = editor(qtbot, "a")
    with qtbot.waitSignal(made.changed):
        made.add_button.click()
    assert made.value() == ("a", "new")
    field(made, 0).clear()
    assert made.error() == "empty"
    made.rows[0].remove.click()
    assert made.value() == ("new",)
    assert made.error() == ""


def test_rows_move_by_button_and_by_key_and_keep_the_focus(qtbot: QtBot) -> None:
    made = editor(qtbot, "a", "b", "c")
    assert not made.rows[0].up.isEnabled()
    assert not made.rows[2].down.isEnabled()
    made.rows[2].up.click()
    assert made.value() == ("a", "c", "b")
    row = made.rows[1]
    field(made, 1).setFocus()
    QTest.keyClick(row, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert made.value() == ("c", "a", "b")
    assert made.rows[0] is row
    QTest.keyClick(row, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(row, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert made.value() == ("a", "c", "b")
    QTest.keyClick(row, Qt.Key.Key_Delete, Qt.KeyboardModifier.AltModifier)
    assert made.value() == ("a", "b")


def test_showing_other_values_says_no_change(qtbot: QtBot) -> None:
    made = editor(qtbot, "a")
    with qtbot.assertNotEmitted(made.changed):
        made.set_value(())
    assert made.value() == ()
    made.set_value(None)
    assert made.value() == ()
