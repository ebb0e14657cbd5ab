"""Backups elsewhere, by the buttons of the settings: set up, made, looked into, brought to another computer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.compose import build
from app.services.container import Services
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.data.remote_backups import RemoteBackups
from app.ui.theme import Theme
from tests.services.documents import document, user
from tests.services.test_remote_backup import made_once


@pytest.fixture
async def computers(tmp_path: Path) -> AsyncIterator[list[Services]]:
    made = [build(tmp_path / name, {}) for name in ("desk", "lap")]
    for services in made:
        await services.open()
        services.providers.key_storage.choose("session")
    yield made
    for services in made:
        await services.close()


async def test_a_backup_is_made_looked_into_and_brought_to_another_computer(
    qtbot: QtBot, computers: list[Services], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_once(monkeypatch)
    tasks: list[asyncio.Task[None]] = []

    def spawn(work: Coroutine[Any, Any, None]) -> None:
        tasks.append(asyncio.ensure_future(work))

    async def ended() -> None:
        while tasks:
            await tasks.pop()

    (tmp_path / "place").mkdir()
    desk, lap = computers
    await desk.transfer.import_data([document(messages=[user("m1")])])
    forms = []
    for services in computers:
        form = RemoteBackups(services.remote_backups, Theme(), spawn=spawn)
        qtbot.addWidget(form)
        form.show()
        assert not form.now.isEnabled()
        assert not form.bucket.isVisible()
        form.address.setText(str(tmp_path / "place"))
        form.passphrase.setText("four words of tea")
        form.save.click()
        await ended()
        assert form.passphrase.text() == ""
        forms.append(form)
    forms[0].now.click()
    await asyncio.sleep(0)
    assert not forms[0].now.isEnabled(), "once at a time"
    await ended()
    assert forms[0].note.full_text() == "1 session is there now."
    forms[1].look.click()
    await ended()
    question = forms[1].findChild(AskDialog)
    assert question is not None
    assert await lap.sessions.rows() == []
    question.buttons["add"].click()
    await ended()
    assert forms[1].note.full_text() == "1 session was added."
    assert [row.id for row in await lap.sessions.rows()] == [row.id for row in await desk.sessions.rows()]
    assert not forms[1].version.isVisible(), "there is nothing to choose"
    await desk.transfer.import_data(
        [document(session={"id": "s2", "title": "later", "created": 3, "updated": 4}, messages=[user("m2")])]
    )
    forms[0].now.click()
    await ended()
    forms[1].look.click()
    await ended()
    assert forms[1].version.isVisible()
    assert forms[1].version.count() == 2
    for asked in forms[1].findChildren(AskDialog):
        asked.close()
    forms[1].version.setCurrentIndex(1)
    forms[1].version.activated.emit(1)
    await ended()
    (older,) = (one for one in forms[1].findChildren(AskDialog) if one.isVisible())
    older.buttons["add"].click()
    await ended()
    assert forms[1].note.full_text() == "0 sessions were added.", "what came later is not in the older one"
    assert forms[0].every.currentText() == "Each day"
    forms[0].every.setCurrentIndex(forms[0].every.findData(0))
    forms[0].save.click()
    await ended()
    saved = desk.remote_backups.settings.place()
    assert saved is not None
    assert saved.every == 0
