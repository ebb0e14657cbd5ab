"""The page About: updates are asked for by its button alone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot

from app.core.system.update_feed import Feed, FeedRefused
from app.services.updates.service import UpdateState
from app.ui.dialogs.preferences.about import AboutPage
from app.ui.theme import Theme


class Updates:
    """At the seam: what the feed says, and how often it was asked."""

    def __init__(self, address: str, *answers: UpdateState | FeedRefused) -> None:
        self.address, self.answers, self.asked = address, list(answers), 0

    async def check(self) -> UpdateState:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, FeedRefused):
            raise answer
        return answer


async def test_the_button_asks_and_says_what_the_feed_said(qtbot: QtBot, tmp_path: Path) -> None:
    feed = Feed(1, "9.0.0", "2026-12-01", "https://tea.test/notes", "Leaves.", ())
    refused = FeedRefused("for the log", reason="FEED_SIGNATURE")
    updates = Updates("https://tea.test/feed", UpdateState(feed, "0.1.0", True), refused)
    tasks: list[asyncio.Task[None]] = []

    def spawn(work: Coroutine[Any, Any, None]) -> None:
        tasks.append(asyncio.ensure_future(work))

    page = AboutPage(Theme(), tmp_path, updates, spawn=spawn)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    assert updates.asked == 0
    page.check_button.click()
    await tasks.pop()
    assert page.result.full_text() == (
        "9.0.0 is there, released 2026-12-01; this is 0.1.0.\nLeaves.\nhttps://tea.test/notes"
    )
    page.check_button.click()
    await tasks.pop()
    assert "signature" in page.result.full_text()
    off = AboutPage(Theme(), tmp_path, Updates(""), spawn=spawn)  # type: ignore[arg-type]
    qtbot.addWidget(off)
    assert not off.check_button.isEnabled()
