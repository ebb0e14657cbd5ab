from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from app.core.preferences import Preferences
from app.services.settings import SettingsService
from app.ui.dialogs.preferences import PreferencesDialog
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work


@pytest.fixture
def dialog(qtbot: QtBot, settings: SettingsService, work: Work) -> Iterator[PreferencesDialog]:
    made = PreferencesDialog(settings, lambda: ["env/gpt-5"], Theme(), spawn=work)
    made.open()
    yield made
    if shiboken6.isValid(made):
        made.deleteLater()


def test_preferences_pass_through_the_form_unchanged(dialog: PreferencesDialog) -> None:
    given = Preferences()
    assert Preferences.model_validate({**given.model_dump(), **dialog.form.values()}) == given


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
