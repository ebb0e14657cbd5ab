"""A skill made of the open conversation: drafted by its command, changed in the editor, kept when it is created."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QApplication, QPushButton

from app.ui.dialogs.skills.editor import SkillEditor
from tests.ui import screen

from .conftest import Open

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
    await driver.until((driver.services.skills.own / "six-times-seven" / "SKILL.md").exists, "its file")
    assert driver.services.skills.named("six-times-seven").state == "ready"


def shown_dialogs() -> list[SkillEditor]:
    return [one for one in QApplication.allWidgets() if isinstance(one, SkillEditor) and one.isVisible()]
