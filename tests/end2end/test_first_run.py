"""A new person: three ways to an answer, each within seconds, and never asked twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QDialog, QPushButton

from app.core.text.i18n import set_language
from app.providers.registry.discovery import discover
from app.services.providers.service import CheckResult, ProviderEntry
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.preferences.first_run import FirstRunPage
from tests.end2end.conftest import Driver, Open
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks


@pytest.fixture(autouse=True)
def _nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "TRIPTYCH_LANG", "TRIPTYCH_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("app.providers.registry.discovery._usual_ports", lambda: iter(()))
    # A server of this very process may be slow to answer; there is no other that could be waited for in vain.
    monkeypatch.setitem(discover.__kwdefaults__, "seconds", 60.0)  # type: ignore[arg-type]
    monkeypatch.setattr("app.storage.config.keyrings.find_keyring", lambda: None)
    monkeypatch.setattr("app.storage.config.secrets.find_keyring", lambda: None)
    yield
    set_language("en")


def page_of(driver: Driver) -> FirstRunPage | None:
    page: FirstRunPage | None = driver.desk.welcome.page
    return page


async def fresh(open_window: Open) -> tuple[Driver, FirstRunPage]:
    driver = await open_window(model="", agent="")
    page = page_of(driver)
    assert page is not None
    assert page.isVisible()
    return driver, page


def example_of(page: FirstRunPage, agent: str) -> QPushButton:
    button = page.findChild(QPushButton, f"firstExample_{agent}")
    assert isinstance(button, QPushButton)
    return button


async def answered(driver: Driver) -> None:
    await driver.until(driver.answers, "an answer")
    await driver.until(lambda: not driver.is_running(), "the end of the run")
    await driver.done()


def services_of(driver: Driver) -> Any:
    return driver.services


async def test_offline_answers_an_example_within_seconds_and_the_page_does_not_come_back(open_window: Open) -> None:
    driver, page = await fresh(open_window)
    page.offline_button.click()
    assert page_of(driver) is None
    examples = [button for button in driver.desk.chat.findChildren(QPushButton) if button.objectName() == "example1"]
    examples[-1].click()
    await answered(driver)
    assert driver.answers()[0]
    await driver.closes()
    assert page_of(await open_window(model="", agent="")) is None


async def test_a_question_of_an_agent_is_one_click(open_window: Open) -> None:
    driver, page = await fresh(open_window)
    example_of(page, "travel").click()
    await answered(driver)
    assert "Beijing" in driver.questions()[0]
    assert page_of(driver) is None


async def test_an_agent_that_needs_a_model_says_so(open_window: Open) -> None:
    driver, page = await fresh(open_window)
    example_of(page, "assistant").click()
    assert "needs a model" in page.key_told.full_text()
    assert page_of(driver) is page
    assert driver.questions() == []


async def test_typing_a_question_is_a_choice_too(open_window: Open) -> None:
    driver, _page = await fresh(open_window)
    driver.ask("How many days for Hangzhou?")
    await answered(driver)
    assert page_of(driver) is None
    assert services_of(driver).settings.preferences.welcomed


async def test_a_local_model_is_found_by_itself_and_answers(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    async with FaultServer(speaks([{"content": "I run here."}], models=["small", "large"], repeat_last=True)) as server:
        monkeypatch.setattr("app.providers.registry.discovery._usual_ports", lambda: iter([("ollama", server.port)]))
        driver, page = await fresh(open_window)
        await driver.until(page.local_button.isVisible, "the found model")
        assert [page.models.itemText(n) for n in range(2)] == ["small  ·  Ollama", "large  ·  Ollama"]
        page.models.setCurrentIndex(1)
        page.local_button.click()
        await driver.until(lambda: page_of(driver) is None, "the usual empty chat")
        await driver.asked("who are you?")
        assert driver.answers() == ["I run here."]
        assert server.chats[0]["model"] == "large"
        assert services_of(driver).settings.preferences.default_model == "ollama/large"


async def test_nothing_found_is_said_and_looked_for_again(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, page = await fresh(open_window)
    await driver.until(page.search_button.isVisible, "the end of the search")
    assert page.found_told.full_text().startswith("None found.")
    async with FaultServer(speaks([], models=["late"])) as server:
        monkeypatch.setattr("app.providers.registry.discovery._usual_ports", lambda: iter([("lmstudio", server.port)]))
        page.search_button.click()
        await driver.until(page.local_button.isVisible, "the found model")
    assert page.found_told.full_text() == "Found: late  ·  LM Studio"
    assert not page.models.isVisible()


async def test_a_key_is_checked_and_kept_where_the_person_says(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, page = await fresh(open_window)
    services = services_of(driver)
    results = [CheckResult(False, "AUTH", "no", "", 9, place="key", host="api.deepseek.com")]

    async def check(entry: ProviderEntry, key: str | None = None, model: str = "") -> CheckResult:
        return results.pop() if results else CheckResult(True, "OK", "api.deepseek.com", "", 9)

    monkeypatch.setattr(services.providers.probes, "check", check)
    assert not page.key_button.isEnabled()
    page.preset.setCurrentIndex(page.preset.findData("deepseek"))
    page.key.setText("sk-canary-000000000000")
    page.key_button.click()
    await driver.until(page.key_told.isVisible, "a refusal")
    await driver.until(lambda: "did not accept the key" in page.key_told.full_text(), "its words")
    page.key_button.click()
    await driver.until(lambda: asked(driver), "where to keep the key")
    asked(driver)[0].buttons["session"].click()
    await driver.until(lambda: page_of(driver) is None, "the usual empty chat")
    assert services.settings.preferences.default_model == "deepseek/deepseek-chat"
    assert await services.providers.key("deepseek") == "sk-canary-000000000000"
    assert driver.desk.conversation.choices.model_in_use() == "deepseek/deepseek-chat"


async def test_it_can_be_put_off_and_opened_again_from_the_menu(open_window: Open) -> None:
    driver, page = await fresh(open_window)
    page.later_button.click()
    assert page_of(driver) is None
    driver.command("welcome")
    again = page_of(driver)
    assert again is not None
    assert again.isVisible()


async def test_the_page_speaks_the_other_language_at_once(open_window: Open) -> None:
    driver, page = await fresh(open_window)
    before = driver.application.window
    page.language_button.click()
    await driver.until(lambda: driver.application.window is not before, "another window")
    await driver.until(lambda: driver.application.window.is_ready, "a window that is ready")
    again = page_of(driver)
    assert again is not None
    assert again.language_button.text() == "English"


def asked(driver: Driver) -> list[AskDialog]:
    return [one for one in driver.all_of(QDialog) if isinstance(one, AskDialog)]
