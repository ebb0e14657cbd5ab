"""The budgets of a session and of a day, in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.core.profile import Budget
from app.ui.chat.rows.items import NotePart
from app.ui.main_window.session.bars.budget_card import BudgetCard

from .conftest import Driver, Open

ANSWER = {"content": "It is 42.", "usage": {"input": 1_500, "output": 0}}


async def used_up(open_window: Open, **budgets: Budget) -> Driver:
    """One answer is there, and with it the budget is gone; the second question waits."""
    driver = await open_window(ANSWER)
    services = driver.services
    assert services is not None
    await services.settings.save_preferences(services.settings.preferences.model_copy(update=budgets))
    driver.chooses_mode("direct")
    await driver.asked("what is 6*7?")
    driver.ask("and again?")
    await driver.until(lambda: shown(driver), "the card")
    return driver


def shown(driver: Driver) -> BudgetCard | None:
    return next((card for card in driver.window.findChildren(BudgetCard) if not card.isHidden()), None)


def words(card: BudgetCard) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel) if label.text()]


async def test_a_session_that_is_used_up_asks_at_once_and_is_raised_for_good(open_window: Open) -> None:
    driver = await used_up(open_window, session_budget=Budget(tokens=1_000))
    card = shown(driver)
    assert card is not None
    told, holds = words(card)
    assert told.startswith("Budget of this session: 1,500 of 1,000 tokens used.")
    assert holds == "for this session"
    assert "this session" in card.accessibleName()
    assert card.field.text() == "3000", "twice of what was used"
    card.field.setText("1200")
    card.raise_button.click()
    assert shown(driver) is card, "less than was used would ask again at once"
    card.field.setText("10000")
    card.raise_button.click()
    await driver.done()
    assert driver.answers()[-1].endswith("It is 42.")
    await driver.asked("a third time?")
    assert shown(driver) is None, "the session has the new limit"


@pytest.mark.parametrize("button", ["answer_button", "stop_button"])
async def test_todays_budget_is_named_and_can_be_answered_or_stopped(open_window: Open, button: str) -> None:
    driver = await used_up(open_window, day_budget=Budget(tokens=1_000))
    card = shown(driver)
    assert card is not None
    assert words(card)[0].startswith("Today's budget: 1,500 of 1,000 tokens used.")
    assert words(card)[1] == "for today"
    notes = [part.text for part in driver.last().parts if isinstance(part, NotePart)]
    assert "Today's budget: 1,500 of 1,000 tokens used." in notes
    QTest.mouseClick(getattr(card, button), Qt.MouseButton.LeftButton)
    await driver.done()
    assert ("Stopped by you" in driver.last().stop_reason) == (button == "stop_button")
    assert shown(driver) is None
