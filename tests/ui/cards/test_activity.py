"""The game card in a living room: one step at a time, safety and stop signs in sight at each, buttons for a thumb."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.cards import make_card
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
    (timer,) = (one for one in card.findChildren(QPushButton) if one.objectName() == "activityTimerButton")
    assert "0:00 / 15:00" in timer.text()
