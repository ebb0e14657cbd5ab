from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from app.compose import build
from app.core.errors import DataDamaged, DataNewer, ForThePerson
from app.services.container import Services
from app.ui.dialogs.data.recovery import RecoveryDialog
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work


def opened(services: Services, error: ForThePerson, work: Work, answers: list[str]) -> RecoveryDialog:
    dialog = RecoveryDialog(services.backups, error, Theme(), spawn=work)
    dialog.answered.connect(answers.append)
    dialog.open()
    return dialog


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return build(tmp_path / "data", {})


async def test_without_a_good_copy_nothing_is_offered_that_could_not_be_done(services: Services, work: Work) -> None:
    answers: list[str] = []
    dialog = opened(services, DataDamaged("it is not a database", path=str(services.database.path)), work, answers)
    await work.settled()
    assert not dialog.restore.isVisible()
    assert dialog.anew.isVisible()
    dialog.close()
    assert answers == ["quit"]


async def test_what_a_newer_version_made_is_left_alone(services: Services, work: Work) -> None:
    answers: list[str] = []
    dialog = opened(services, DataNewer("it is newer", version=99), work, answers)
    await work.settled()
    assert not dialog.restore.isVisible()
    assert not dialog.anew.isVisible()
    dialog.again.click()
    assert answers == ["again"]


async def test_R05_a_folder_that_cannot_be_used_may_be_tried_again_and_is_not_mended(
    services: Services, work: Work
) -> None:
    answers: list[str] = []
    dialog = opened(services, ForThePerson("the folder is read-only"), work, answers)
    await work.settled()
    assert not dialog.anew.isVisible()
    assert not dialog.restore.isVisible()
    dialog.quit.click()
    assert answers == ["quit"]


async def test_a_restore_that_fails_is_told_and_other_ways_stay_open(
    services: Services, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    await services.open()
    await services.backups.make()

    async def fails(_name: str = "") -> None:
        raise DataDamaged("the copy is damaged", hint="take an older one")

    monkeypatch.setattr(services.backups, "restore", fails)
    answers: list[str] = []
    dialog = opened(services, DataDamaged("it is not a database"), work, answers)
    await work.settled()
    dialog.restore.click()
    await work.settled()
    assert dialog.anew.isEnabled()
    assert dialog.quit.isEnabled()
    dialog.quit.click()
    assert answers == ["quit"]
    await services.close()


async def test_R05_where_the_folder_cannot_be_used_another_one_can_be_chosen(
    services: Services, work: Work, tmp_path: Path
) -> None:
    answers: list[str] = []
    folders: list[Path] = []
    dialog = RecoveryDialog(
        services.backups,
        ForThePerson("the drive is gone"),
        Theme(),
        spawn=work,
    )
    dialog.answered.connect(answers.append)
    dialog.folder_chosen.connect(folders.append)
    dialog.open()
    assert dialog.other.isVisible()
    dialog.other.click()
    chooser = dialog.findChild(QFileDialog, "folderDialog")
    assert isinstance(chooser, QFileDialog)
    chooser.fileSelected.emit(str(tmp_path))
    chooser.close()
    assert (folders, answers) == ([tmp_path], ["quit"])


async def test_damaged_data_is_mended_and_not_left_for_another_folder(services: Services, work: Work) -> None:
    dialog = RecoveryDialog(
        services.backups,
        DataDamaged("damaged"),
        Theme(),
        spawn=work,
    )
    dialog.open()
    await work.settled()
    assert not dialog.other.isVisible()
    dialog.close()
