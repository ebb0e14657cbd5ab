from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.core.run.event_line import Stamped
from app.core.run.events import Token
from app.ui.run_presenter.player import LONGEST_WAIT, Player

LINES = [Stamped(n, t, "r", "s", Token(1, f"w{n}")) for n, t in enumerate((0.0, 0.02, 0.04, 4_000.0))]


@pytest.fixture
def heard() -> list[int]:
    return []


@pytest.fixture
def player(qtbot: QtBot, heard: list[int]) -> Player:
    player = Player()
    player.played.connect(lambda line: heard.append(line.seq))
    player.load(LINES)
    return player


def test_it_stands_still_until_it_is_told_and_steps_one_by_one(player: Player, heard: list[int]) -> None:
    assert (player.place, player.is_playing, heard) == (0, False, [])
    player.step()
    player.step()
    assert heard == [0, 1]
    player.to_end()
    assert heard == [0, 1, 2, 3]
    assert player.is_over
    player.step()
    player.play()
    assert heard == [0, 1, 2, 3]
    assert not player.is_playing


def test_waits_are_those_of_the_run_shorter_when_faster_and_never_long(player: Player) -> None:
    player.step()
    assert player.wait_ms() == 20
    player.set_speed(4.0)
    assert player.wait_ms() == 5
    player.step()
    player.step()
    assert player.wait_ms() == LONGEST_WAIT * 1_000 / 4


def test_it_plays_by_itself_until_it_is_held(player: Player, heard: list[int], qtbot: QtBot) -> None:
    player.play()
    qtbot.waitUntil(lambda: player.place == 3)
    assert player.is_playing
    player.pause()
    assert not player.is_playing
    assert heard == [0, 1, 2]
    player.load(LINES)
    assert player.place == 0
