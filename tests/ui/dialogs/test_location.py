"""Where the data is: the dialog says it, warns where it is a bad place, and moves it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.compose import build
from app.services.container import Services
from app.services.data.data_folder import Danger
from app.storage.folder.paths import DataFolder
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.data.location import DataPlace, danger_words, folder_in
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work


@pytest.fixture
async def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Services]:
    monkeypatch.delenv("TRIPTYCH_DATA_DIR")
    for module in ("app.storage.folder.paths", "app.services.data.data_folder"):
        monkeypatch.setattr(f"{module}.usual_place", lambda: tmp_path / "usual")
    made = build(None, {})
    await made.open()
    yield made
    await made.close()


async def test_the_data_is_moved_after_a_question_and_the_program_starts_again(
    services: Services, work: Work, tmp_path: Path
) -> None:
    place = DataPlace(services.data_folder, Theme(), spawn=work)
    heard: list[str] = []
    place.moved.connect(lambda: heard.append("moved"))
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "holiday.jpg").touch()
    place.ask(folder_in(tmp_path / "disk"))
    (question,) = place.findChildren(AskDialog)
    question.buttons["move"].click()
    await work.settled()
    assert DataFolder.find() == DataFolder(tmp_path / "disk" / "Triptych", "moved")
    last = place.findChildren(AskDialog)[-1]
    last.buttons["again"].click()
    assert heard == ["moved"]


async def test_a_folder_that_will_not_do_is_told_and_another_can_be_chosen(
    services: Services, work: Work, tmp_path: Path
) -> None:
    place = DataPlace(services.data_folder, Theme(), spawn=work)
    place.ask(tmp_path / "usual" / "inside")
    place.findChildren(AskDialog)[0].buttons["move"].click()
    await work.settled()
    assert place._note.text().startswith("Not moved: The data cannot go there")
    assert place.move_button.isEnabled()


async def test_the_old_folder_is_deleted_after_a_question(services: Services, work: Work, tmp_path: Path) -> None:
    await services.data_folder.move(tmp_path / "new")
    again = build(None, {})
    place = DataPlace(again.data_folder, Theme(), spawn=work)
    place.show()
    assert place.delete.isVisible()
    place.delete.click()
    place.findChildren(AskDialog)[0].buttons["delete"].click()
    await work.settled()
    assert not place.delete.isVisible()
    assert not (tmp_path / "usual" / "sessions.db").exists()
    await again.close()


async def test_a_named_folder_cannot_be_moved_here_and_says_why(work: Work, tmp_path: Path) -> None:
    services = build(tmp_path / "named", {})
    place = DataPlace(services.data_folder, Theme(), spawn=work)
    assert not place.move_button.isEnabled()
    assert "--data-dir" in place.move_button.toolTip()
    await services.close()


@pytest.mark.parametrize("danger", [Danger("synced", "OneDrive"), Danger("network", "nfs4")])
async def test_R17_a_bad_place_is_told(
    services: Services, work: Work, monkeypatch: pytest.MonkeyPatch, danger: Danger
) -> None:
    async def found() -> Danger:
        return danger

    monkeypatch.setattr(services.data_folder, "danger", found)
    place = DataPlace(services.data_folder, Theme(), spawn=work)
    place.show()
    await work.settled()
    assert danger.name in place._danger.text()
    assert place._danger_card.isVisible()
    assert danger_words(danger) == place._danger.text()
