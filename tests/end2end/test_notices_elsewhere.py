"""A run that needs the person while they look elsewhere: told in the window or by the desktop, and found again."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from .conftest import Driver, Open
from .test_messages import act
from .test_questions import CALL, card_of, change


async def asking_elsewhere(open_window: Open) -> tuple[Driver, str]:
    """A run of a session that is not open any more waits for an approval; its id."""
    driver = await open_window(CALL, {"content": "It is 42."})
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.ask("what is 6*7?")
    await driver.until(lambda: driver.desk.conversation.row, "a session")
    session = driver.session
    driver.command("new")
    return driver, session


def in_front(driver: Driver, monkeypatch: pytest.MonkeyPatch, *, yes: bool) -> None:
    monkeypatch.setattr(driver.window, "isActiveWindow", lambda: yes)


async def test_another_session_that_asks_is_told_and_one_click_leads_to_its_card(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, session = await asking_elsewhere(open_window)
    in_front(driver, monkeypatch, yes=True)
    await driver.until(driver.notice, "the line in the window")
    assert driver.notice() == "what is 6*7?: asks before a tool runs"
    driver.presses_notice()
    await driver.until(lambda: card_of(driver), "the card")
    card = card_of(driver)
    assert card is not None
    assert driver.session == session
    await driver.until(card.allow_once.hasFocus, "the focus at Allow once")
    QTest.keyClick(card.deny, Qt.Key.Key_Space)
    QTest.keyClick(card.refusal.field, Qt.Key.Key_Return)
    await driver.done()
    await driver.until(driver.is_in_composer, "the focus back in the composer")


async def test_behind_other_windows_the_desktop_tells_and_leads_back(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, str]] = []
    driver, session = await asking_elsewhere(open_window)
    in_front(driver, monkeypatch, yes=False)
    monkeypatch.setattr(driver.desk.notifier._desktop, "show", lambda *words: told.append(words))
    await driver.until(lambda: told, "the message of the desktop")
    assert told == [("what is 6*7?", "asks before a tool runs")]
    driver.desk.notifier._desktop.clicked.emit()
    await driver.until(lambda: card_of(driver), "the card")
    assert driver.session == session
    driver.command("stop")
    await driver.done()


async def test_who_does_not_want_it_is_told_nothing(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, session = await asking_elsewhere(open_window)
    told: list[Any] = []
    in_front(driver, monkeypatch, yes=False)
    monkeypatch.setattr(driver.desk.notifier._desktop, "show", lambda *words: told.append(words))
    settings = driver.services.settings
    await settings.save_preferences(settings.preferences.model_copy(update={"notifications": False}))
    await driver.desk.conversation.open(session)
    await driver.until(lambda: card_of(driver), "the card")
    assert told == []
    assert driver.notice() == ""
    driver.command("stop")
    await driver.done()


async def test_what_waits_in_another_session_is_reached_by_the_same_key(open_window: Open) -> None:
    driver, session = await asking_elsewhere(open_window)
    await driver.until(driver.desk.notifier.waiting, "the question to be known")
    driver.command("card")
    await driver.until(lambda: (card := card_of(driver)) and card.allow_once.hasFocus(), "the focus at Allow once")
    assert driver.session == session
    driver.command("stop")  # from the card to the composer
    driver.command("stop")  # from there it stops the run
    await driver.done()
    await driver.until(lambda: driver.desk.notifier.waiting() == "", "nothing to wait for any more")


async def test_what_waits_is_reached_by_a_key(open_window: Open) -> None:
    driver = await open_window(CALL, {"content": "It is 42."})
    await change(driver, tools={"calculator": "ask"})
    driver.chooses_mode("react")
    driver.command("card")  # nothing waits: nothing happens
    driver.ask("what is 6*7?")
    await driver.until(lambda: card_of(driver), "the card")
    card = card_of(driver)
    assert card is not None
    assert not card.isAncestorOf(driver.focused())  # it does not take the focus from who types
    await driver.until(card.allow_once.isEnabled, "the card to listen")
    driver.command("card")
    assert card.allow_once.hasFocus()
    driver.command("stop")  # from the card to the composer
    driver.command("stop")  # from there it stops the run
    await driver.done()


async def test_what_was_told_of_one_session_does_not_stand_above_another(open_window: Open) -> None:
    driver = await open_window({"content": "yes"})
    await driver.asked("first")
    act(driver, driver.last().id, "Delete this message")
    await driver.until(lambda: driver.notice() == "The message was deleted.", "the deletion")
    driver.command("new")
    assert driver.notice() == ""
