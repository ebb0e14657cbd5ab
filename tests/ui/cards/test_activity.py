"""The game card in a living room: one step at a time, safety and stop signs in sight at each, buttons for a thumb."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.system.clock import Clock
from app.ui.cards import CardFrame, make_card
from app.ui.cards.parts.timers import Timers
from app.ui.theme import Theme

STEPS = [
    {"title": "Sit", "text": "Sit face to face.", "say": ["Here we go"], "watch": [], "easier": "Sit side by side."},
    {"title": "Roll", "text": "Roll the ball.", "say": [], "watch": ["a reach"]},
]
GAME: dict[str, Any] = {
    "title": "Rolling talk", "summary": "a ball", "goal": "three turns", "minutes": 15, "steps": STEPS,
    "materials": [{"name": "a big ball"}], "preparation": [], "stop_signs": ["turns away"],
    "safety": ["clear the floor"], "calm_down": "breathe", "ending": "wave", "evidence": [], "questions": [],
    "findings": [], "labels": {"easier": "Easier", "disclaimer": "no treatment"},
}  # fmt: skip


def test_safety_and_stop_signs_are_seen_at_every_step_and_buttons_are_large(qtbot: QtBot) -> None:
    theme = Theme("light")
    card = make_card({"card": "activity", "payload": GAME, "role": "answer", "summary": "a ball"}, theme)
    assert card is not None
    qtbot.addWidget(card)
    card.resize(360, 700)
    card.show()

    def shown() -> str:
        return "\n".join(one.text() for one in card.findChildren(QLabel) if one.isVisibleTo(card))

    def press(name: str) -> None:
        (button,) = (one for one in card.findChildren(QPushButton) if one.objectName() == name)
        assert button.minimumHeight() >= theme.space(5.5)
        button.click()

    always = ("clear the floor", "turns away", "breathe", "no treatment")
    assert [words for words in (*always, "Sit face to face.", "Here we go") if words not in shown()] == []
    assert "Roll the ball." not in shown()
    press("activityEasierButton")
    qtbot.waitUntil(lambda: "Sit side by side." in shown())
    press("activityNextButton")
    qtbot.waitUntil(lambda: "Roll the ball." in shown())
    assert [words for words in (*always, "a reach") if words not in shown()] == []
    assert "Sit" not in shown().replace("Sit side", "")


def test_the_time_and_the_step_outlive_the_card(qtbot: QtBot) -> None:
    """Each button of a card builds the row anew; a running game is at its step and its second again."""

    class Watch(Clock):
        time = 1_000.0

        def now(self) -> float:
            return self.time

    theme, watch, home = Theme("light"), Watch(), QWidget()
    qtbot.addWidget(home)
    timers = Timers(home, watch)
    running = {"id": "s1", "spent": 30, "since": 1_000.0, "planned": 900}

    def built(timer: dict[str, Any]) -> CardFrame:
        card = make_card(
            {"card": "activity", "payload": {**GAME, "id": "s1", "timer": timer}, "role": "answer"},
            theme,
            timers=timers,
        )
        assert card is not None
        qtbot.addWidget(card)
        card.show()
        return card

    def texts(card: CardFrame) -> str:
        return "\n".join(one.text() for one in card.findChildren(QLabel) if one.isVisibleTo(card))

    first = built(running)
    first.findChildren(QPushButton, "activityNextButton")[0].click()
    watch.time = 1_065.0
    again = built(running)
    assert "1:35 / 15:00" in texts(again)
    assert "Step 2 of 2" in texts(again)
    assert again.body.values() == {"steps_done": [1, 2]}  # type: ignore[attr-defined]
    assert timers.shown is not None
    assert "turns away" in timers.shown.sentence
    built({**running, "ended": True})
    assert timers.shown is None
    built(running)
    assert timers.shown is None, "an old card does not bring back what has ended"
