"""B4: data of a newer version is read and never called damaged; whatever else stops an opening, a way back is shown."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest

from app.storage.stores.runs import RunStore
from app.ui.dialogs.data.recovery import RecoveryDialog
from app.ui.widgets.safe_text import SafeLabel

from .conftest import Driver, Open


def of_the_future(database: Path, *changes: str) -> bytes:
    connection = apsw.Connection(str(database))
    for sql in (*changes, "PRAGMA user_version = 999"):
        connection.execute(sql).fetchall()
    connection.close()
    return database.read_bytes()


async def recovery(driver: Driver) -> RecoveryDialog:
    await driver.until(lambda: driver.all_of(RecoveryDialog), "the recovery dialog")
    return driver.window.findChildren(RecoveryDialog)[0]


async def take_back(driver: Driver, dialog: RecoveryDialog) -> None:
    await driver.until(dialog.restore.isVisible, "the offer of a copy")
    dialog.restore.click()
    await driver.until(lambda: dialog.again.text() == "Continue", "the copy taken back")
    dialog.again.click()


def words_of(dialog: RecoveryDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(SafeLabel) if label.isVisible())


async def test_R10_data_of_a_newer_version_is_read_and_not_written(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "the old answer"})
    await driver.asked("the old question")
    session = driver.session
    await driver.closes()
    database = tmp_path / "data" / "sessions.db"
    future = ("ALTER TABLE session ADD COLUMN mood TEXT", "CREATE TABLE feeling (n INTEGER PRIMARY KEY)")
    before = of_the_future(database, *future)

    driver = await open_window({"content": "never"}, session=session)
    await driver.until(lambda: driver.answers() == ["the old answer"], "the history")
    told = driver.notice()
    assert "A newer version of Triptych has used this data." in told
    assert "Your conversations can be read" in told
    assert "damage" not in told
    driver.ask("a question nobody shall lose")
    await driver.until(lambda: driver.notice_button() == "Save the text elsewhere…", "a way out")
    assert driver.draft() == "a question nobody shall lose"
    await driver.closes()
    assert database.read_bytes() == before


async def test_R10_data_of_a_newer_version_that_cannot_be_read_is_left_alone(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window()
    await driver.asked("the old question")
    await driver.closes()
    before = of_the_future(tmp_path / "data" / "sessions.db", "ALTER TABLE session RENAME COLUMN updated TO changed")
    driver = await open_window(ready=False)
    waiting = asyncio.ensure_future(driver.application.ready())
    dialog = await recovery(driver)
    assert "A newer version of Triptych has used this data." in words_of(dialog)
    assert "damage" not in words_of(dialog)
    assert not dialog.anew.isVisible()
    dialog.quit.click()
    await driver.until(lambda: not driver.is_open(), "the end")
    assert (tmp_path / "data" / "sessions.db").read_bytes() == before
    waiting.cancel()


@pytest.mark.expects_log_errors("what nobody foresaw is in the log with its traceback")
async def test_R06_whatever_stops_the_opening_the_way_back_is_shown(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window()
    await driver.asked("is it kept?")
    await driver.closes()

    for error in (RecursionError("brackets"), OverflowError("1e999"), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x")):

        async def fails(_self: RunStore, error: Exception = error) -> list[str]:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(RunStore, "recover", fails)
            driver = await open_window(ready=False)
            opening = asyncio.ensure_future(driver.application.ready())
            dialog = await recovery(driver)
        await take_back(driver, dialog)
        await opening
        assert [row.title for row in await driver.listed()] == ["is it kept?"]
        await driver.closes()
