from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.errors import KeyRefused
from app.core.run.price import Price
from app.services.providers.service import CheckResult, ProviderEntry, ProviderService
from app.services.settings.settings import SettingsService
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.providers.model_settings import ProviderModelsDialog
from app.ui.dialogs.providers.pick_preset import PresetSheet
from app.ui.dialogs.providers.window import ProvidersPage
from app.ui.theme import Theme
from tests.local_network import OFFLINE
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks
from tests.ui import screen
from tests.ui.dialogs.work import Work

CANARY = "sk-canary-0123456789"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProviderService:
    """The real service on an empty folder, without a keyring and without a network."""
    files = SettingsFiles(tmp_path)
    made = ProviderService(files, SecretStore(tmp_path / "keys", find=lambda: None), environ={}, network=OFFLINE)

    async def nothing() -> list[ProviderEntry]:
        return []

    monkeypatch.setattr(made.probes, "discover", nothing)
    return made


@pytest.fixture
def open_dialog(service: ProviderService, settings: SettingsService, work: Work, qtbot: QtBot) -> Iterator[Any]:
    made: list[ProvidersPage] = []

    async def open_now() -> ProvidersPage:
        dialog = ProvidersPage(service, settings, Theme(), spawn=work)
        made.append(dialog)
        dialog.show()
        await work.settled()
        return dialog

    yield open_now
    for dialog in made:
        if shiboken6.isValid(dialog):
            dialog.deleteLater()


def asked(dialog: QWidget) -> AskDialog:
    return next(d for d in dialog.findChildren(AskDialog) if d.isVisible())


async def add(dialog: ProvidersPage, preset: str) -> None:
    dialog.list.add_wanted.emit(preset)
    assert dialog.form.isVisible()


async def left(dialog: ProvidersPage, work: Work) -> None:
    """The field is left that was typed in: what was changed is stored."""
    dialog._saving.now()
    await work.settled()


