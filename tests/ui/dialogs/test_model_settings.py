"""Prices and behaviour of each model, typed by a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.core.run.chat_model import ModelTraits
from app.core.run.price import Price
from app.services.providers.service import ProviderEntry
from app.ui.dialogs.providers.model_settings import ProviderModelsDialog
from app.ui.dialogs.providers.traits import rows_of, traits_in, values_of
from app.ui.theme import Theme

KNOWN = ModelTraits(tools="native", json_schema="object", local=True)
Make = Callable[..., tuple[ProviderModelsDialog, list[ProviderEntry]]]


class Catalogue:
    def traits(self, entry: ProviderEntry, model: str) -> ModelTraits:
        return KNOWN


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(**given: Any) -> tuple[ProviderModelsDialog, list[ProviderEntry]]:
        done: list[ProviderEntry] = []
        entry = ProviderEntry("mine", models=("big", "<b>small</b>"), **given)
        dialog = ProviderModelsDialog(entry, Catalogue(), Theme())
        dialog.entered.connect(done.append)
        qtbot.addWidget(dialog)
        dialog.open()
        return dialog, done

    return made


def set_values(dialog: ProviderModelsDialog, **values: Any) -> None:
    assert dialog.form is not None
    for name, value in values.items():
        dialog.form.editor(name).set_value(value)


def test_every_trait_has_a_row_and_says_what_is_known() -> None:
    infos, words = rows_of(KNOWN)
    named = {info.name for info in infos}
    # The last is of programs that speak as a model, never of a provider.
    assert set(ModelTraits.__dataclass_fields__) <= named | {"reads_everything"}
    assert words["local"][""] == "As known: Yes"
    assert words["json_schema"][""] == "As known: Any JSON object"


def test_nothing_changed_gives_nothing(make: Make) -> None:
    dialog, done = make()
    dialog.done_button.click()
    assert (done[0].prices, done[0].model_traits) == ({}, {})


def test_each_model_keeps_its_own(make: Make) -> None:
    dialog, done = make()
    set_values(dialog, price_input=2.0, price_output=8.0, tools="none", think_prefilled="yes", context_chars=9000)
    dialog.list.setCurrentRow(1)
    assert dialog._title.full_text() == "<b>small</b>"
    assert dialog.form is not None
    assert dialog.form.values()["price_input"] is None
    set_values(dialog, price_input=0.5, price_cached=0.1, price_output=1.0, drop_params="temperature, top_p")
    set_values(dialog, extra_body='{"chat_template_kwargs": {"enable_thinking": false}}')
    dialog.list.setCurrentRow(0)
    assert dialog.form.values()["price_output"] == 8.0
    dialog.currency.setCurrentIndex(dialog.currency.findData("USD"))
    dialog.done_button.click()
    assert done[0].currency == "USD"
    assert done[0].prices == {"big": Price(2.0, 8.0, None, "USD"), "<b>small</b>": Price(0.5, 1.0, 0.1, "USD")}
    assert done[0].model_traits == {
        "big": {"tools": "none", "think_prefilled": True, "context_chars": 9000},
        "<b>small</b>": {
            "drop_params": ["temperature", "top_p"],
            "extra_body": {"chat_template_kwargs": {"enable_thinking": False}},
        },
    }


@pytest.mark.parametrize(
    "half", [{"price_input": 1.0}, {"price_output": 1.0}, {"price_cached": 1.0}, {"extra_body": "[1]"}]
)
def test_half_a_price_or_wrong_json_is_told_and_not_taken(make: Make, half: dict[str, Any]) -> None:
    dialog, done = make()
    set_values(dialog, **half)
    assert not dialog.done_button.isEnabled()
    assert not dialog.list.isEnabled()
    dialog.done_button.click()
    assert done == []


def test_taking_a_price_away_takes_it_away(make: Make) -> None:
    dialog, done = make(prices={"big": Price(1.0, 2.0)}, model_traits={"big": {"vision": True}})
    assert dialog.form is not None
    assert dialog.form.values()["vision"] == "yes"
    set_values(dialog, price_input=None, price_output=None, vision="")
    dialog.done_button.click()
    assert (done[0].prices, done[0].model_traits) == ({}, {})


def test_what_is_typed_survives_a_round_through_the_form() -> None:
    traits = {
        "tools": "text",
        "vision": False,
        "drop_params": ["a", "b"],
        "extra_body": {"x": 1},
        "context_chars": 5000,
    }
    assert traits_in(values_of(Price(1.0, 2.0), traits)) == traits


def test_choices_are_words(make: Make) -> None:
    dialog, _done = make()
    shown = {combo.itemText(n) for combo in dialog.findChildren(QComboBox) for n in range(combo.count())}
    assert "While tools are used" in shown
    assert "tool_turns" not in shown
