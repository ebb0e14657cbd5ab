"""One walk through the window, offline: a wish, a plan, a changed day, a check mended by a button, a calendar file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from icalendar import Calendar
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.storage.stores.documents import Documents
from app.ui.cards import CardFrame
from app.ui.chat.rows.items import PlanCardPart, ToolPart
from app.ui.chat.rows.understood_chips import Chip
from tests.ui import screen

from .conftest import Driver, Open
from .test_questions import card_of


def cards(driver: Driver, name: str) -> list[CardFrame]:
    return [frame for frame in driver.window.findChildren(CardFrame) if frame.accessibleName() == name]


def tools(driver: Driver) -> list[str]:
    return [part.name for part in driver.last().parts if isinstance(part, ToolPart)]


async def answered(driver: Driver, text: str = "") -> None:
    """Ask, and wait for the whole answer; a plan of seven tools takes a while on a busy machine."""
    before = len(driver.answers())
    if text:
        driver.ask(text)
    await driver.until(lambda: len(driver.answers()) > before, "an answer row")
    await driver.until(lambda: not driver.is_running(), "the end of the run")
    await driver.done()


async def allowed(driver: Driver, text: str) -> None:
    """Ask for something that needs leave, and give it."""
    driver.ask(text)
    await driver.until(lambda: card_of(driver), "the approval card")
    card = card_of(driver)
    assert card is not None
    await driver.until(card.allow_once.isEnabled, "the card to listen")
    card.allow_once.click()
    await driver.until(lambda: not driver.is_running(), "the end of the run")
    await driver.done()


async def test_from_a_wish_to_a_calendar_that_others_can_read(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window(agent="travel", model="offline/rules")
    services = driver.services
    assert services is not None
    trips = Documents(services.database)

    await answered(driver, "Plan 3 days in Shanghai for 2 adults")
    assert driver.last().mode_reason == "Plan – matched: plan, 3 days"
    assert {"generate_route", "calculate_budget", "check_itinerary"} <= set(tools(driver))
    assert driver.answers()[-1].startswith("**Shanghai, 3 days**")
    assert cards(driver, "Shanghai, 3 days")
    assert await trips.list("trip") == []

    # A day is changed by a sentence; what the check finds comes first and carries its remedy.
    await answered(driver, "add Tianzifang to day 1")
    assert driver.answers()[-1].startswith("> **The check found a problem**")
    before = await trips.list("trip")
    button = next(b for frame in cards(driver, "Check of the plan") for b in frame.findChildren(QPushButton))
    assert button.text() == "Fix it"
    button.click()
    await driver.until(lambda: not driver.is_running(), "the end of the click")
    for _wait in range(200):
        if (await trips.list("trip"))[0].version > before[0].version:
            break
        await asyncio.sleep(0.02)
    assert (await trips.list("trip"))[0].version == before[0].version + 1, "mended at one click, without a model"
    await driver.done()
    await asyncio.sleep(0.5)

    # The file: asked for before it is written, and read by a parser that is not ours.
    assert not (tmp_path / "data" / "exports").exists()
    await allowed(driver, "leaving on 2027-03-09, export a calendar")
    (file,) = (tmp_path / "data" / "exports").iterdir()
    assert file.name in driver.answers()[-1]
    trip = (await trips.list("trip"))[0]
    days = trip.body["itinerary"]["days_list"]
    events = Calendar.from_ical(file.read_bytes()).walk("VEVENT")
    assert len(events) == sum(len(day["stops"]) for day in days)
    assert {e.decoded("DTSTART").date().isoformat() for e in events} == {"2027-03-09", "2027-03-10", "2027-03-11"}
    assert {str(e["SUMMARY"]) for e in events} == {stop["name"] for day in days for stop in day["stops"]}

    # A picture of the same plan, painted by the window.
    await allowed(driver, "export a picture")
    (picture,) = (tmp_path / "data" / "exports").glob("*.png")
    image = QImage(str(picture))
    assert image.height() > image.width() > 800


async def test_a_model_s_plan_is_worked_off_with_references_and_shown_as_cards(open_window: Open) -> None:
    """Scenario A2 through the window: a plan in a fence, four tools, then the answer."""
    steps = [
        {"step": 1, "action": "get_city_info", "params": {"city": "成都"}, "description": "城市", "needs": []},
        {"step": 2, "action": "query_attractions", "params": {"cities": ["$1.data.city.id"]}, "needs": [1]},
        {"step": 3, "action": "search_food", "params": {"city": "$1.data.city.id"}, "needs": [1]},
        {"step": 4, "action": "generate_route", "params": {"city": "$1.data.city.id", "days": 3}, "needs": [1, 2]},
    ]
    plan = json.dumps({"goal": "成都3日游", "steps": steps}, ensure_ascii=False)
    driver = await open_window({"content": f"```json\n{plan}\n```"}, {"content": "三天的安排见卡片。"}, agent="travel")
    driver.chooses_mode("plan")
    await answered(driver, "帮我规划成都三日游")
    assert sorted(tools(driver)) == sorted(str(step["action"]) for step in steps)
    assert driver.answers()[-1].endswith("三天的安排见卡片。")
    assert cards(driver, "成都3日行程")
    plan_part = next(part for part in driver.last().parts if isinstance(part, PlanCardPart))
    assert [step.state for step in plan_part.steps] == ["done"] * 4


async def test_what_was_understood_wrongly_is_corrected_at_its_chip(open_window: Open) -> None:
    driver = await open_window(agent="travel", model="offline/rules")
    await answered(driver, "How many days for Hangzhou, for two adults?")
    before = len(driver.answers())
    chip = understood(driver)["city Hangzhou"]
    await driver.until(lambda: screen.why_not(chip) == "", "the chip")
    screen.click(chip)
    await driver.until(lambda: chip.field is not None and chip.field.hasFocus(), "the field")
    assert chip.field is not None
    QTest.keyClick(chip.field, Qt.Key.Key_Escape)
    assert len(driver.answers()) == before, "nothing was asked"
    screen.click(chip)
    QTest.keyClicks(chip.field, "Suzhou")
    QTest.keyClick(chip.field, Qt.Key.Key_Return)
    await driver.until(lambda: len(driver.answers()) > before, "the next answer")
    await driver.until(lambda: not driver.is_running(), "its end")
    await driver.done()
    assert driver.questions()[-1] == "city: Suzhou"
    assert "city Suzhou" in understood(driver)


def understood(driver: Driver) -> dict[str, Chip]:
    view = driver.desk.chat.list.widget(driver.last().id)
    return {one.text(): one for one in view.findChildren(Chip)}
