"""The plan of a chapter in the plan card: seen, changed, started, written step by step, and put into the book."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from app.ui.main_window.session.bars.folder_bar import FolderBar
from app.ui.page import PagePane
from app.ui.plan.view import PlanView
from tests.domains.novel.rig import Desk
from tests.domains.novel.studio import calls
from tests.ui import screen

from .conftest import Driver, Open

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")
STEPS = [
    {"title": "渡口", "content": "林舟在渡口遇见苏晚", "goal_words": 100},
    {"title": "江心", "content": "船在江心漏水", "goal_words": 100},
    {"title": "上岸", "content": "两人上岸", "goal_words": 100},
]
PLAN = {"goal": "过江", "chapter_id": "3", "target_words": 300, "steps": STEPS, "ending_hook": "岸上有人"}


def shot(driver: Driver, name: str) -> None:
    if place := os.environ.get("SHOTS"):
        driver.picture().save(f"{place}/{name}.png")


async def test_a_chapter_is_planned_and_written_from_the_plan_card(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path)
    driver = await open_window(
        calls(("latest_content_get", {"chapter_id": "3"}), ("get_character_info", {"name": "小林"})),
        calls(("submit_plan", PLAN)),
        *({"content": text} for text in ("江上起了雾，林舟在渡口等船。", "船到江心漏水了。", "两人游上了岸。")),
    )
    driver.resize(1500, 950)
    driver.desk.conversation.choices.choose_agent("novel")
    await driver.until(lambda: driver.all_of(FolderBar), "the bar")
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: dialog.fileSelected.emit(str(desk.root)))
    screen.click(driver.one(FolderBar).button)
    await driver.until(lambda: driver.all_of(PagePane), "the page")
    driver.chooses_mode("react")
    driver.ask("为第三章做一个计划")
    view: PlanView = driver.desk.conversation.run.plan
    await driver.until(lambda: not screen.why_not(view.run_button), "the plan that waits")
    shot(driver, "plan-waits")
    details = [row.line.facts.detail for row in view.steps.rows.values()]
    assert len(details) == 3
    assert "100" in details[0]
    assert "渡口" in details[0]

    screen.click(view.footer.change)
    line = view.steps.rows[2].line
    await driver.until(lambda: not screen.why_not(line), "the line of the second step")
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    await driver.until(lambda: len(view.steps.rows) == 2 and not screen.why_not(view.run_button), "two steps")
    screen.click(view.run_button)
    await driver.done()
    await driver.until(lambda: buttons(driver, "Put it into 转"), "the draft with its buttons")
    shot(driver, "plan-written")
    [draft] = (desk.root / "versions" / "ch-0003").glob("*.md")
    assert "江上起了雾，林舟在渡口等船。\n船到江心漏水了。" in draft.read_text(encoding="utf-8"), "two steps, one text"
    assert desk.book().book.chapters[2].text == ""
    screen.click(buttons(driver, "Put it into 转")[0])
    await driver.until(lambda: desk.book().book.chapters[2].text.startswith("江上起了雾"), "the chapter")
    await driver.done()
    shot(driver, "plan-accepted")


def buttons(driver: Driver, text: str) -> list[QPushButton]:
    return [one for one in driver.all_of(QPushButton) if one.text() == text and not screen.why_not(one)]
