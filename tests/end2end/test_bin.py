"""What was thrown away is seen in the bin, taken back, deleted for good, and goes after thirty days."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from app.compose import build
from app.core.run.messages import user_message
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.data.bin import BinDialog

from .conftest import Open


async def test_sessions_are_taken_back_and_deleted_for_good(open_window: Open) -> None:
    driver = await open_window()
    sessions = driver.services.sessions
    for title in ("one", "two"):
        row = await sessions.create("assistant")
        await sessions.rename(row.id, title)
        await sessions.bin.trash(row.id)
    driver.command("bin")
    dialog = driver.window.findChild(BinDialog)
    assert dialog is not None
    await driver.until(lambda: dialog.list.rowCount() == 2, "both sessions")
    assert shown(dialog)[0] == ["two", "30 more days"]
    QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
    await driver.until(lambda: dialog.list.rowCount() == 1, "one left")
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["two"], "it is in the list again")
    for answer in ("", "purge"):
        QTest.mouseClick(dialog.purge, Qt.MouseButton.LeftButton)
        await driver.until(lambda: dialog.findChild(AskDialog) is not None, "a question")
        question = dialog.findChild(AskDialog)
        assert question is not None
        assert question.findChild(QCheckBox) is None, "there is no copy"
        QTest.mouseClick(question.buttons[answer], Qt.MouseButton.LeftButton)
        await driver.until(lambda: dialog.findChild(AskDialog) is None, "the answer taken")
        if not answer:
            assert dialog.list.rowCount() == 1, "asked and not done"
    await driver.until(lambda: dialog.list.rowCount() == 0, "an empty bin")
    assert dialog.told.text() == "Erased."
    assert not dialog.restore.isEnabled()


@pytest.mark.parametrize("copies_too", [False, True])
async def test_R18_T40_who_erases_for_good_is_told_of_the_copies_and_may_erase_them_too(
    open_window: Open, copies_too: bool
) -> None:
    driver = await open_window()
    services = driver.services
    assert services is not None
    for id in ("m1", "m2"):
        row = await services.sessions.create("assistant")
        await services.sessions.add(row.id, user_message(id, f"canary {id}zz", created=1.0))
        await services.sessions.bin.trash(row.id)
    await services.backups.make()
    driver.command("bin")
    dialog = driver.window.findChild(BinDialog)
    assert dialog is not None
    await driver.until(lambda: dialog.list.rowCount() == 2, "both sessions")
    dialog.list.selectAll()
    QTest.mouseClick(dialog.purge, Qt.MouseButton.LeftButton)
    await driver.until(lambda: dialog.findChild(AskDialog) is not None, "a question")
    question = dialog.findChild(AskDialog)
    assert question is not None
    box = question.findChild(QCheckBox, "eraseCopies")
    assert box is not None
    assert not box.isChecked()
    box.setChecked(copies_too)
    QTest.mouseClick(question.buttons["purge"], Qt.MouseButton.LeftButton)
    await driver.until(lambda: dialog.told.text().startswith("Erased"), "all erased")
    files = [path for path in services.data_dir.rglob("*") if path.is_file() and b"canary m" in path.read_bytes()]
    assert [path.parent.name for path in files] == ([] if copies_too else ["backups"])
    assert dialog.told.text() == (
        "Erased, in the backups too." if copies_too else "Erased. 1 backup may still hold it."
    )


def shown(dialog: BinDialog) -> list[list[str]]:
    cells = [[dialog.list.item(row, column) for column in (0, 2)] for row in range(dialog.list.rowCount())]
    return [[cell.text() if cell else "" for cell in row] for row in cells]


async def test_after_thirty_days_the_bin_empties_itself(tmp_path: Path) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    old, new = await services.sessions.create("assistant"), await services.sessions.create("assistant")
    for row, days in ((old, 31), (new, 29)):
        await services.sessions._store.update(row.id, trashed=time.time() - days * 86_400)
    await services.close()
    again = build(tmp_path / "data", {})
    await again.open()
    assert {row.id for row in await again.sessions.bin.rows()} == {old.id, new.id}, "the clock may have jumped"
    await again.sessions._store.notes.put(old.id, "bin-over", time.time() - 2 * 86_400)
    await again.close()
    later = build(tmp_path / "data", {})
    await later.open()
    assert [row.id for row in await later.sessions.bin.rows()] == [new.id]
    await later.close()
