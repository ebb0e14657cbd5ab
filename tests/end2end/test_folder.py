"""A folder picked in the window: the bar above the message field, the change in its approval, taken piece by piece."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

from app.domains.workspace.model import commands
from app.ui.chat.rows.helpers import HelperView
from app.ui.chat.rows.items import TextPart
from app.ui.chat.rows.tool import ToolCard
from app.ui.chat.rows.work_line import WorkLine
from app.ui.dialogs import ApprovalCard
from app.ui.main_window.session.bars.folder_bar import FolderBar
from app.ui.widgets.safe_text import SafeLabel
from tests.ui import screen

from .conftest import Driver, Open

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


async def test_helpers_at_the_same_time_open_in_place_and_a_program_is_followed_while_it_runs(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "sandbox", lambda: None)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("alpha\nbeta\ngamma\n")
    child = tmp_path / "child.json"
    child.write_text(json.dumps({"turns": [call("grep", pattern="beta"), {"content": "It stands in a.txt."}]}))
    places = ["first", "second", "third"]
    waits = "import os, time\nprint('12 tests', flush=True)\nwhile not os.path.exists('go'): time.sleep(0.02)"
    driver = await open_window(
        {"tool_calls": [call("task", agent="explore", prompt=place)["tool_calls"][0] for place in places]},
        call("run_command", argv=[sys.executable, "-c", waits]),
        {"content": "Done."},
    )
    settings = driver.services.settings
    explore, workspace = settings.profile("explore"), settings.profile("workspace")
    await settings.save_profile(explore.model_copy(update={"model": f"script/{child}"}))
    asks = {**workspace.tools, "run_command": "ask"}
    await settings.save_profile(workspace.model_copy(update={"tools": asks}))
    driver.desk.conversation.choices.choose_agent("workspace")
    await driver.until(lambda: driver.all_of(FolderBar), "the bar")
    bar = driver.one(FolderBar)
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: dialog.fileSelected.emit(str(folder)))
    screen.click(bar.button)
    await driver.until(lambda: bar.button.text() == "notes", "the folder")
    driver.chooses_mode("react")
    driver.ask("find beta, then run the tests")
    await driver.until(lambda: driver.all_of(ApprovalCard), "a card")
    card = driver.one(ApprovalCard)
    await driver.until(card.allow_once.isEnabled, "a card that listens")
    screen.click(card.allow_once)
    await driver.until(lambda: "12 tests" in shown_text(driver), "its first line, while it waits")
    (folder / "go").touch()
    await driver.settled()
    driver.desk.chat.list.widget(driver.last().id).open_work()
    await driver.until(lambda: len(helper_rows(driver)) == len(places), "a row of each helper")
    [line] = driver.desk.chat.list.widget(driver.last().id).findChildren(WorkLine)
    assert "3 look-ups · 1 action · " in line.accessibleName()
    for number in range(len(places)):
        screen.click(helper_rows(driver)[number]._header)
        await driver.until(partial(steps_of, driver, number), f"the steps of helper {number}")
    for row in helper_rows(driver):
        [helper] = row.findChildren(HelperView)
        seen = [label.text() for label in helper.findChildren(SafeLabel) if label.text()]
        assert seen[0] == "Explore", seen


def steps_of(driver: Driver, number: int) -> list[HelperView]:
    return helper_rows(driver)[number].findChildren(HelperView)


def helper_rows(driver: Driver) -> list[ToolCard]:
    """As they are painted now: an answer that is read again has new ones."""
    view = driver.desk.chat.list.widget(driver.last().id)
    return [one for one in view.findChildren(ToolCard) if one.part.name == "task" and one.isVisible()]


def shown_text(driver: Driver) -> str:
    return "".join(part.text for part in driver.last().parts if isinstance(part, TextPart))
