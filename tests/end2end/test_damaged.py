"""Damage on the wire as a person meets it: in the window, after a restart, and on the command line."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from app.ui.chat.rows.notices import NoticeCard
from tests.end2end.conftest import Driver, Open
from tests.rigs.fault_server import Exchange, FaultServer, Scenario

DAMAGED = "The provider sent damaged data"


def damaged_first() -> Scenario:
    """The first chat is damaged after its first words; later ones are fine."""
    asked = 0

    async def scenario(exchange: Exchange) -> None:
        nonlocal asked
        asked += 1
        await exchange.head()
        await exchange.delta(content="Take two pills, " if asked == 1 else "Never mix them.")
        if asked == 1:
            await exchange.send('data: {"choices":[{"index":0,"delta":{"content":"but nev\n\n')
            await exchange.delta(content="er with wine.")
        await exchange.delta("stop")
        await exchange.done()

    return scenario


def note_on_screen(driver: Driver) -> NoticeCard:
    view = driver.desk.chat.list.widget(driver.last().id)
    assert view is not None
    (card,) = [
        card
        for card in view.findChildren(NoticeCard)
        if card.isVisible() and any(DAMAGED in label.text() for label in card.findChildren(QLabel))
    ]
    assert isinstance(card, NoticeCard)
    return card


async def test_the_window_says_that_data_was_damaged_and_regenerates(
    open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with FaultServer(damaged_first()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abc")
        driver = await open_window(model="env/test-model")
        await driver.asked("how many?")
        assert driver.answers() == ["Take two pills, "]
        assert "damaged" in driver.last().stop_reason
        note_on_screen(driver)
        services = driver.services
        assert services is not None
        (run,) = await services.runs.rows()
        assert run.state == "interrupted"
        await driver.closes()

        again = await open_window(model="env/test-model", session=run.session)
        await again.until(again.answers, "the stored answer")
        button = note_on_screen(again).findChild(QPushButton)
        assert button is not None
        assert button.text() == "Regenerate"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await again.until(lambda: again.answers() == ["Never mix them."], "the answer of the second request")
        await again.done()
    assert not again.last().stop_reason.startswith("Interrupted")


async def test_the_command_line_keeps_the_text_says_why_and_ends_with_1(tmp_path: Path) -> None:
    environ = {**os.environ, "OPENAI_API_KEY": "sk-test-0123456789abc", "OPENAI_MODEL": "m", "TRIPTYCH_LANG": "en"}
    environ.pop("TRIPTYCH_MODEL", None)
    for flags in ([], ["--events"]):
        async with FaultServer(damaged_first()) as server:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "app", "run", "--agent", "assistant", *flags, "how many?",
                env={**environ, "OPENAI_BASE_URL": server.base_url, "TRIPTYCH_DATA_DIR": str(tmp_path / "data")},
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            out, err = await process.communicate()
        assert process.returncode == 1, err.decode()
        if flags:
            lines = [json.loads(line) for line in out.splitlines()]
            assert [line["code"] for line in lines if line["type"] == "notice"] == ["damaged"]
            end = lines[-1]
            assert (end["type"], end["stop_reason"], end["answer"]) == ("loop_end", "damaged", "Take two pills, ")
        else:
            assert out.decode().strip() == "Take two pills,"
            assert "damaged data" in err.decode()
