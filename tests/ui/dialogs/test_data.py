from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.compose import build
from app.core.run.messages import user_message
from app.services.container import Services
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.approvals.text_sheet import TextSheet
from app.ui.dialogs.data.window import DataPage, folder_sizes
from app.ui.theme import Theme
from tests.ui.dialogs.work import Work


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    made = build(tmp_path / "data", {})
    await made.open()
    yield made
    await made.close()


async def test_copies_are_made_listed_and_taken_back_after_a_question(services: Services, work: Work) -> None:
    row = await services.sessions.create("assistant")
    await services.sessions.add(row.id, user_message("m1", "one", created=1.0))
    heard: list[str] = []
    dialog = DataPage(
        services.data_folder,
        services.backups,
        Theme(),
        spawn=work,
        checks=services.checks,
    )
    dialog.restored.connect(lambda: heard.append("restored"))
    dialog.show()
    await work.settled()
    assert dialog.copies.rowCount() == 0
    assert not dialog.restore.isEnabled()

    dialog.make.click()
    await work.settled()
    assert dialog.copies.rowCount() == 1
    assert _reasons(dialog) == ["by you"]

    await services.sessions.add(
        row.id,
        user_message(
            "m2",
            "two",
            created=2.0,
        ),
    )
    dialog.restore.click()
    (question,) = dialog.findChildren(AskDialog)
    assert [message.text for message in await services.sessions.messages(row.id)][-1] == "two"
    question.buttons["restore"].click()
    await work.settled()
    assert heard == ["restored"]
    assert [message.text for message in await services.sessions.messages(row.id)] == ["one"]
    assert _reasons(dialog) == ["before a restore", "by you"]
    dialog.close()


def test_sizes_are_counted_by_folder(tmp_path: Path) -> None:
    (tmp_path / "backups" / "deep").mkdir(parents=True)
    (tmp_path / "backups" / "deep" / "a").write_bytes(b"12345")
    (tmp_path / "b").write_bytes(b"123")
    assert folder_sizes(tmp_path) == {"backups": 5, "": 3}


async def test_everything_is_checked_from_the_window_and_what_is_wrong_can_be_read(
    services: Services, work: Work
) -> None:
    row = await services.sessions.create("assistant")
    await services.sessions.add(row.id, user_message("m1", "a text", created=1.0))
    dialog = DataPage(
        services.data_folder,
        services.backups,
        Theme(),
        spawn=work,
        checks=services.checks,
    )
    dialog.show()
    dialog.check.click()
    await work.settled()
    assert "nothing is wrong" in dialog._note.text()
    spoil = "UPDATE body SET json = replace(json, 'a text', 'b text')"
    await services.database.write(lambda cursor: cursor.execute(spoil).fetchall())
    dialog.check.click()
    await work.settled()
    sheet = dialog.findChild(TextSheet)
    assert sheet is not None
    assert "1 thing is wrong" in dialog._note.text()
    assert f"message m1 of session {row.id} is not what was written" in sheet.view.text()
    assert dialog.check.isEnabled()
    mend = "UPDATE body SET json = replace(json, 'b text', 'c text')"
    await services.database.write(lambda cursor: cursor.execute(mend).fetchall())
    sheet.close()
    dialog.check.click()
    await work.settled()
    assert dialog._note.text() == "1 damaged entry was repaired. Nothing else is wrong."
    assert [message.text for message in await services.sessions.messages(row.id)] == ["a text"], "one bit was another"


def _reasons(dialog: DataPage) -> list[str]:
    items = [dialog.copies.item(n, 1) for n in range(dialog.copies.rowCount())]
    return [item.text() for item in items if item is not None]
