"""A form: what was typed, ticked and emptied are the values of its button, and nothing else is."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.cards import make_card
from app.ui.cards.parts.timers import Timers
from app.ui.theme import Theme

CARD = {
    "card": "form", "role": "answer", "summary": "fill it in",
    "payload": {
        "title": "Profile",
        "fields": [
            {"name": "nick", "label": "Nickname", "kind": "text", "required": True},
            {"name": "likes", "label": "Likes", "kind": "list", "value": ["balls"]},
            {"name": "fears", "label": "Fears", "kind": "list"},
            {"name": "speech", "label": "Speech", "kind": "choice", "options": [{"id": "words", "label": "Words"}]},
            {"name": "agrees", "label": "I agree", "kind": "tick"},
        ],
    },
    "actions": [
        {"id": "save", "label": "Keep", "tool": "save", "args": {}, "style": "primary",
         "fills": ["nick", "likes", "fears", "speech", "agrees"]},
    ],
}  # fmt: skip


def test_what_is_filled_in_is_what_its_button_gives(qtbot: QtBot) -> None:
    card = make_card(CARD, Theme("light"))
    assert card is not None
    qtbot.addWidget(card)
    pressed: list[tuple[str, Any]] = []
    card.pressed.connect(lambda button, values: pressed.append((button, dict(values))))
    lines = {one.objectName(): one for one in card.findChildren(QLineEdit)}
    (choice,), (tick,) = card.findChildren(QComboBox), card.findChildren(QCheckBox)
    (button,) = (one for one in card.findChildren(QPushButton) if one.objectName() == "cardAction.save")
    lines["formField.nick"].setText(" Bean ")
    assert lines["formField.likes"].text() == "balls"
    lines["formField.likes"].setText("球、 trains,")
    choice.setCurrentIndex(1)
    tick.setChecked(True)
    button.click()
    lines["formField.likes"].setText("")
    button.click()
    whole = {"nick": "Bean", "speech": "words", "agrees": True}
    assert pressed == [("save", {**whole, "likes": ["球", "trains"]}), ("save", {**whole, "likes": []})]


def test_fields_with_a_dot_are_parts_of_one_argument(qtbot: QtBot) -> None:
    traits = [{"id": "seeks", "label": "Seeks"}, {"id": "avoids", "label": "Avoids"}]
    fields = [
        {"name": f"sensory.{sense}", "label": sense, "kind": "choice", "options": traits, "value": value}
        for sense, value in (("visual", ""), ("auditory", "avoids"), ("tactile", "seeks"))
    ]
    save = {"id": "save", "label": "Keep", "tool": "save", "args": {}, "fills": ["sensory"]}
    card = make_card({"card": "form", "payload": {"fields": fields}, "actions": [save]}, Theme("light"))
    assert card is not None
    qtbot.addWidget(card)
    boxes = {one.objectName(): one for one in card.findChildren(QComboBox)}
    boxes["formField.sensory.visual"].setCurrentIndex(1)
    boxes["formField.sensory.tactile"].setCurrentIndex(0)
    assert card.values("save") == {"sensory": {"visual": "seeks", "auditory": "avoids"}}


def test_a_field_of_several_lines_is_given_as_it_was_edited(qtbot: QtBot) -> None:
    fields = [{"name": "rules", "label": "Rules", "kind": "lines", "value": "a = b\nc = d"},
              {"name": "line", "label": "Line", "kind": "text"}]  # fmt: skip
    save = {"id": "save", "label": "Keep", "tool": "save", "args": {}, "fills": ["rules"]}
    card = make_card({"card": "form", "payload": {"fields": fields}, "actions": [save]}, Theme("light"))
    assert card is not None
    qtbot.addWidget(card)
    pressed: list[Any] = []
    card.pressed.connect(lambda _button, values: pressed.append(dict(values)))
    (field,), (button,) = (
        card.findChildren(QPlainTextEdit),
        [one for one in card.findChildren(QPushButton) if one.objectName() == "cardAction.save"],
    )
    field.appendPlainText("e = f")
    button.click()
    field.setPlainText("")
    button.click()
    assert pressed == [{"rules": "a = b\nc = d\ne = f"}, {"rules": ""}]


def test_what_was_typed_is_there_again_when_its_row_is_built_again(qtbot: QtBot) -> None:
    """A long form is scrolled out of sight, a colour scheme is changed: nobody fills it in twice."""
    timers = Timers()
    seen = []
    for id in ("form-1", "form-1", "form-2"):
        card = make_card({**CARD, "payload": {**CARD["payload"], "id": id}}, Theme("light"), timers=timers)  # type: ignore[dict-item]
        assert card is not None
        qtbot.addWidget(card)
        nick = card.findChild(QLineEdit, "formField.nick")
        (choice,), (tick,) = card.findChildren(QComboBox), card.findChildren(QCheckBox)
        assert isinstance(nick, QLineEdit)
        seen.append((nick.text(), choice.currentData(), tick.isChecked()))
        nick.setText("Bean")
        choice.setCurrentIndex(1)
        tick.setChecked(True)
    assert seen == [("", "", False), ("Bean", "words", True), ("", "", False)]


def test_what_is_agreed_to_is_read_whole_in_a_narrow_card_and_a_click_on_its_words_ticks_it(qtbot: QtBot) -> None:
    agreed = "I am the guardian and agree that this is kept on this computer for planning games"
    fields = [{"name": "agrees", "label": agreed, "kind": "tick"}]
    card = make_card({**CARD, "payload": {"title": "Profile", "fields": fields}, "actions": []}, Theme("light"))
    assert card is not None
    qtbot.addWidget(card)
    card.resize(280, 400)
    card.show()
    (words,) = [label for label in card.findChildren(QLabel) if label.text() == agreed]
    lines = words.height() // words.fontMetrics().height()
    assert lines >= words.fontMetrics().horizontalAdvance(agreed) // words.width() >= 1
    assert words.width() <= 280
    (tick,) = card.findChildren(QCheckBox)
    assert tick.accessibleName() == agreed
    QTest.mouseClick(words, Qt.MouseButton.LeftButton)
    assert tick.isChecked()
