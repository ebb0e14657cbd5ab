"""How much a stranger has to do: every click, key and paste is counted, and each hits what is on the screen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QPushButton, QWidget

from app.ui.chat.rows.items import ToolPart
from app.ui.dialogs import ApprovalCard
from app.ui.dialogs.mcp.step_card import StepCard
from app.ui.dialogs.mcp.window import ServersPage
from app.ui.dialogs.providers.pick_preset import PresetSheet
from app.ui.dialogs.providers.window import ProvidersPage
from app.ui.dialogs.settings.window import SettingsWindow
from app.ui.widgets.fields.segment_combo import SegmentCombo
from app.ui.widgets.plain_view import PlainView
from tests.rigs.fault_server import Exchange, FaultServer
from tests.rigs.speaking_server import speaks
from tests.ui import screen

from .conftest import Driver, Open

EVIL = Path(__file__).parents[1] / "rigs" / "evil_mcp.py"
"""A server; its mode `good` does nothing bad."""


class Hands:
    def __init__(self) -> None:
        self.actions: list[str] = []

    def click(self, widget: QWidget, what: str) -> None:
        screen.click(widget)
        self.actions.append(f"click {what}")

    def click_row(self, rows: QListWidget, text: str) -> None:
        item = next(rows.item(row) for row in range(rows.count()) if rows.item(row).text() == text)
        rows.scrollToItem(item)
        place: QPoint = rows.visualItemRect(item).center()
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
        self.actions.append(f"click {text}")

    def paste(self, text: str) -> None:
        """Into whatever has the focus."""
        focus = QApplication.focusWidget()
        assert focus is not None
        QApplication.clipboard().setText(text)
        QTest.keyClick(focus, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        self.actions.append("paste")

    def press(self, key: Qt.Key, what: str) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key)
        self.actions.append(f"press {what}")


async def settings_at(driver: Driver, command: str) -> SettingsWindow:
    driver.command(command)
    window = await driver.sees(SettingsWindow)
    await driver.until(window.isActiveWindow, "the settings in front")
    window.resize(790, 700)
    return window


async def test_a_first_answer_takes_two_clicks(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a window nobody has used yet, without a key, a network or a word typed."""
    monkeypatch.setattr("app.providers.registry.discovery._usual_ports", lambda: iter(()))
    driver = await open_window(model="", agent="")
    page = driver.desk.welcome.page
    hands = Hands()
    await driver.until(lambda: screen.why_not(page.offline_button) == "", "the first page")
    hands.click(page.offline_button, "Try it offline")
    examples = [one for one in driver.all_of(QPushButton) if one.objectName() == "example1"]
    await driver.until(lambda: screen.why_not(examples[-1]) == "", "the examples")
    hands.click(examples[-1], "an example")
    await driver.until(driver.answers, "an answer")
    await driver.done()
    assert len(hands.actions) <= 2, hands.actions
    assert driver.answers()[-1]
    assert driver.last().answer, "it is one"