async def until(holds: Callable[[], bool]) -> None:
    for _turn in range(1_000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to hold")


async def left_and_asked(dialog: ProvidersPage, work: Work, answer: str) -> None:
    """As `left`, where it has to be asked where the key may be kept; "" closes the question."""
    dialog._saving.now()
    await until(lambda: any(one.isVisible() for one in dialog.findChildren(AskDialog)))
    question = asked(dialog)
    question.buttons[answer].click() if answer else question.reject()
    await work.settled()


async def test_without_providers_it_says_so_and_offers_presets(open_dialog: Any) -> None:
    dialog = await open_dialog()
    assert dialog._empty.isVisible()
    assert not dialog.add_button.isVisible()
    dialog._empty.findChild(QPushButton).click()
    sheet = dialog.findChild(PresetSheet)
    QTest.keyClicks(sheet.search, "deep")
    offered = [sheet.list.item(row).text() for row in range(sheet.list.count()) if not sheet.list.item(row).isHidden()]
    assert offered == ["DeepSeek", "DeepInfra"]
    QTest.keyClick(sheet.search, Qt.Key.Key_Return)
    assert dialog.form.address.text() == "https://api.deepseek.com/v1"


async def test_a_preset_that_lacks_nothing_is_a_provider_at_once_and_taken_back_by_undo(
    open_dialog: Any, service: ProviderService, work: Work
) -> None:
    dialog = await open_dialog()
    await add(dialog, "ollama")
    await work.settled()
    assert [entry.id for entry in service.providers()] == ["ollama"]
    assert not dialog.add_button.isVisible()
    screen.click(dialog.saved.button)
    await work.settled()
    assert service.providers() == []


async def test_changes_are_stored_when_their_field_is_left_and_taken_back_one_by_one_with_the_key(
    open_dialog: Any, service: ProviderService, work: Work, qtbot: QtBot
) -> None:
    service.key_storage.choose("session")
    entry = ProviderEntry("mine", "custom", "Mine", "https://a.example/v1", ("m", "n"))
    await service.save_provider(entry, CANARY)
    dialog = await open_dialog()
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    form = dialog.form
    seen = []

    async def stored() -> None:
        await work.settled()
        one = service.providers()[0]
        seen.append((one.name, await service.key("mine"), one.models, one.enabled))

    screen.click(form.name)
    form.name.selectAll()
    QTest.keyClicks(form.name, "Other ")
    assert service.providers()[0].name == "Mine", "not while it is being typed"
    screen.click(form.key.remove_button)  # leaves the name
    await stored()
    await until(lambda: not service.providers()[0].has_key)
    screen.click(form.enabled)
    await until(lambda: not service.providers()[0].enabled)
    await stored()
    for _undo in range(3):
        screen.click(dialog.saved.button)
        await stored()
    assert seen == [
        ("Other", CANARY, ("m", "n"), True),
        ("Other", "", ("m", "n"), False),
        ("Other", "", ("m", "n"), True),
        ("Other", CANARY, ("m", "n"), True),
        ("Mine", CANARY, ("m", "n"), True),
    ]
    assert not dialog.saved.button.isVisible()
    assert form.name.text() == "Mine"
    assert not form.key.field.isVisible()


@pytest.mark.parametrize(("answer", "kept"), [("session", "session"), ("file", "file")])
async def test_without_a_keyring_it_asks_where_a_key_may_be_kept(
    open_dialog: Any, service: ProviderService, settings: SettingsService, work: Work, answer: str, kept: str
) -> None:
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    dialog.form.key.field.setText(CANARY)
    await left_and_asked(dialog, work, answer)
    assert await service.key("deepseek") == CANARY
    assert await service.key_storage.kind() == kept
    assert settings.preferences.keys_in_file is (kept == "file")
    assert dialog.form.key.field.text() == ""


async def test_saying_nothing_keeps_nothing(open_dialog: Any, service: ProviderService, work: Work) -> None:
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    dialog.form.key.field.setText(CANARY)
    await left_and_asked(dialog, work, "")
    assert service.providers() == []
    assert dialog.form.key.field.text() == CANARY


async def test_a_stored_key_is_never_shown_and_can_be_replaced_or_removed(
    open_dialog: Any, service: ProviderService, work: Work
) -> None:
    service.key_storage.choose("session")
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    dialog.form.key.field.setText(CANARY)
    await left(dialog, work)
    key = dialog.form.key
    assert not key.field.isVisible()
    assert all(CANARY not in field.text() for field in dialog.findChildren(QLineEdit))
    key.replace_button.click()
    assert key.field.isVisible()
    assert key.field.echoMode() is QLineEdit.EchoMode.Password
    assert key.key() is None
    dialog.form.show_entry(service.providers()[0])
    key.remove_button.click()
    await left(dialog, work)
    assert await service.key("deepseek") == ""


async def test_the_test_button_tells_the_real_error(
    open_dialog: Any, service: ProviderService, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str | None, str]] = []

    async def check(entry: ProviderEntry, key: str | None, model: str) -> CheckResult:
        seen.append((entry.base_url, key, model))
        return CheckResult(False, "AUTH", "<b>Incorrect API key</b>", "", 120)

    monkeypatch.setattr(service.probes, "check", check)
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    dialog.form.key.field.setText(CANARY)
    dialog.findChild(QPushButton, "testConnectionButton").click()
    await work.settled()
    assert seen[0][1] == CANARY
    assert "did not accept the key" in dialog.test.outcome.full_text()
    assert "<b>Incorrect API key</b>" in dialog.test.outcome.text()
    assert dialog.test.button.isEnabled()


