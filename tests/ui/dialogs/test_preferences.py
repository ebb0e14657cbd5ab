from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.preferences import Preferences
from app.core.profile import Budget
from app.core.setting import describe
from app.services.settings.settings import SettingsService
from app.ui.dialogs.agents.setting_labels import preference_synonyms
from app.ui.dialogs.preferences import fields as preference_fields
from app.ui.dialogs.preferences.font_field import FontEditor
from app.ui.dialogs.preferences.preferences import PreferencesDialog
from app.ui.dialogs.preferences.preferences_links import SettingsLink
from app.ui.dialogs.providers.proxy_field import ProxyField
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work

OPENED: list[str] = []


@pytest.fixture
def dialog(qtbot: QtBot, settings: SettingsService, work: Work) -> Iterator[PreferencesDialog]:
    links = [SettingsLink("Data and copies", "Where it is.", lambda: OPENED.append("data"), "backup")]
    made = PreferencesDialog(settings, lambda: ["env/gpt-5"], Theme(), spawn=work, links=links)
    made.open()
    yield made
    if shiboken6.isValid(made):
        made.deleteLater()


def test_preferences_pass_through_the_form_unchanged(dialog: PreferencesDialog) -> None:
    given = Preferences()
    assert preference_fields.changed(given, dialog.form.values()) == given


async def test_another_address_of_a_domains_service_is_kept(
    dialog: PreferencesDialog, settings: SettingsService, work: Work
) -> None:
    dialog.form.editor("endpoint:travel.geocode").set_value("https://maps.example/search")
    dialog.accept()
    await work.settled()
    assert settings.preferences.endpoints == {"travel.geocode": "https://maps.example/search"}


async def test_a_change_is_applied_at_once(
    dialog: PreferencesDialog, settings: SettingsService, work: Work, qtbot: QtBot
) -> None:
    told: list[str] = []
    settings.listen(lambda: told.append(settings.preferences.theme))
    dialog.form.editor("theme").set_value("dark")
    dialog.form.editor("zoom").set_value(125)
    dialog.accept()
    await work.settled()
    assert told == ["dark"]
    assert settings.preferences.zoom == 125


async def test_a_wrong_model_is_named_and_not_kept(
    dialog: PreferencesDialog, settings: SettingsService, work: Work
) -> None:
    dialog.form.editor("default_model").set_value("gpt-5")
    assert "default_model" in dialog.form.errors()
    dialog.accept()
    await work.settled()
    assert settings.preferences.default_model == ""


def test_choices_are_words_not_codes(dialog: PreferencesDialog) -> None:
    from PySide6.QtWidgets import QComboBox

    shown = {combo.itemText(n) for combo in dialog.findChildren(QComboBox) for n in range(combo.count())}
    assert "Ctrl+Enter" in shown
    assert "ctrl_enter" not in shown


def sections(dialog: PreferencesDialog) -> list[str]:
    items = [dialog.sections.item(row) for row in range(dialog.sections.count())]
    return [item.text() for item in items if not item.isHidden()]


def test_the_search_reaches_every_section_and_what_has_a_window_of_its_own(dialog: PreferencesDialog) -> None:
    whole = sections(dialog)
    assert whole[0] == "Appearance"
    assert whole[-1] == "More settings"
    dialog.search.setText("proxy")
    assert sections(dialog) == ["Network and privacy"]
    assert dialog.form.editor("proxy").isVisible()
    assert not dialog.form.editor("theme").isVisible()
    dialog.search.setText("backup")
    assert sections(dialog) == ["More settings"]
    dialog.search.setText("no such setting")
    assert sections(dialog) == []
    assert dialog._nothing.isVisible()
    dialog.search.clear()
    assert sections(dialog) == whole


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("dark mode", "theme"),
        ("Dark", "theme"),
        ("  font   SIZE ", "zoom"),
        ("timeout", "approval_minutes"),
        ("VPN", "proxy"),
        ("animation", "reduced_motion"),
        ("简体", "language"),
        ("spending limit", "day_budget"),
    ],
)
def test_a_setting_is_found_by_other_words_for_it(dialog: PreferencesDialog, typed: str, found: str) -> None:
    dialog.search.setText(typed)
    assert dialog.form.editor(found).isVisible()
    assert not dialog.form.editor("endpoint:travel.weather").isVisible()


