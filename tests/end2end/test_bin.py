"""What was thrown away is seen in the bin, taken back, deleted for good, and goes after thirty days."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.compose import build
from app.ui.dialogs.bin import BinDialog

from .conftest import Open


async def test_sessions_are_taken_back_and_deleted_for_good(open_window: Open) -> None:
    driver = await open_window()
    sessions = driver.application._services.sessions  # type: ignore[union-attr]
    for title in ("one", "two"):
        row = await sessions.create("assistant")
        await sessions.rename(row.id, title)
        await sessions.trash(row.id)
    driver.desk.actions["bin"].trigger()
    dialog = driver.window.findChild(BinDialog)
    assert dialog is not None
    await driver.until(lambda: dialog.list.count() == 2, "both sessions")
    assert dialog.list.item(0).text() == "two"
    QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
    await driver.until(lambda: dialog.list.count() == 1, "one left")
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["two"], "it is in the list again")
    QTest.mouseClick(dialog.purge, Qt.MouseButton.LeftButton)
    await driver.until(lambda: dialog.list.count() == 0, "an empty bin")
    assert not dialog.restore.isEnabled()


async def test_after_thirty_days_the_bin_empties_itself(tmp_path: Path) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    old, new = await services.sessions.create("assistant"), await services.sessions.create("assistant")
    for row, days in ((old, 31), (new, 29)):
        await services.sessions._store.update(row.id, trashed=time.time() - days * 86_400)
    await services.close()
    again = build(tmp_path / "data", {})
    await again.open()
    assert [row.id for row in await again.sessions.trashed()] == [new.id]
    await again.close()
