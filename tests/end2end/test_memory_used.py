"""What was used from memory stands on the answer, opens the facts it means, and is off with the agent's switch."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.ui.chat.rows.notices import NoticeCard
from app.ui.dialogs.agents.agent_settings import AgentsPage
from app.ui.dialogs.knowledge.page import KnowledgePage
from tests.end2end.conftest import Driver, Open

LINK = "Memory ›"


def shown(kind: type[Any]) -> list[Any]:
    return [widget for widget in QApplication.allWidgets() if isinstance(widget, kind) and widget.isVisible()]


def link(driver: Driver) -> list[QPushButton]:
    cards = driver.all_of(NoticeCard)
    return [button for card in cards for button in card.findChildren(QPushButton) if button.text() == LINK]


def facts_seen(page: KnowledgePage) -> list[str]:
    table = page.facts.table
    rows = [row for row in range(table.rowCount()) if not table.isRowHidden(row)]
    return [item.text() for row in rows if (item := table.item(row, 1)) is not None]


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


async def test_K1_what_was_used_from_memory_is_on_the_answer_and_opens_the_facts(open_window: Open) -> None:
    driver = await open_window({"content": "Rice, then."})
    services: Any = driver.services
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"memory": True}))
    await services.memory.add("assistant", "is allergic to nuts and shellfish")
    await services.memory.add("assistant", "drives a red bicycle to work")
    await driver.asked("Which dinner is good with my allergic reaction to nuts?")
    await driver.until(lambda: link(driver), "the line on the answer")
    (card,) = driver.all_of(NoticeCard)
    words = " ".join(label.full_text() for label in card.findChildren(QWidget) if hasattr(label, "full_text"))
    assert "Used from memory: is allergic to nuts and shellfish" in words
    assert "bicycle" not in words

    click(link(driver)[0])
    await driver.until(lambda: shown(KnowledgePage), "the page of the memory")
    (page,) = shown(KnowledgePage)
    await driver.until(lambda: facts_seen(page) == ["is allergic to nuts and shellfish"], "the fact that was used")
    click(page.facts.all_button)
    assert len(facts_seen(page)) == 2
    assert not page.facts.all_button.isVisible()

    driver.desk.settings.show("agents", "assistant")
    await driver.until(lambda: shown(AgentsPage), "the page of the agent")
    (agents,) = shown(AgentsPage)
    switch = agents.form.editor("memory").control
    agents.reveal(switch)
    assert switch.isChecked()
    click(switch)
    await driver.until(lambda: not services.settings.profile("assistant").memory, "it is off")
    await driver.asked("And which breakfast is good with my allergic reaction to nuts?")
    await driver.done()
    assert len(link(driver)) == 1, "the first answer keeps its line, the second has none"
