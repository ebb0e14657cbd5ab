"""A folder picked in the window: the bar above the message field, the change in its approval, taken piece by piece."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

from app.ui.dialogs import ApprovalCard
from app.ui.main_window.session.bars.folder_bar import FolderBar
from tests.ui import screen

from .conftest import Open

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")
BEFORE = "one\ntwo\nthree\nfour\nfive\n"
AFTER = "ONE\ntwo\nthree\nfour\nFIVE\n"


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "arguments": args}]}


async def test_a_change_is_shown_and_taken_piece_by_piece(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my notes"
    folder.mkdir()
    (folder / "a.txt").write_text(BEFORE)
    (folder / "AGENTS.md").write_text("Keep the lines.")
    driver = await open_window(
        call("read_file", path="a.txt"),
        call("edit_file", path="a.txt", old=BEFORE, new=AFTER),
        call("summarise_work", done=["wrote FIVE in capitals"]),
        {"content": "Done."},
    )
    driver.desk.conversation.choices.choose_agent("workspace")
    await driver.until(lambda: driver.all_of(FolderBar), "the bar")
    bar = driver.one(FolderBar)
    assert not bar.presets.isEnabled()
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: dialog.fileSelected.emit(str(folder)))
    screen.click(bar.button)
    await driver.until(lambda: bar.button.text() == "my notes", "the folder")
    assert bar.notes.text() == "AGENTS.md"
    assert [bar.presets.itemData(n) for n in range(bar.presets.count())] == ["plan", "build", "auto"]
    assert bar.presets.chosen_id() == "build"
    driver.chooses_mode("react")
    driver.ask("put the numbers in capitals")
    await driver.until(lambda: driver.all_of(ApprovalCard), "a card")
    card = driver.one(ApprovalCard)
    assert card.preview is not None
    first, second = card.preview.boxes.values()
    assert [first.text(), second.text()] == ["Line 1", "Line 5"]
    await driver.until(card.allow_once.isEnabled, "a card that listens")
    screen.click(second)
    screen.click(first)
    assert not card.allow_once.isEnabled(), "nothing of it is taken"
    screen.click(second)
    screen.click(card.allow_once)
    await driver.done()
    assert (folder / "a.txt").read_text() == "one\ntwo\nthree\nfour\nFIVE\n"
    undo = [one for one in driver.all_of(QPushButton) if one.text() in ("Undo all of it", "全部撤销")]
    assert len(undo) == 1
    screen.click(undo[0])
    await driver.until(lambda: (folder / "a.txt").read_text() == BEFORE, "the file as it was")
    await driver.done()
    bar.presets.chosen.emit("plan")
    await driver.until(lambda: bar.presets.chosen_id() == "plan", "read only")
