from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from app.core.preferences import Preferences
from app.core.profile import Budget
from app.core.setting import describe
from app.services.settings.settings import SettingsService
from app.ui.dialogs.agents.setting_labels import preference_synonyms
from app.ui.dialogs.preferences import fields as preference_fields
from app.ui.dialogs.preferences.font_field import FontEditor
from app.ui.dialogs.preferences.preferences import PreferencesPage
from app.ui.dialogs.providers.proxy_field import ProxyField
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work


@pytest.fixture
def dialog(qtbot: QtBot, settings: SettingsService, work: Work) -> Iterator[PreferencesPage]:
    made = PreferencesPage(settings, ["env/gpt-5"], Theme(), spawn=work)
    made.show()
    yield made
    if shiboken6.isValid(made):
        made.deleteLater()


def test_preferences_pass_through_the_form_unchanged(dialog: PreferencesPage) -> None:
    given = Preferences()
    assert preference_fields.changed(given, dialog.form.values()) == given


async def test_a_change_is_applied_at_once(
    dialog: PreferencesPage, settings: SettingsService, work: Work, qtbot: QtBot
) -> None:
    told: list[str] = []
    settings.listen(lambda: told.append(settings.preferences.theme))
    dialog.form.editor("theme").set_value("dark")
    dialog.form.editor("zoom").set_value(125)
    dialog.finish()
    await work.settled()
    assert told == ["dark"]
    assert settings.preferences.zoom == 125


async def test_a_wrong_model_is_named_and_not_kept(
    dialog: PreferencesPage, settings: SettingsService, work: Work
) -> None:
    dialog.form.editor("default_model").set_value("gpt-5")
    assert "default_model" in dialog.form.errors()
    dialog.finish()
    await work.settled()
    assert settings.preferences.default_model == ""


def test_choices_are_words_not_codes(dialog: PreferencesPage) -> None:
    from PySide6.QtWidgets import QComboBox, QRadioButton

    shown = {combo.itemText(n) for combo in dialog.findChildren(QComboBox) for n in range(combo.count())}
    side_by_side = {one.text() for one in dialog.findChildren(QRadioButton)}
    assert "Ctrl+Enter" in side_by_side, "two choices are no list"
    assert "ctrl_enter" not in shown | side_by_side


def test_every_setting_has_other_words_it_is_found_by() -> None:
    assert preference_synonyms().keys() == {info.name for info in describe(Preferences)}


async def test_what_changes_elsewhere_is_shown_and_not_overwritten(
    dialog: PreferencesPage, settings: SettingsService, work: Work
) -> None:
    await settings.save_preferences(settings.preferences.model_copy(update={"zoom": 130}))
    assert dialog.form.values()["zoom"] == 130
    dialog.form.editor("theme").set_value("dark")
    dialog.finish()
    await work.settled()
    assert (settings.preferences.zoom, settings.preferences.theme) == (130, "dark")


@pytest.mark.parametrize(("address", "is_wrong"), [("gopher://x", True), ("", True), ("http://127.0.0.1:7890", False)])
async def test_a_proxy_is_an_address_or_not_kept(
    dialog: PreferencesPage, settings: SettingsService, work: Work, address: str, is_wrong: bool
) -> None:
    field = dialog.form.editor("proxy").findChild(ProxyField)
    assert field is not None
    field.combo.setCurrentIndex(2)
    field.address.setText(address)
    assert ("proxy" in dialog.form.errors()) is is_wrong
    dialog.finish()
    await work.settled()
    assert settings.preferences.proxy == ("" if is_wrong else address)


async def test_fonts_of_this_computer_are_offered_and_one_that_is_gone_is_kept(
    dialog: PreferencesPage, settings: SettingsService, work: Work
) -> None:
    editor = dialog.form.editor("code_font")
    assert isinstance(editor, FontEditor)
    assert editor._combo.itemText(0) == "Default"
    editor.set_value("A Font Nobody Has")
    dialog.finish()
    await work.settled()
    assert settings.preferences.code_font == "A Font Nobody Has"


async def test_budgets_of_a_session_and_of_a_day_are_four_numbers_each(
    dialog: PreferencesPage, settings: SettingsService, work: Work
) -> None:
    assert settings.preferences.session_budget is None
    dialog.form.editor("session_budget").set_value({"tokens": 100_000, "money": 2.5})
    dialog.form.editor("day_budget").set_value({"tool_calls": 300})
    dialog.finish()
    await work.settled()
    assert settings.preferences.session_budget == Budget(tokens=100_000, money=2.5)
    assert settings.preferences.day_budget == Budget(tool_calls=300)
