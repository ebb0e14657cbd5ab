"""An agent of another program in the composed window: chosen, asked, its permission question answered by a click."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from app.services.acp.service import AgentForm
from app.ui.chat.rows.assistant import AssistantRowView
from app.ui.chat.rows.tool import ToolCard
from app.ui.dialogs import ApprovalCard
from tests.ui import screen

from .conftest import Driver, Open

PLAYER = Path(__file__).parents[1] / "acp" / "agent.py"


def update(change: str, **values: Any) -> dict[str, Any]:
    return {"update": {"sessionUpdate": change, **values}}


def text(words: str, kind: str = "agent_message_chunk") -> dict[str, Any]:
    return update(kind, content={"type": "text", "text": words})


class Imports:
    """Notes in which thread the SDK is loaded, where this process has not loaded it before: a second for the window."""

    def __init__(self) -> None:
        self.threads: list[str] = []

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name == "acp":
            self.threads.append(threading.current_thread().name)


async def test_an_agent_of_another_program_is_chosen_asked_and_allowed_by_clicks(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imports = Imports()
    monkeypatch.setattr(sys, "meta_path", [imports, *sys.meta_path])
    call = {"toolCallId": "c1", "title": "Write notes.txt", "kind": "edit", "status": "pending", "rawInput": {"x": 1}}
    turn = [
        text("Let me see. ", "agent_thought_chunk"),
        update("plan", entries=[{"content": "write it", "priority": "high", "status": "in_progress"}]),
        update("tool_call", **call),
        {"ask": "session/request_permission", "params": {"toolCall": call}, "tell": True},
        update("tool_call_update", toolCallId="c1", status="completed"),
        {"ask": "fs/write_text_file", "params": {"path": str(tmp_path / "project" / "b.txt"), "content": "made\n"}},
        text("Written by another program."),
        {"end": "end_turn"},
    ]
    script = tmp_path / "played.json"
    script.write_text(json.dumps([turn, [{"end": "end_turn"}]]), "utf-8")
    modes = [{"id": "ask", "name": "Ask first"}, {"id": "code", "name": "Write code"}]
    models = [{"value": "small", "name": "Small one"}, {"value": "large", "name": "Large one"}]
    option = {"id": "m", "name": "Model", "category": "model", "type": "select", "currentValue": "small"}
    known = {"currentModeId": "ask", "availableModes": modes}
    offers = {"modes": known, "configOptions": [option | {"options": models}]}
    script.with_suffix(".offers").write_text(json.dumps(offers), "utf-8")
    (tmp_path / "project").mkdir()
    written = tmp_path / "project" / "b.txt"
    driver = await open_window()
    services = driver.services
    services.providers.key_storage.choose("session")
    id = await services.acp_agents.add(AgentForm("Played", sys.executable, (str(PLAYER), str(script)), {}))
    await services.acp_agents.agree(id, (await services.acp_agents.view(id)).lines)
    header = driver.window.header
    await driver.until(lambda: any(header.agent.itemData(n) == id for n in range(header.agent.count())), "its name")
    place = next(n for n in range(header.agent.count()) if header.agent.itemData(n) == id)
    header.agent.setCurrentIndex(place)
    header.agent.activated.emit(place)
    await driver.until(lambda: header.agent.chosen_id() == id, "it is chosen")
    assert not driver.window.modes.isVisible(), "what it offers is not known yet: no mode of ours is offered for it"
    await services.workspace.pick("", tmp_path / "project")
    driver.ask("write notes")
    await driver.until(lambda: allowing(driver), "its question")
    (first,) = allowing(driver)
    screen.click(first)
    await driver.until(lambda: any(one is not first for one in allowing(driver)), "the question of what it writes")
    assert not written.exists()
    screen.click(next(one for one in allowing(driver) if one is not first))
    await driver.done()
    assert written.read_text() == "made\n"
    (answer,) = driver.answers()
    assert "Written by another program." in answer
    assert '"optionId": "yes"' in answer  # what it was told
    assert threading.main_thread().name not in imports.threads
    row = await services.sessions.row(driver.session)
    assert (row.agent, row.title) == (id, "write notes")
    answered = driver.last().id
    selector = driver.window.modes
    assert [one.text() for one in selector.findChildren(QAbstractButton)] == ["Ask first", "Write code"]
    screen.click(selector.findChildren(QAbstractButton)[1])
    model = header.model
    assert [model.itemText(n) for n in range(model.count())] == ["Small one", "Small one", "Large one"]
    model.setCurrentIndex(2)
    model.activated.emit(2)
    await driver.until(lambda: driver.sessions()[0].model.endswith("/large"), "it is kept with the session")
    driver.ask("once more")
    heard = script.with_suffix(".heard")
    await driver.until(lambda: "once more" in heard.read_text("utf-8"), "the second question")
    await driver.done()
    sent = [json.loads(line).get("params") for line in heard.read_text("utf-8").splitlines()]
    assert {"modeId": "code", "sessionId": "s1"} in sent
    assert {"configId": "m", "value": "large", "sessionId": "s1"} in sent
    view = driver.desk.chat.list.widget(answered)
    assert isinstance(view, AssistantRowView)
    view.open_work()
    await driver.until(lambda: view.findChildren(ToolCard), "its calls")
    for call_row in view.findChildren(ToolCard):
        if not call_row.is_unfolded():
            call_row.toggle()
    await driver.until(lambda: undo_buttons(driver), "the button of what was written")
    screen.click(undo_buttons(driver)[0])
    await driver.until(lambda: not written.exists(), "it is taken back")
    await driver.done()
    driver.desk.conversation.choices.choose_agent("assistant")
    assert "direct" in selector.modes(), "another agent: our modes again"
    assert not header.model.chosen_id()


def allowing(driver: Driver) -> list[QWidget]:
    return [card.allow_once for card in driver.all_of(ApprovalCard) if card.allow_once.isEnabled()]


def undo_buttons(driver: Driver) -> list[QPushButton]:
    return [one for one in driver.all_of(QPushButton) if one.text() == "Undo all of it" and one.isVisible()]
