"""Memory in the window: what the agent would remember is offered, kept or not by clicks, and seen when it is used."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton

from app.ui.chat.rows.items import NotePart
from tests.end2end.conftest import Driver, Open


def button(driver: Driver, text: str) -> QPushButton:
    (one,) = [b for b in driver.all_of(QPushButton) if b.text() == text]
    return one


def field(driver: Driver, name: str) -> list[QLineEdit]:
    return [f for f in driver.all_of(QLineEdit) if f.accessibleName() == name]


async def test_K1_a_fact_is_offered_corrected_kept_and_used(open_window: Open) -> None:
    driver = await open_window({"content": "Noted."})
    services: Any = driver.services
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"memory": True}))
    await driver.asked("I'm allergic to nuts. I like tea.")
    await driver.until(lambda: field(driver, "The fact, as it is remembered"), "the offer to remember")
    (typed,) = field(driver, "The fact, as it is remembered")
    assert typed.text() == "I'm allergic to nuts"
    typed.setFocus()
    typed.end(False)
    QTest.keyClicks(typed, " and shellfish")
    QTest.mouseClick(button(driver, "Remember"), Qt.MouseButton.LeftButton)
    await driver.until(lambda: typed.text() == "I like tea", "the next offer")
    QTest.mouseClick(button(driver, "No"), Qt.MouseButton.LeftButton)
    await driver.until(lambda: not typed.isVisible(), "nothing more to offer")
    facts = {fact.text: fact.state for fact in await services.memory.facts("assistant")}
    assert facts == {"I'm allergic to nuts and shellfish": "kept", "I like tea": "rejected"}
    await driver.asked("What can I eat tonight?")
    notes = [part.text for part in driver.last().parts if isinstance(part, NotePart)]
    assert any("allergic to nuts and shellfish" in note for note in notes), notes
