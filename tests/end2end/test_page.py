"""The manuscript beside the chat, driven as the author does: typed, rewritten, written live, changed outside."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from app.ui.chat.rows.items import TextPart
from app.ui.dialogs import ApprovalCard
from app.ui.main_window.session.bars.folder_bar import FolderBar
from app.ui.page import PagePane
from tests.domains.novel.rig import Desk
from tests.ui import screen

from .conftest import Driver, Open

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")


def shot(driver: Driver, name: str) -> None:
    if place := os.environ.get("SHOTS"):
        driver.one(PagePane).window().grab().save(f"{place}/{name}.png")


async def opened(driver: Driver, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> PagePane:
    driver.desk.conversation.choices.choose_agent("novel")
    await driver.until(lambda: driver.all_of(FolderBar), "the bar")
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: dialog.fileSelected.emit(str(desk.root)))
    screen.click(driver.one(FolderBar).button)
    await driver.until(lambda: driver.all_of(PagePane) and driver.one(PagePane).editor.text(), "the page")
    return driver.one(PagePane)


async def test_what_is_typed_is_in_the_file_and_the_old_text_is_a_version(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path)
    driver = await open_window({"content": "雨早就停了，石板还湿着。"})
    page = await opened(driver, desk, monkeypatch)
    shot(driver, "opened")
    assert page.editor.text() == "船靠了岸。\n雨停了。", "the last chapter that has text"
    page.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(page.editor, "abc")
    file = desk.root / "chapters" / "ch-0002.md"
    await driver.until(lambda: "雨停了。abc" in file.read_text(encoding="utf-8"), "the file")
    versions = list((desk.root / "versions" / "ch-0002").glob("*.md"))
    assert [one.read_text(encoding="utf-8").endswith("船靠了岸。\n雨停了。") for one in versions] == [True]
    shot(driver, "typed")

    # A passage is rewritten as a change to accept.
    assert page.editor.go_to("雨停了")
    rewrite = page.passages.buttons["rewrite"]
    screen.click(rewrite)
    shot(driver, "selected")
    QTest.keyClicks(page.passages.wish, "slower")
    QTest.keyClick(page.passages.wish, Qt.Key.Key_Return)
    await driver.until(lambda: page.tabs.tabText(1) == "Draft", "the change that waits")
    assert "abc" in file.read_text(encoding="utf-8")
    page.tabs.setCurrentIndex(1)
    await driver.until(lambda: accepts(page), "its card")
    shot(driver, "diff")
    screen.click(accepts(page)[0])
    await driver.until(lambda: "雨早就停了" in file.read_text(encoding="utf-8"), "the accepted change")
    await driver.until(lambda: "雨早就停了" in page.editor.text(), "the page follows")

    # Another program writes the file.
    text = file.read_text(encoding="utf-8")
    page.editor.moveCursor(QTextCursor.MoveOperation.End)
    place = page.editor.textCursor().position()
    file.write_text(text.replace("船靠了岸", "船没有靠岸"), encoding="utf-8")
    await driver.until(lambda: "船没有靠岸" in page.editor.text(), "read again")
    assert page.editor.textCursor().position() == place, "typing goes on where it was"
    assert page.remark.text()
    shot(driver, "outside")


PLAN = {
    "goal": "过江", "chapter_id": "3", "target_words": 300,
    "steps": [
        {"title": "一", "content": "林舟在渡口遇见苏晚", "goal_words": 100},
        {"title": "二", "content": "船在江心漏水", "goal_words": 100},
        {"title": "三", "content": "上岸", "goal_words": 100},
    ],
}  # fmt: skip


async def test_a_chapter_is_written_live_stopped_and_waits_as_a_draft(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path)
    plan = (await desk.call("submit_plan", **PLAN)).data["plan_id"]
    first = "江上起了雾，林舟在渡口等船，苏晚从雾里走来。"
    driver = await open_window(
        {"tool_calls": [{"name": "write_chapter", "arguments": {"plan_id": plan}}]},
        {"content": first},
        {"chunks": ["船到江心", "漏水了。"] * 200, "delay": 0.02},
    )
    page = await opened(driver, desk, monkeypatch)
    driver.chooses_mode("react")
    driver.ask("写吧")
    await driver.until(lambda: driver.all_of(ApprovalCard), "a card")
    card = driver.one(ApprovalCard)
    await driver.until(card.allow_once.isEnabled, "a card that listens")
    screen.click(card.allow_once)
    await driver.until(lambda: "漏水了" in page.editor.text(), "the second step, live")
    shot(driver, "live")
    assert page.editor.text().startswith(first)
    assert page.editor.isReadOnly()
    shown = [part.text for part in driver.last().parts if isinstance(part, TextPart)]
    assert shown, "the chat shows it too"
    assert shown[-1].startswith(first)
    screen.click(page.stop)
    await driver.done()
    await driver.until(lambda: page.tabs.tabText(1) == "Draft, not finished", "the partial draft")
    await driver.until(lambda: visible(page, "Go on writing"), "its card")
    [draft] = (desk.root / "versions" / "ch-0003").glob("*.md")
    assert first in draft.read_text(encoding="utf-8")
    assert desk.book().book.chapters[2].text == ""
    shot(driver, "stopped")

    # From a board to the place in the text.
    boards = [page.tabs.tabText(place) for place in range(page.tabs.count())]
    page.tabs.setCurrentIndex(boards.index("Foreshadows"))
    await driver.until(lambda: not visible(page, "Go on writing") and links(page), "the foreshadow with its way")
    screen.click(links(page)[0])
    await driver.until(lambda: page.editor.text().startswith("他走了"), "the chapter it was planted in")
    screen.click(page.focus_button)
    shot(driver, "alone")
    assert not driver.all_of(FolderBar), "nothing but the text"
    QTest.keyClick(page.editor, Qt.Key.Key_Escape)
    assert driver.all_of(FolderBar)
    page.window().resize(420, 800)
    await driver.until(lambda: not screen.why_not(page.close_button), "the narrow page")
    shot(driver, "narrow")
    screen.click(page.close_button)
    assert driver.all_of(FolderBar)


def links(page: PagePane) -> list[QPushButton]:
    return visible(page, "Go to it")


def accepts(page: PagePane) -> list[QPushButton]:
    return [
        one for one in page.findChildren(QPushButton) if one.text() in ("Accept all", "全部接受") and one.isVisible()
    ]


def visible(page: PagePane, text: str) -> list[QPushButton]:
    return [one for one in page.findChildren(QPushButton) if one.text() == text and one.isVisible()]
