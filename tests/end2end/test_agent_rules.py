"""A rule made in the dialog of the agents, tried on the last real result, acts from the next turn in open sessions."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.core.run.events import ToolReturned
from app.ui.dialogs.agents.agent_settings import AgentsPage
from app.ui.dialogs.agents.hook_editor import HookEditor
from app.ui.dialogs.agents.hook_row import HookRow

from .conftest import Driver, Open
from .test_questions import CALL, change


def dialog_of(driver: Driver) -> AgentsPage | None:
    return driver.window.findChild(AgentsPage)


async def last_result(driver: Driver) -> str:
    services = driver.services
    assert services is not None
    (row, *_older) = await services.runs.rows(limit=1)
    lines = await services.runs.events(row.id)
    return next(line.event.text for line in reversed(lines) if isinstance(line.event, ToolReturned))


async def test_a_rule_is_tried_on_the_last_real_result_and_acts_from_the_next_turn(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "It is 42."}, CALL, {"content": "It is hidden."})
    await change(driver, tools={"calculator": "allow"})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    assert "42" in await last_result(driver)

    driver.command("agents")
    await driver.until(lambda: dialog_of(driver), "the dialog of the agents")
    dialog = dialog_of(driver)
    assert dialog is not None
    rules = dialog.form.editor("hooks")
    assert isinstance(rules, HookEditor)
    rules.add_button.click()
    row = rules.rows[0]
    assert isinstance(row, HookRow)
    row.kind.setCurrentIndex(row.kind.findData("mask"))
    row.kind.activated.emit(row.kind.currentIndex())
    row.tool.setCurrentText("calc*")
    dialog.finish()
    assert driver.services is not None
    assert not driver.services.settings.profile("assistant").hooks  # a rule that cannot act is not saved
    field = row.controls["text"]
    assert isinstance(field, QLineEdit)
    field.setText("42")
    field.textEdited.emit("42")
    assert row.trial is not None
    trial = row.trial
    await driver.until(lambda: "***" in trial.result.text(), "the rule tried on the last result")
    assert "42" in trial.field.toPlainText()
    QTest.keyClick(field, Qt.Key.Key_Return)
    await driver.until(lambda: not dialog.is_dirty, "the agent to be saved")
    dialog.window().close()

    await driver.asked("and again?")
    read = await last_result(driver)
    assert "***" in read
    assert "42" not in read
    settings = driver.services.settings
    assert json.loads(json.dumps(settings.profile("assistant").hooks)) == [
        {"when": "after", "tool": "calc*", "do": "mask", "text": "42"}
    ]
