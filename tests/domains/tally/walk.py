"""Run in the scratch copy that has the domain `tally`: the window, the command line, the settings, and offline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QSpinBox

from app.__main__ import main
from app.compose import build
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, ToolReturned, Understood
from app.services.runs.run_options import RunOptions
from app.services.tools.domain_faults import domain_faults
from app.ui.dialogs.agents.agent_settings import AgentsPage
from tests.domains.test_new_domain import other_agents
from tests.end2end.conftest import Open, open_window

__all__ = ["open_window"]


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    capsys.readouterr()
    assert main(list(argv)) == 0
    return capsys.readouterr().out


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "run", "--agent", "tally", "--events", "数3个苹果").splitlines()
    events = [Stamped.from_json(json.loads(line)).event for line in lines]
    (slots,) = (event.slots for event in events if isinstance(event, Understood))
    assert [(slot.label, slot.shown, slot.source) for slot in slots] == [
        ("东西", "苹果", "said"), ("数量", "3", "said"),
    ]  # fmt: skip
    (returned,) = (event for event in events if isinstance(event, ToolReturned))
    assert (returned.card or {})["card"] == "key_values"
    assert isinstance(events[-1], LoopEnd)
    assert events[-1].answer == "3个苹果，6元。"
    printed = run(capsys, "tools", "call", "tally_up", "--json", '{"thing": "pear", "count": "三"}')
    assert json.loads(printed)["data"] == {"thing": "pear", "count": 3, "price": 6}
    assert "tally" in run(capsys, "agents", "list")


async def test_settings_and_offline(tmp_path: Path) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    names = [entry.name for entry in services.tools.all_tools()]
    (tally,) = (domain for domain in services.settings.domains() if domain.id == "tally")
    assert domain_faults(tally, names) == []
    row = await services.sessions.create("tally")
    answers = []
    for question in ("count 4 apples", "make it 5 apples", "forget the number"):
        handle = await services.chat.send(row.id, question, "react", options=RunOptions(model="offline/rules"))
        end = await handle.result()
        await services.chat.recorded()
        answers.append(getattr(end, "answer", end))
    await services.close()
    assert answers == ["4 of apple cost 8.", "5 of apple cost 10.", "1 of apple cost 2."]
    Path("others.json").write_text(json.dumps(await other_agents(services, "tally")), encoding="utf-8")  # noqa: ASYNC240


async def test_window(open_window: Open) -> None:
    driver = await open_window(agent="tally", model="offline/rules")
    driver.command("agents")
    dialog = await driver.sees(AgentsPage)
    dialog.agents.chosen.emit("tally")
    price = dialog.findChild(QSpinBox, "domain_price")
    assert isinstance(price, QSpinBox)
    assert price.isVisible()
    price.setValue(5)
    await driver.until(lambda: not dialog.is_dirty, "the settings to be saved")
    dialog.window().close()
    await driver.asked("count 3 pears")
    assert driver.answers() == ["3 of pear cost 15."]
    shown = [label.text() for label in driver.window.findChildren(QLabel) if label.isVisible()]
    assert {"pear", "15"} <= set(shown), shown