async def test_a_provider_with_its_models_takes_six_actions_in_one_window(open_window: Open) -> None:
    speaker = speaks([{"content": "hello from there"}], repeat_last=True)

    async def provider(exchange: Exchange) -> None:
        if exchange.path.endswith("/models"):
            await exchange.head(200, "application/json")
            await exchange.send(b'{"data": [{"id": "deepseek-chat"}, {"id": "deepseek-new"}]}')
        else:
            await speaker(exchange)

    async with FaultServer(provider) as server:
        driver = await open_window()
        services = driver.services
        assert services is not None
        services.providers.key_storage.choose("session")  # this machine has no keyring
        window = await settings_at(driver, "providers")
        page = window.findChild(ProvidersPage)
        assert page is not None
        await driver.until(lambda: not page._empty.isHidden() or page.list.list.count(), "the page")
        hands = Hands()
        hands.click(page.list.add_button if page.list.isVisible() else page._empty.button, "Add a provider")
        sheet = window.findChild(PresetSheet)
        assert sheet is not None
        hands.click_row(sheet.list, "DeepSeek")
        page.form.address.setText(server.url(""))  # the service stands in the test, not in the world
        hands.paste("sk-0123456789")
        hands.press(Qt.Key.Key_Return, "Enter: fetch the models")
        picker = page.form.models
        await driver.until(lambda: "deepseek-new" in [item.text() for item in picker.list.rows()], "the models")
        hands.click_row(picker.list, "deepseek-new")
        choices = services.models.choices
        await driver.until(lambda: any(one.ref.endswith("/deepseek-new") for one in choices()), "the model")
        assert len(hands.actions) <= 6, hands.actions
        (entry,) = (one for one in services.providers.providers() if not one.from_environment)
        assert "deepseek-new" in entry.models
        assert f"{entry.id}/deepseek-new" in [choice.ref for choice in services.models.choices()]
        headers = {name.lower(): value for name, value in server.requests[-1].headers.items()}
        assert headers["authorization"] == "Bearer sk-0123456789"
        tops = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not driver.window]
        assert tops == [window], "nothing lay on top of it"


async def test_a_server_from_a_readme_to_its_first_call_takes_four_actions(open_window: Open) -> None:
    call = {"tool_calls": [{"name": "notes__echo", "arguments": {"text": "hello"}}]}
    driver = await open_window(call, {"content": "done"})
    services = driver.services
    assert services is not None
    window = await settings_at(driver, "mcp")
    page = window.findChild(ServersPage)
    assert page is not None
    hands = Hands()
    hands.click(page._empty.button, "Add a server")
    hands.paste(f"claude mcp add notes -- {sys.executable} {EVIL} good")
    adding = page.adding
    assert services.mcp.servers() == [], "nothing is stored or started by pasting"
    await driver.until(adding.start_button.isEnabled, "what will run was on the screen for two seconds")
    assert any(str(EVIL) in view.text() for view in adding.findChildren(PlainView)), "and it was all there"
    steps = adding.findChildren(StepCard)
    assert [step.note.full_text() for step in steps if step.isVisible()] == ["Nothing has been started yet"]
    hands.click(adding.start_button, "Start it")
    assert [step.note.full_text() for step in steps if step.isVisible()] == ["", "Starting…"]
    await driver.until(adding.use_button.isVisible, "its tools")
    assert ["done" in step.mark.accessibleName() for step in steps] == [True, True, False]
    assert steps[1].note.full_text().startswith("runs")
    words = adding.tools.findChildren(SegmentCombo)
    assert words
    await driver.until(lambda: all(len(one.segments()) == 3 for one in words), "Deny, Ask and Allow side by side")
    assert adding.agents.chosen() == ["assistant"]
    assert [row.name for row in services.mcp.reviews.tools("notes").rows]
    hands.click(adding.use_button, "Use it")
    await driver.until(lambda: services.settings.profile("assistant").mcp_servers == ("notes",), "the agent has it")
    assert len(hands.actions) <= 4, hands.actions
    assert page.page.agents.boxes["assistant"].isChecked(), "in place, and to be changed there"
    tops = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not driver.window]
    assert tops == [window], "nothing lay on top of it"
    window.close()
    driver.chooses_mode("react")
    driver.ask("say hello")  # the first question: its call asks, for the server is new
    await driver.until(lambda: driver.all_of(ApprovalCard), "what the server would do")
    (card,) = driver.all_of(ApprovalCard)
    assert card.title.text() == "Run with notes: echo", "no id of a tool"
    await driver.until(lambda: screen.why_not(card.allow_once) == "", "the card to be awake")
    screen.click(card.allow_once)
    await driver.until(driver.answers, "the answer")
    await driver.done()
    (made,) = [part for part in driver.last().parts if isinstance(part, ToolPart)]
    assert (made.state, "hello" in made.result) == ("done", True)
