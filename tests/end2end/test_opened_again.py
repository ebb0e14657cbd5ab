"""R01, R07: after each kill, and beside any marker file, the window opens and shows what was stored."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from app.storage.folder.paths import DataFolder
from tests.storage.test_kill import child, compare, kill_after

from .conftest import Open

MARKERS = {
    "empty": b"",
    "zeros": bytes(4_096),
    "no text": b"\xff\xfe\x80" * 20,
    "a mark of order": b'\xef\xbb\xbf{"messages": 1, "highest": 1}',
    "sixteen bits": '{"messages": 1}'.encode("utf-16"),
    "cut": b'{"format": 1, "mess',
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"a":' * 200_000,
    "beyond all numbers": b'{"messages": 1e999, "highest": 1e999}',
    "no numbers": b'{"messages": NaN, "highest": -Infinity, "clean": NaN}',
    "five thousand digits": b'{"messages": ' + b"9" * 5_000 + b', "highest": 1}',
    "negative": b'{"messages": -5, "highest": -9223372036854775808}',
    "more than there is": b'{"messages": 1000000, "highest": 1000000}',
    "lists": b'{"messages": [], "highest": {}}',
    "texts": b'{"messages": "many", "highest": "1e9", "clean": "yesterday"}',
    "nothing": b'{"messages": null, "highest": null}',
    "truth": b'{"messages": true, "highest": false, "clean": true}',
    "a list": b"[1, 2]",
    "a lone surrogate": b'{"messages": "\\ud800", "highest": 1}',
    "twenty megabytes": b'{"messages": 1, "highest": 1, "x": "' + b"x" * 20_000_000 + b'"}',
}


async def open_beside(open_window: Open, folder: Path, names: list[str]) -> None:
    driver = await open_window()
    await driver.asked("still here?")
    await driver.closes()
    for name in names:
        (folder / "marker.json").write_bytes(MARKERS[name])
        driver = await open_window(ready=False)
        await asyncio.wait_for(driver.application.ready(), 30)
        assert [row.title for row in await driver.listed()] == ["still here?"], name
        await driver.leave()


async def test_R07_a_window_opens_beside_any_marker(open_window: Open, tmp_path: Path) -> None:
    await open_beside(open_window, tmp_path / "data", ["deep lists", "beyond all numbers", "more than there is"])


@pytest.mark.soak
@pytest.mark.timeout(1_800)
async def test_R07_a_window_opens_beside_twenty_markers(open_window: Open, tmp_path: Path) -> None:
    assert len(MARKERS) == 20
    await open_beside(open_window, tmp_path / "data", list(MARKERS))


async def kill_and_open(open_window: Open, root: Path, times: int, seed: int) -> None:
    """A process that writes answers is killed; the window then shows every message it said was stored."""
    chance = random.Random(seed)
    driver = await open_window()
    await driver.closes()
    folder = DataFolder(root)
    for number in range(times):
        process = await asyncio.to_thread(child, folder, number)
        stored = await asyncio.to_thread(kill_after, process, chance.uniform(0.0, 0.3), answers=number % 2)
        driver = await open_window(ready=False)
        await asyncio.wait_for(driver.application.ready(), 60)
        await driver.desk.conversation.open(f"s{number}")
        questions = [words for words in stored if words[0] == "user"]
        assert len(driver.questions()) >= len(questions), f"after kill {number}"
        driver.picture()
        messages = await driver.services.sessions.messages(f"s{number}")
        await compare({message.id: message for message in messages}, stored)
        await driver.leave()


async def test_R01_a_window_opens_after_a_kill(open_window: Open, tmp_path: Path) -> None:
    await kill_and_open(open_window, tmp_path / "data", 2, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(7_200)
async def test_R01_a_window_opens_after_each_of_two_hundred_kills(open_window: Open, tmp_path: Path) -> None:
    await kill_and_open(open_window, tmp_path / "data", 200, seed=200)
