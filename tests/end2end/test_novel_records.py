"""What a model proposes to note of a chapter is taken or left by buttons, and the graph of the characters is drawn."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from tests.domains.novel.rig import Desk
from tests.ui import screen

from .conftest import Driver, Open
from .test_page import opened

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")
_PROPOSED = {
    "summary": "船靠岸，雨停。",
    "facts": [{"subject": "船", "attribute": "状态", "value": "靠岸", "quote": "船靠了岸"}],
    "foreshadows": [{"title": "桨声", "note": "远处"}],
}


async def test_proposals_are_settled_by_buttons_and_by_keys(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path)
    driver = await open_window(
        {"tool_calls": [{"name": "propose_records", "arguments": {"chapter_id": "2"}}]},
        {"content": json.dumps(_PROPOSED, ensure_ascii=False)},
        {"content": "请过目。"},
    )
    await opened(driver, desk, monkeypatch)
    driver.chooses_mode("react")
    await driver.asked("记下第二章")
    await driver.until(lambda: _buttons(driver, "采用 1"), "the proposals")
    _shot(driver, "records")
    words = " ".join(one.text() for one in driver.all_of(QLabel))
    assert "桨声 (" in words
    assert "planted" not in words, "the state of a foreshadow in the language of the conversation"
    screen.click(_buttons(driver, "采用 1")[0])
    await driver.until(lambda: desk.book().book.chapters[1].summary == "船靠岸，雨停。", "the summary")
    await driver.until(lambda: not driver.is_running() and not _buttons(driver, "采用 1"), "the card renewed")
    await driver.until(lambda: _buttons(driver, "采用 2") and _buttons(driver, "采用 2")[0].isEnabled(), "the next one")
    second = _buttons(driver, "采用 2")[0]
    second.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(second, Qt.Key.Key_Space)
    await driver.until(lambda: [one.value for one in desk.book().book.facts] == ["靠岸"], "the fact")
    await driver.until(lambda: not driver.is_running() and not _buttons(driver, "采用 2"), "the card renewed")
    await driver.until(lambda: _buttons(driver, "不要 3") and _buttons(driver, "不要 3")[0].isEnabled(), "the last one")
    screen.click(_buttons(driver, "不要 3")[0])
    await driver.until(lambda: not _buttons(driver, "不要 3"), "nothing is open")
    assert [one.title for one in desk.book().book.foreshadows] == ["断剑"]
    _shot(driver, "settled")


def _buttons(driver: Driver, text: str) -> list[QPushButton]:
    return [one for one in driver.all_of(QPushButton) if one.text() == text and one.isVisible()]


def _shot(driver: Driver, name: str) -> None:
    if place := os.environ.get("SHOTS"):
        driver.desk.window.grab().save(f"{place}/{name}.png")
