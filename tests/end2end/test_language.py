"""Another language without another start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QDialog, QLabel

from app.core.text.i18n import current_language, set_language
from app.ui.dialogs.preferences.preferences import PreferencesPage
from tests.end2end.conftest import Driver, Open


@pytest.fixture(autouse=True)
def _english_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("TRIPTYCH_LANG", raising=False)
    yield
    set_language("en")


async def speak(driver: Driver, language: str) -> None:
    services = driver.services
    assert services is not None
    before = driver.application.window
    preferences = services.settings.preferences.model_copy(update={"language": language})
    await services.settings.save_preferences(preferences)
    await driver.until(lambda: driver.application.window is not before, "another window")
    await driver.until(lambda: driver.application.window.is_ready, "a window that is ready")
    driver.window = driver.application.window


async def test_session_draft_and_size_stay(open_window: Open) -> None:
    driver = await open_window({"content": "It is 42."})
    await driver.asked("what is 6*7?")
    driver.resize(1111, 777)
    driver.writes("half a thought")
    open_row = driver.session
    await speak(driver, "zh_CN")
    assert current_language() == "zh_CN"
    assert driver.is_open()
    assert (driver.window.width(), driver.window.height()) == (1111, 777)
    assert driver.session == open_row
    assert driver.answers() == ["It is 42."]
    assert driver.draft() == "half a thought"
    assert driver.desk.actions["settings"].text() == "设置"
    await speak(driver, "en")
    assert driver.desk.actions["settings"].text() == "Settings"
    await driver.asked("and again?")
    assert len(driver.answers()) == 2


async def test_a_new_chat_keeps_its_agent_and_its_draft(open_window: Open) -> None:
    driver = await open_window()
    driver.desk.conversation.new("travel")
    driver.writes("to Chengdu")
    await speak(driver, "zh_CN")
    assert driver.desk.conversation.row is None
    assert driver.desk.conversation.choices.agent == "travel"
    assert driver.draft() == "to Chengdu"


async def test_a_run_goes_on_and_is_painted_in_the_other_window(open_window: Open) -> None:
    driver = await open_window({"content": "word " * 60, "delay": 0.02})
    driver.ask("tell me")
    await driver.until(lambda: driver.answers() and driver.answers()[-1], "the first words")
    assert driver.is_running()
    await speak(driver, "zh_CN")
    await driver.done()
    await driver.until(lambda: driver.answers()[-1].count("word") == 60, "the whole answer")


async def test_the_preferences_come_back_and_are_translated(open_window: Open) -> None:
    driver = await open_window()
    driver.desk.settings.show("appearance")
    await driver.sees(PreferencesPage)
    assert shown(driver) == ["Settings"]
    await speak(driver, "zh_CN")
    await driver.until(lambda: shown(driver), "the preferences again")
    assert shown(driver) == ["设置"]
    dialog = driver.window.findChild(PreferencesPage)
    assert dialog is not None
    assert "语言" in {label.text() for label in dialog.findChildren(QLabel)}
    dialog.window().close()


def shown(driver: Driver) -> list[str]:
    return [one.windowTitle() for one in driver.window.findChildren(QDialog) if one.isVisible()]
