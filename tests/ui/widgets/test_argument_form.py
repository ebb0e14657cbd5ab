from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm

SCHEMA: dict[str, Any] = {
    "properties": {
        "city": {"type": "string", "description": "<b>where</b>"},
        "days": {"type": "integer", "default": 3},
        "tier": {"enum": ["economy", "luxury"]},
        "open": {"type": "boolean"},
        "near": {"type": "object"},
    },
    "required": ["city"],
}


def form(qtbot: QtBot, values: dict[str, Any], *, references: bool = False) -> ArgumentForm:
    made = ArgumentForm(Theme(), SCHEMA, values, references=references)
    qtbot.addWidget(made)
    made.show()
    return made


def test_what_is_given_comes_back_untouched(qtbot: QtBot) -> None:
    values = {"city": "emei\nshan", "days": 2, "tier": "luxury", "open": False, "near": {"lat": 1.5}, "extra": [1]}
    made = form(qtbot, values)
    assert made.values() == values
    assert made.faults() == {}


def test_what_is_needed_is_shown_and_asked_for_the_rest_is_one_press_away(qtbot: QtBot) -> None:
    made = form(qtbot, {})
    assert made.control("city").isVisible()
    assert not made.control("days").isVisible()
    assert made.faults() == {"city": "Needed"}
    assert made.more.text() == "4 more arguments"
    QTest.keyClick(made.more, Qt.Key.Key_Space)
    assert made.control("near").isVisible()
    days = made.control("days")
    assert isinstance(days, QLineEdit)
    assert days.placeholderText() == "3"
    QTest.keyClicks(days, "two")
    assert made.faults()["days"] == "Not a whole number"
    assert "days" not in made.values()


def test_choices_and_switches_are_lists_and_empty_means_left_out(qtbot: QtBot) -> None:
    made = form(qtbot, {"city": "x", "tier": "economy", "open": True})
    tier, opened = made.control("tier"), made.control("open")
    assert isinstance(tier, QComboBox)
    assert isinstance(opened, QComboBox)
    with qtbot.waitSignal(made.changed):
        tier.setCurrentText("luxury")
    opened.setCurrentText("")
    assert made.values() == {"city": "x", "tier": "luxury"}


def test_wrong_json_is_named(qtbot: QtBot) -> None:
    made = form(qtbot, {"city": "x", "near": {}})
    near = made.control("near")
    assert isinstance(near, QPlainTextEdit)
    near.setPlainText('{"lat": ')
    assert made.faults() == {"near": "Not valid JSON"}


@pytest.mark.parametrize("name", ["city", "days", "tier", "open", "near"])
def test_a_reference_fits_every_field_where_it_is_allowed(qtbot: QtBot, name: str) -> None:
    made = form(qtbot, {"city": "x", name: "$1.data.id"}, references=True)
    assert made.values()[name] == "$1.data.id"
    assert made.faults() == {}


def test_help_is_literal(qtbot: QtBot) -> None:
    assert "<b>" not in form(qtbot, {}).control("city").toolTip().replace("&lt;b&gt;", "")
