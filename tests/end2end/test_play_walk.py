"""A guardian's evening at the window: consent, an observation, a game, playing it by its card, review, print, all gone.

By the buttons of the cards; the model only opens the form, keeps the observation and ends with the plan of the game.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton

from app.ui.cards import CardFrame
from app.ui.cards.activity import ActivityBody
from app.ui.cards.form import FormBody
from app.ui.dialogs.approvals.approval import ApprovalCard
from app.ui.main_window.session.bars.timer_strip import TimerStrip
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks
from tests.ui import screen

from .conftest import Driver, Open

PLAN: Mapping[str, Any] = {
    "title": "Rolling talk", "summary": "A big soft ball goes back and forth.", "goal": "three turns in a row",
    "target_capacities": [3], "target_dimensions": ["motor"], "strategy": "leverage", "age_range_months": [24, 96],
    "duration_min": 15, "environment": "indoor",
    "materials": [{"name": "a soft ball larger than a head", "household_alternative": "a rolled-up blanket"}],
    "preparation": ["Clear the floor."],
    "steps": [
        {
            "title": "Sit", "instruction": "Sit face to face on the floor and show the ball.", "minutes": 2,
            "say_examples": ["Here comes the ball"], "watch_for": ["a look at the ball"],
            "if_refuses": "Roll it yourself and wait.", "easier": "Sit side by side.", "harder": "Sit further apart.",
        },
        {"title": "Roll", "instruction": "Roll the ball slowly and wait with open hands.", "say_examples": ["To you"]},
        {"title": "Copy", "instruction": "Copy the way the child sends it back."},
        {"title": "Goodbye", "instruction": "Roll it behind the sofa and wave."},
    ],
    "calm_down_plan": "Sit close and breathe slowly.", "safety_notes": ["Nothing hard within an arm's length."],
    "stop_signs": ["turns away", "covers the ears"], "ending_ritual": "Wave to the ball.",
    "evidence": [{"id": "a04", "why": "turns are what is being practised"}],
    "review_questions": ["What made you both smile?", "How many turns?", "What next?"],
}  # fmt: skip
SEEN = {
    "text": "Pushed the ball back twice and laughed",
    "matches": [{"dimension": "motor", "weight": 0.9, "intensity": 0.9}],
}


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": args}]}


SHOTS = os.environ.get("PLAY_SHOTS", "")


def shot(driver: Driver, name: str) -> None:
    if SHOTS:
        driver.picture().save(f"{SHOTS}/{name}.png")


def button(driver: Driver, name: str) -> QPushButton:
    found = [one for one in driver.window.findChildren(QPushButton, name) if one.isVisible()]
    assert found, f"no {name} on the screen"
    return found[-1]


async def press(driver: Driver, name: str, then: str) -> None:
    """By the mouse, scrolled to where it is; `then` is what is on the screen afterwards."""
    target = button(driver, name)
    bar = driver.desk.chat.list.verticalScrollBar()
    for place in range(0, bar.maximum() + 200, 200):
        if screen.why_not(target) == "":
            break
        bar.setValue(bar.maximum() - place)
    screen.click(target)
    await driver.until(lambda: not driver.is_running() and then in shown(driver), f"{name} → {then}")
    await driver.done()


def shown(driver: Driver) -> str:
    """What can be read on the cards of the conversation."""
    labels = [label for card in driver.window.findChildren(CardFrame) for label in card.findChildren(QLabel)]
    return "\n".join(label.text() for label in labels if label.isVisible())


async def allowed(driver: Driver, text: str) -> None:
    """Asked, and the question of the program whether it may write answered with yes."""
    await driver.begun(text)
    while driver.is_running():
        for card in driver.all_of(ApprovalCard):
            if card.allow_once.isEnabled():
                screen.click(card.allow_once)
        await asyncio.sleep(0.01)
    await driver.done()


TURNS = [
    call("open_child_profile"), {"content": "Fill in the form."},
    call("record_observation", **SEEN), {"content": "Kept."},
    {"content": f"Here it is.\n```json\n{json.dumps(PLAN)}\n```"}, {"content": '{"unsafe": []}'},
]  # fmt: skip


async def test_an_evening_from_consent_to_delete_all(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FaultServer(speaks(TURNS)) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        driver = await open_window(agent="play", model="env/test-model")
        await evening(driver, tmp_path)


async def evening(driver: Driver, tmp_path: Path) -> None:
    driver.chooses_mode("react")
    shot(driver, "00_first")
    await driver.asked("set up the profile")
    await driver.until(lambda: driver.all_of(FormBody), "the form")
    form = driver.one(FormBody)
    for name, text in {
        "nickname": "Bean",
        "birth_month": "2023-05",
        "guardian": "mother",
        "medical_cautions": "seizures",
    }.items():
        (field,) = form.findChildren(QLineEdit, f"formField.{name}")
        field.setText(text)
    (hearing,) = form.findChildren(QComboBox, "formField.sensory.auditory")
    hearing.setCurrentIndex(hearing.findData("avoids"))
    form.findChildren(QLineEdit, "formField.play_space")[0].setText("a rug in the living room")
    shot(driver, "01_form")
    (consent,) = form.findChildren(QCheckBox, "formField.consents")
    consent.setChecked(True)
    await press(driver, "cardAction.save", "years")
    shot(driver, "02_profile")
    profile = (await driver.services.tools.call("get_child_profile", {}, "play")).data
    assert (profile["sensory"], profile["play_space"]) == ({"auditory": "avoids"}, "a rug in the living room")
    assert profile["medical_cautions"] == ["seizures"]
    await allowed(driver, "Bean pushed the ball back twice")
    shot(driver, "03_observation")
    await allowed(driver, "a game for tonight")

    await driver.until(lambda: driver.all_of(ActivityBody), "the game")
    shot(driver, "04_game")
    await press(driver, "cardAction.start", "/ 15:00")
    shot(driver, "05_playing")
    await press(driver, "activityNextButton", "Step 2 of 4")
    await press(driver, "cardAction.circle", "Circles 1")
    assert "Step 2 of 4" in shown(driver)
    driver.resize(420, 700)
    await asyncio.sleep(0.3)
    shot(driver, "06_small")
    (strip,) = driver.window.findChildren(TimerStrip)
    driver.desk.chat.list.verticalScrollBar().setValue(0)
    await driver.until(strip.isVisible, "the strip")
    shot(driver, "07_strip")
    assert "turns away" in strip.words.full_text()
    clocks = [one for one in driver.all_of(QLabel) if one.objectName() == "activityTime" and screen.why_not(one) == ""]
    assert strip.time.isVisible() is not bool(clocks), "the time stands on the screen once"
    screen.click(strip.button)
    await driver.until(lambda: not strip.isVisible(), "the card in sight")
    shot(driver, "08_back")
    driver.resize(1280, 820)
    await press(driver, "cardAction.finish", "How was it?")
    shot(driver, "09_review")
    (box,) = driver.one(FormBody).findChildren(QComboBox, "formField.engagement")
    box.setCurrentIndex(box.findData("75"))
    await press(driver, "cardAction.save", "75 / 100")
    shot(driver, "10_reviewed")
    await press(driver, "cardAction.again", "Rolling talk")
    await press(driver, "cardAction.print", "one page")
    shot(driver, "11_printed")
    (pdf,) = (tmp_path / "data").rglob("*.pdf")
    document = pypdfium2.PdfDocument(await asyncio.to_thread(pdf.read_bytes))
    page = document[0].get_textpage().get_text_range()
    assert len(document) == 1
    assert [words for words in ("turns away", "Copy the way", "no treatment", "2–8 years") if words not in page] == []