def test_every_setting_has_other_words_it_is_found_by() -> None:
    assert preference_synonyms().keys() == {info.name for info in describe(Preferences)}


async def test_from_the_search_the_keyboard_goes_into_what_it_found(
    dialog: PreferencesDialog, settings: SettingsService, work: Work
) -> None:
    dialog.search.setText("reduced")
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.focusWidget() is dialog.form.editor("reduced_motion").control
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
    assert dialog.form.values()["reduced_motion"] is True
    QTest.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert dialog.focusWidget() is dialog.search
    QTest.keyClick(dialog.search, Qt.Key.Key_Escape)
    assert dialog.search.text() == ""
    assert dialog.isVisible()
    dialog.search.setText("data")
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    OPENED.clear()
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
    assert OPENED == ["data"]
    dialog.accept()
    await work.settled()
    assert settings.preferences.reduced_motion


def test_a_section_is_gone_to_and_scrolling_chooses_it(dialog: PreferencesDialog) -> None:
    bar = dialog._area.verticalScrollBar()
    QApplication.processEvents()
    assert bar.maximum() > 0
    dialog.sections.setCurrentRow(dialog.sections.count() - 1)
    assert bar.value() > 0
    bar.setValue(0)
    assert dialog.sections.currentRow() == 0
    bar.setValue(bar.maximum())
    assert dialog.sections.currentRow() == dialog.sections.count() - 1


async def test_what_changes_elsewhere_is_shown_and_not_overwritten(
    dialog: PreferencesDialog, settings: SettingsService, work: Work
) -> None:
    await settings.save_preferences(settings.preferences.model_copy(update={"zoom": 130}))
    assert dialog.form.values()["zoom"] == 130
    dialog.form.editor("theme").set_value("dark")
    dialog.accept()
    await work.settled()
    assert (settings.preferences.zoom, settings.preferences.theme) == (130, "dark")


@pytest.mark.parametrize(("address", "is_wrong"), [("gopher://x", True), ("", True), ("http://127.0.0.1:7890", False)])
async def test_a_proxy_is_an_address_or_not_kept(
    dialog: PreferencesDialog, settings: SettingsService, work: Work, address: str, is_wrong: bool
) -> None:
    field = dialog.form.editor("proxy").findChild(ProxyField)
    assert field is not None
    field.combo.setCurrentIndex(2)
    field.address.setText(address)
    assert ("proxy" in dialog.form.errors()) is is_wrong
    dialog.accept()
    await work.settled()
    assert settings.preferences.proxy == ("" if is_wrong else address)


async def test_fonts_of_this_computer_are_offered_and_one_that_is_gone_is_kept(
    dialog: PreferencesDialog, settings: SettingsService, work: Work
) -> None:
    editor = dialog.form.editor("code_font")
    assert isinstance(editor, FontEditor)
    assert editor._combo.itemText(0) == "As usual"
    editor.set_value("A Font Nobody Has")
    dialog.accept()
    await work.settled()
    assert settings.preferences.code_font == "A Font Nobody Has"


async def test_budgets_of_a_session_and_of_a_day_are_four_numbers_each(
    dialog: PreferencesDialog, settings: SettingsService, work: Work
) -> None:
    assert settings.preferences.session_budget is None
    dialog.form.editor("session_budget").set_value({"tokens": 100_000, "money": 2.5})
    dialog.form.editor("day_budget").set_value({"tool_calls": 300})
    dialog.accept()
    await work.settled()
    assert settings.preferences.session_budget == Budget(tokens=100_000, money=2.5)
    assert settings.preferences.day_budget == Budget(tool_calls=300)
