"""A skill made of the open conversation: drafted by its command, changed in the editor, kept when it is created."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QApplication, QPushButton

from app.ui.chat.rows.tool import ToolCard
from app.ui.dialogs.skills.editor import SkillEditor
from tests.ui import screen

from .conftest import Driver, Open

CALL: dict[str, Any] = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


async def test_a_skill_is_made_of_the_conversation_on_the_screen(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "**42**, of course"})
    driver.command("make_skill")
    await driver.until(lambda: "no conversation" in driver.notice(), "that there is none")
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    driver.command("make_skill")
    await driver.until(shown_dialogs, "the editor")
    [editor] = shown_dialogs()
    body = editor.body.toPlainText()
    assert "> what is 6*7?" in body
    assert '1. Calculate: `calculator`, e.g. {"expression": "6*7"}' in body
    assert "> **42**, of course" in body
    assert driver.services.skills.own.exists() is False, "nothing is kept before its button is pressed"
    editor.name.setText("six-times-seven")
    create: QPushButton = editor.create_button
    assert screen.why_not(create) == ""
    screen.click(create)
    await driver.until(lambda: state_of(driver, "six-times-seven") == "ready", "a skill that may be used")


def state_of(driver: Driver, name: str) -> str:
    return "".join(one.state for one in driver.services.skills.skills() if one.name == name)


def shown_dialogs() -> list[SkillEditor]:
    return [one for one in QApplication.allWidgets() if isinstance(one, SkillEditor) and one.isVisible()]


async def test_a_skill_that_was_read_is_a_chip_on_the_answer_that_opens_its_step(open_window: Open) -> None:
    load = {"tool_calls": [{"name": "load_skill", "arguments": {"name": "meeting-minutes"}}]}
    driver = await open_window(load, {"content": "The minutes."})
    settings = driver.services.settings
    profile = settings.profile("assistant").model_copy(update={"skills": ("meeting-minutes",)})
    await settings.save_profile(profile)
    driver.chooses_mode("react")
    await driver.asked("write the minutes")
    session = driver.session
    for again in range(2):
        if again:
            driver.desk.conversation.new()
            await driver.desk.conversation.open(session)
        view = driver.desk.chat.list.widget(driver.last().id)
        chips = [one for one in view.findChildren(QPushButton) if one.text() == "Skill meeting-minutes"]
        assert [screen.why_not(one) for one in chips] == [""]
        screen.click(chips[0])
        rows = [one for one in view.findChildren(ToolCard) if one.part.name == "load_skill" and one.isVisible()]
        assert len(rows) == 1