async def test_what_works_is_said_with_its_time(
    open_dialog: Any, service: ProviderService, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(entry: ProviderEntry, key: str | None, model: str) -> CheckResult:
        return CheckResult(True, "OK", "api.deepseek.com", "", 320, model_listed=False)

    monkeypatch.setattr(service.probes, "check", check)
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    dialog.test.button.click()
    await work.settled()
    assert "answered in 320 ms" in dialog.test.outcome.full_text()
    assert "not in its list" in dialog.test.outcome.full_text()


async def test_fetched_models_are_picked_from_a_list(
    open_dialog: Any, service: ProviderService, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fetch(entry: ProviderEntry, key: str | None) -> list[str]:
        return ["a-1", "b-2", *entry.models]

    monkeypatch.setattr(service.probes, "list_models", fetch)
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    known = dialog.form.entry().models
    dialog.form.fetch_button.click()
    await work.settled()
    picker = dialog.form.models
    rows = {item.text(): item for item in picker.list.rows()}
    assert list(rows) == [*known, "a-1", "b-2"]

    def click(model: str, held: Any = Qt.KeyboardModifier.NoModifier) -> None:
        """At the right end of its row, far from the box."""
        picker.list.scrollToItem(rows[model])
        place = picker.list.visualItemRect(rows[model])
        QTest.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, held, place.center() + QPoint(60, 0))

    click("b-2")
    assert dialog.form.entry().models == (*known, "b-2")
    click(known[0])
    click("a-1", Qt.KeyboardModifier.ShiftModifier)
    assert dialog.form.entry().models == ("b-2",), "with Shift all rows between change alike"
    picker.all_box.click()
    assert dialog.form.entry().models == ("b-2", *known, "a-1"), "what was the default stays it"
    QTest.keyClicks(picker.search, "a-1")
    picker.all_box.click()
    assert "a-1" not in dialog.form.entry().models
    assert len(dialog.form.entry().models) == len(known) + 1, "only what is in sight is switched"
    picker.search.clear()
    QTest.keyClick(picker.list, Qt.Key.Key_Home)
    QTest.keyClick(picker.list, Qt.Key.Key_Space)
    assert known[0] not in dialog.form.entry().models
    picker.by_hand.setText("mine")
    QTest.keyClick(picker.by_hand, Qt.Key.Key_Return)
    assert "mine" in dialog.form.entry().models
    picker.default.setCurrentIndex(picker.default.findData("mine"))
    picker.default.activated.emit(picker.default.currentIndex())
    assert dialog.form.entry().models[0] == "mine"


async def test_a_failing_fetch_tells_the_error(
    open_dialog: Any, service: ProviderService, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fetch(entry: ProviderEntry, key: str | None) -> list[str]:
        raise KeyRefused("no such key")

    monkeypatch.setattr(service.probes, "list_models", fetch)
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    dialog.form.fetch_button.click()
    await work.settled()
    assert "no such key" in dialog.test.outcome.full_text()


async def test_found_local_servers_are_offered_and_added_by_a_button(
    open_dialog: Any, service: ProviderService, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ProviderEntry(
        "ollama", "ollama", "", "http://127.0.0.1:11434/v1", ("qwen3:8b",), needs_key=False, local=True
    )

    async def discover() -> list[ProviderEntry]:
        return [found]

    monkeypatch.setattr(service.probes, "discover", discover)
    dialog = await open_dialog()
    listed = dialog.findChild(QListWidget, "providerList")
    assert "found here" in listed.item(0).text()
    screen.click(dialog.add_button)
    await work.settled()
    assert service.providers()[0].models == ("qwen3:8b",)
    assert listed.count() == 1


async def test_what_comes_from_the_environment_is_shown_and_locked(
    tmp_path: Path, settings: SettingsService, work: Work, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    environ = {"OPENAI_API_KEY": CANARY, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "m"}
    store = SecretStore(tmp_path / "keys", find=lambda: None)
    service = ProviderService(SettingsFiles(tmp_path), store, environ=environ, network=OFFLINE)
    monkeypatch.setattr(service.probes, "discover", _nothing)
    dialog = ProvidersPage(service, settings, Theme(), spawn=work)
    dialog.show()
    await work.settled()
    assert dialog._badge.isVisible()
    form = dialog.form
    for field in (form.name, form.address, form.key, form.models, form.enabled, form.proxy, form.headers):
        assert not field.isEnabled()
    assert form.prices_button.isEnabled()
    assert not dialog.add_button.isVisible()
    assert not dialog.list.delete_button.isEnabled()
    dialog.deleteLater()


def use_secrets(service: ProviderService, secrets: SecretStore) -> None:
    service._secrets = service.key_storage._secrets = secrets


async def _nothing() -> list[ProviderEntry]:
    await asyncio.sleep(0)
    return []


async def test_deleting_asks_and_removes_the_key(open_dialog: Any, service: ProviderService, work: Work) -> None:
    service.key_storage.choose("session")
    await service.save_provider(ProviderEntry("deepseek", "deepseek", "DeepSeek", "https://api.deepseek.com"), CANARY)
    dialog = await open_dialog()
    dialog.list.delete_button.click()
    asked(dialog).buttons["yes"].click()
    await work.settled()
    assert service.providers() == []


async def test_leaving_stores_what_can_be_and_asks_about_what_cannot(
    open_dialog: Any, service: ProviderService, work: Work
) -> None:
    await service.save_provider(ProviderEntry("deepseek", "deepseek", "DeepSeek", "https://api.deepseek.com"))
    dialog = await open_dialog()
    dialog.form.name.setText("Mine")
    dialog.form.address.setText("no address")
    dialog.leave(dialog.close)
    await work.settled()
    assert dialog.isVisible()
    asked(dialog).buttons[""].click()
    dialog.form.address.setText("https://api.deepseek.com")
    dialog.leave(dialog.close)
    await work.settled()
    assert service.providers()[0].name == "Mine"
    assert not shiboken6.isValid(dialog) or not dialog.isVisible()


async def test_names_from_a_settings_file_stay_literal(open_dialog: Any, service: ProviderService) -> None:
    hostile = "<b>X</b>\u202e"
    await service.save_provider(ProviderEntry("x", "custom", hostile, "https://x.example/v1"))
    dialog = await open_dialog()
    assert dialog.findChild(QListWidget, "providerList").item(0).text() == "<b>X</b>⟦U+202E⟧"
    assert dialog._title.full_text() == "<b>X</b>⟦U+202E⟧"
    assert replace(dialog.form.entry()) == service.providers()[0]


async def test_a_remedy_for_what_the_test_found_is_one_press(
    open_dialog: Any, service: ProviderService, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = [
        CheckResult(True, "OK", "host", "", 5),
        CheckResult(False, "NOT_FOUND", "no", "", 5, place="path", host="h", suggested="https://h/v1"),
        CheckResult(True, "OK", "host", "", 5),
        CheckResult(False, "PROXY", "no", "", 5, place="proxy", host="h", params={"proxy": "http://p:1"}),
    ]
    asked_with: list[tuple[str, str]] = []

    async def check(entry: ProviderEntry, key: str | None, model: str) -> CheckResult:
        asked_with.append((entry.base_url, entry.proxy))
        return results.pop()

    monkeypatch.setattr(service.probes, "check", check)
    dialog = await open_dialog()
    await add(dialog, "deepseek")
    dialog.test.button.click()
    await work.settled()
    assert dialog.test.mend.text() == "Connect directly"
    dialog.test.mend.click()
    await work.settled()
    assert asked_with[-1][1] == "direct"
    assert "answered in" in dialog.test.outcome.full_text()
    assert not dialog.test.mend.isVisible()
    dialog.test.button.click()
    await work.settled()
    assert dialog.test.mend.text() == "Use https://h/v1"
    dialog.test.mend.click()
    await work.settled()
    assert asked_with[-1][0] == "https://h/v1"
    await left(dialog, work)
    assert service.providers()[0].base_url == "https://h/v1"


async def test_headers_certificates_proxy_and_prices_are_kept(
    open_dialog: Any, service: ProviderService, work: Work
) -> None:
    dialog = await open_dialog()
    await add(dialog, "ollama")
    form = dialog.form
    form.models.set_models(("qwen3:8b",))
    form.more_button.setChecked(True)
    assert form.headers.isVisible()
    form.headers.setPlainText("X-Org: me\n\nX-Two:  a: b ")
    form.ca_file.setText("/somewhere/ca.pem")
    form.proxy.setText("direct")
    form.prices_button.click()
    prices = dialog.findChild(ProviderModelsDialog)
    prices.form.editor("price_input").set_value(1.0)
    prices.form.editor("price_output").set_value(2.0)
    prices.done_button.click()
    assert form._priced.text() == "1 price"
    await left(dialog, work)
    entry = service.providers()[0]
    assert entry.headers == {"X-Org": "me", "X-Two": "a: b"}
    assert (entry.ca_file, entry.proxy) == ("/somewhere/ca.pem", "direct")
    assert entry.prices == {"qwen3:8b": Price(1.0, 2.0)}
    assert not dialog.is_dirty


async def test_a_header_that_cannot_be_sent_is_refused_in_words(
    open_dialog: Any, service: ProviderService, work: Work
) -> None:
    dialog = await open_dialog()
    await add(dialog, "ollama")
    dialog.form.headers.setPlainText("Host: evil.test")
    await left(dialog, work)
    assert service.providers()[0].headers == {}
    assert "Host" in dialog.saved.note.full_text()


@pytest.mark.parametrize(
    ("address", "is_insecure"),
    [("http://model.example/v1", True), ("http://127.0.0.1:1/v1", False), ("https://model.example/v1", False)],
)
async def test_an_address_that_is_not_encrypted_is_marked(open_dialog: Any, address: str, is_insecure: bool) -> None:
    dialog = await open_dialog()
    await add(dialog, "custom")
    dialog.form.address.setText(address)
    assert dialog.form._insecure.isVisible() is is_insecure


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ({"tool_calls": [{"name": "report_ready", "arguments": {"word": "ok"}}]}, "test-model calls tools."),
        ({"content": "I am ready."}, "test-model called no tool"),
        ({"status": 500, "content": "overloaded"}, ""),
    ],
)
async def test_the_test_says_whether_the_model_calls_tools(
    open_dialog: Any, work: Work, turn: dict[str, Any], told: str
) -> None:
    async with FaultServer(speaks([{"content": "ok"}, turn], repeat_last=True)) as server:
        dialog = await open_dialog()
        await add(dialog, "custom")
        dialog.form.address.setText(server.base_url)
        dialog.form.models.set_models(("test-model",))
        dialog.test.button.click()
        await work.settled()
        lines = dialog.test.outcome.full_text().split("\n")
    assert lines[0].startswith("It works: 127.0.0.1 answered")
    assert "".join(lines[1:]).startswith(told)
    assert len(lines) == (2 if told else 1)


async def test_T32_a_changed_address_asks_for_the_key_again_and_does_not_get_the_old_one(
    open_dialog: Any, service: ProviderService, work: Work
) -> None:
    service.key_storage.choose("session")
    async with FaultServer(speaks([{"status": 401, "content": "no key"}], repeat_last=True)) as other:
        await service.save_provider(ProviderEntry("mine", "custom", "", "http://127.0.0.1:9/v1", ("m",)), CANARY)
        dialog = await open_dialog()
        dialog.show_provider("mine")
        assert not dialog.form._elsewhere.isVisible()
        dialog.form.address.setText(other.base_url)
        assert dialog.form._elsewhere.isVisible()
        dialog.test.button.click()
        await work.settled()
        sent = [request.headers.get("authorization", "") for request in other.requests]
    assert sent
    assert not any(CANARY in header for header in sent)
    assert "asks for a key" in dialog.test.outcome.full_text()
    dialog.form.address.setText("http://127.0.0.1:9/v1")
    assert not dialog.form._elsewhere.isVisible()


async def test_for_the_address_of_one_call_that_of_the_service_is_offered(
    open_dialog: Any, service: ProviderService, work: Work
) -> None:
    dialog = await open_dialog()
    await add(dialog, "custom")
    dialog.form.address.setText("https://api.example.com/v1/chat/completions?api-version=1")
    await left(dialog, work)
    assert service.providers() == []
    assert "https://api.example.com/v1" in dialog.saved.note.full_text()
    assert dialog.form.better.isVisible()
    dialog.form.better.click()
    assert dialog.form.address.text() == "https://api.example.com/v1"
    assert not dialog.form.better.isVisible()
    await left(dialog, work)
    assert [entry.base_url for entry in service.providers()] == ["https://api.example.com/v1"]


async def test_a_test_of_such_an_address_offers_the_right_one_and_asks_nobody(open_dialog: Any, work: Work) -> None:
    dialog = await open_dialog()
    async with FaultServer(speaks([{"content": "ok"}], repeat_last=True)) as server:
        await add(dialog, "custom")
        dialog.form.address.setText(f"{server.base_url}/chat/completions")
        dialog.test.button.click()
        await work.settled()
        assert server.requests == []
        assert dialog.test.mend.text() == f"Use {server.base_url}"
        dialog.test.mend.click()
        await work.settled()
        assert dialog.form.address.text() == server.base_url
        assert server.requests


class Ring:
    """A keyring that can be locked."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.is_locked:
            raise RuntimeError("locked")
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.is_locked:
            raise RuntimeError("locked")
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[username]


async def test_keys_are_moved_between_file_and_keyring_by_a_button(
    open_dialog: Any, service: ProviderService, settings: SettingsService, work: Work, tmp_path: Path
) -> None:
    file, ring = tmp_path / "keys", Ring()
    service.key_storage.choose("file")
    await service.save_provider(ProviderEntry("mine", "custom", "Mine", "https://a.example/v1", ("m",)), CANARY)
    use_secrets(service, SecretStore(file, in_file=True, find=lambda: ring))
    dialog = await open_dialog()
    assert dialog.storage.button.text() == "Move them to the keyring"
    dialog.storage.button.click()
    await work.settled()
    assert list(ring.kept.values()) == [CANARY]
    assert not file.exists()
    assert not settings.preferences.keys_in_file
    assert dialog.test.outcome.full_text() == "1 key was moved."
    assert dialog.storage.text.text() == "Keys are kept in the system's keyring."
    dialog.storage.button.click()
    asked(dialog).buttons["file"].click()
    await work.settled()
    assert ring.kept == {}
    assert CANARY in file.read_text("utf-8")
    assert settings.preferences.keys_in_file
    assert settings.preferences.key_file_first
    assert await service.key("mine") == CANARY


async def test_where_the_keyring_is_locked_a_key_can_be_typed_again_for_the_session(
    open_dialog: Any, service: ProviderService, work: Work, tmp_path: Path
) -> None:
    ring = Ring()
    use_secrets(service, SecretStore(tmp_path / "keys", find=lambda: ring))
    await service.save_provider(ProviderEntry("mine", "custom", "Mine", "https://a.example/v1", ("m",)), CANARY)
    ring.is_locked = True
    use_secrets(service, SecretStore(tmp_path / "keys", find=lambda: ring))
    dialog = await open_dialog()
    dialog.test.button.click()
    await work.settled()
    assert "The stored key of Mine cannot be read" in dialog.test.outcome.full_text()
    assert "unlock the keyring" in dialog.test.outcome.full_text()
    dialog.form.key.replace_button.click()
    dialog.form.key.field.setText(CANARY + "9")
    await left_and_asked(dialog, work, "session")
    assert await service.key("mine") == CANARY + "9"
    assert not (tmp_path / "keys").exists()


async def test_an_address_that_is_changed_and_put_back_finds_its_key(
    open_dialog: Any, service: ProviderService, work: Work, tmp_path: Path
) -> None:
    use_secrets(service, SecretStore(tmp_path / "keys", find=Ring))
    await service.save_provider(ProviderEntry("mine", "custom", "Mine", "https://a.example/v1", ("m",)), CANARY)
    dialog = await open_dialog()
    for address, has_key in (("https://b.example/v1", False), ("https://a.example/v1", True)):
        dialog.form.address.setText(address)
        assert dialog.form.has_key is has_key
        await left(dialog, work)
        assert service.providers()[0].has_key is has_key
        assert await service.key("mine") == (CANARY if has_key else "")
