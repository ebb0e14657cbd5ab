"""Deltas are gathered, in order, and a slow hand-on makes the pauses longer."""

from __future__ import annotations

import time

from pytestqt.qtbot import QtBot

from app.ui.widgets.throttle import INTERVAL, Throttle
from tests.floor import least


def test_many_deltas_become_few_hand_ons(qtbot: QtBot) -> None:
    seen: list[dict[tuple[str, str], str]] = []
    throttle = Throttle()
    throttle.gathered.connect(seen.append)
    for number in range(500):
        throttle.add(("a", "t"), f"{number} ")
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [{("a", "t"): "".join(f"{number} " for number in range(500))}]


def test_a_flush_hands_on_at_once_and_only_once(qtbot: QtBot) -> None:
    seen: list[dict[tuple[str, str], str]] = []
    throttle = Throttle()
    throttle.gathered.connect(seen.append)
    throttle.add(("a", "t"), "x")
    throttle.flush()
    throttle.flush()
    qtbot.wait(80)
    assert seen == [{("a", "t"): "x"}]


def test_what_is_dropped_is_not_handed_on(qtbot: QtBot) -> None:
    seen: list[dict[tuple[str, str], str]] = []
    throttle = Throttle()
    throttle.gathered.connect(seen.append)
    throttle.add(("a", "gone"), "x")
    throttle.add(("a", "kept"), "y")
    throttle.drop(("a", "gone"))
    throttle.flush()
    assert seen == [{("a", "kept"): "y"}]


def test_a_slow_hand_on_makes_the_pause_longer(qtbot: QtBot) -> None:
    throttle = Throttle()
    throttle.gathered.connect(lambda _gathered: time.sleep(0.02))
    throttle.add(("a", "t"), "x")
    throttle.flush()
    assert throttle.pause() > 4 * INTERVAL
    quick = Throttle()

    def pause_after_a_flush() -> float:
        quick.add(("a", "t"), "x")
        quick.flush()
        return quick.pause()

    assert least(pause_after_a_flush, INTERVAL, tries=100) == INTERVAL
