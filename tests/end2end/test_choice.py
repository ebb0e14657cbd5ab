"""The options of a card in the window: the person's next message, or the answer to an open question."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.ui.cards.choice import OptionButton
from app.ui.chat.rows.items import AssistantRow, CardPart, NotePart
from app.ui.main_window.session.bars.question import QuestionCard

from .conftest import Driver, Open

WAYS = {
    "card": "choice",
    "payload": {"question": "Which way?", "options": [{"label": "By train"}, {"label": "By car"}]},
}
ASKS = {
    "tool_calls": [{"name": "ask_user", "arguments": {"question": "Which way?", "options": ["By train", "By car"]}}]
}


async def option(driver: Driver, name: str) -> OptionButton:
    driver.desk.chat.append(AssistantRow("card", "Assistant", parts=(CardPart("ways", WAYS),)))

    def shown() -> OptionButton | None:
        found: OptionButton | None = driver.desk.chat.findChild(OptionButton, name)
        return found if found is not None and not found.visibleRegion().isEmpty() else None

    await driver.until(shown, "the options")
    found = shown()
    assert found is not None
    return found


async def test_an_option_is_the_next_message_and_the_draft_stays(open_window: Open) -> None:
    driver = await open_window({"content": "All aboard."})
    await driver.asked("where to?")
    driver.type("a draft")
    QTest.mouseClick(await option(driver, "option1"), Qt.MouseButton.LeftButton)
    await driver.until(lambda: driver.questions() == ["where to?", "By train"], "the message")
    await driver.done()
    assert driver.answers()[-1] == "All aboard."
    assert driver.draft() == "a draft"


async def test_an_option_answers_what_the_agent_asks(open_window: Open) -> None:
    driver = await open_window(ASKS, {"content": "All aboard."})
    driver.chooses_mode("react")
    driver.ask("where to?")
    await driver.until(lambda: driver.window.findChild(QuestionCard), "the question")
    button = await option(driver, "option2")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    await driver.done()
    assert driver.questions() == ["where to?"]
    notes = [
        p.text for row in driver.rows() if isinstance(row, AssistantRow) for p in row.parts if isinstance(p, NotePart)
    ]
    assert "You: By car" in notes
