"""A data folder that cannot be written: the window opens, what is there is read, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from app.storage.folder.sync_detection import Danger
from tests.end2end.conftest import Open
from tests.rigs.read_only import Disk, small_disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "data") as disk:
        yield disk
        disk.unlock()


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_R05_a_read_only_folder_is_read_told_and_used_again_when_it_can_be(
    open_window: Open, disk: Disk, tmp_path: Path
) -> None:
    driver = await open_window({"content": "the old answer"})
    await driver.asked("the old question")
    session = driver.session
    await driver.closes()
    disk.lock()
    before = everything(disk.place)

    driver = await open_window({"content": "the new answer"}, session=session)
    await driver.until(lambda: driver.answers() == ["the old answer"], "the history")
    assert driver.questions() == ["the old question"]
    told = driver.notice()
    assert told.startswith("The data folder cannot be written.")
    assert "Your conversations can be read; nothing is stored until this is mended." in told

    driver.ask("a question nobody shall lose")
    await driver.until(lambda: driver.notice_button() == "Save the text elsewhere…", "a way out")
    assert driver.draft() == "a question nobody shall lose"
    driver.presses_notice()
    chooser = driver.window.findChild(QFileDialog, "saveTextDialog")
    assert isinstance(chooser, QFileDialog)
    chooser.fileSelected.emit(str(tmp_path / "kept.txt"))
    chooser.close()
    assert (tmp_path / "kept.txt").read_text() == "a question nobody shall lose"
    driver.saves_draft()
    assert everything(disk.place) == before, "nothing was written"

    disk.unlock()
    await driver.desk.saving._open_again()
    await driver.until(lambda: "can be written again" in driver.notice(), "the good news")
    await driver.asked("a question nobody shall lose")
    assert driver.answers()[-1] == "the new answer"


async def test_R05_a_draft_the_disk_did_not_take_is_there_when_one_comes_back(open_window: Open) -> None:
    driver = await open_window({"content": "one"})
    await driver.asked("first")
    session = driver.session
    services = driver.services
    assert services is not None
    services.database.retire("the drive is gone")
    driver.type("half a thought")
    driver.saves_draft()
    driver.command("new")
    await driver.until(lambda: driver.draft() == "", "an empty composer")
    await driver.desk.conversation.open(session)
    assert driver.draft() == "half a thought"


async def test_R04_an_answer_the_disk_does_not_take_is_told_once_and_so_is_its_end(open_window: Open) -> None:
    driver = await open_window()
    await driver.asked("first")
    saved = driver.desk.saving._saved
    saved(False)
    assert driver.notice().startswith("The answer cannot be written to the disk.")
    saved(False)
    saved(True)
    assert driver.notice() == "The answer is on the disk again."
    driver.window.notice.dismiss()
    saved(True)
    assert driver.notice() == ""


async def test_R17_a_synchronised_folder_is_warned_about_once(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.data.data_folder.danger_of", lambda _folder: Danger("synced", "Dropbox"))
    driver = await open_window()
    await driver.until(lambda: "synchronised by Dropbox" in driver.notice(), "the warning")
    await driver.closes()
    again = await open_window()
    await again.asked("hello")
    assert again.notice() == ""
