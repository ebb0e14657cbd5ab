from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.core.tools.tool import Tool
from app.services.settings.settings import SettingsService
from app.services.tools.grants import GrantService, RunGrant
from app.storage.config.grants import GrantFile
from app.storage.config.secrets import SecretStore
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.preferences.permissions import PermissionsPage
from app.ui.theme import Theme
from tests.services.test_grants import made
from tests.ui.dialogs.agents import Titles
from tests.ui.dialogs.work import Work


class NamedTools:
    def named(self, name: str) -> Tool | None:
        return {"fetch": made(), "write": made("write")}.get(name)


@pytest.fixture
async def grants(tmp_path: Path, settings: SettingsService) -> GrantService:
    """The real service with three grants."""
    secrets = SecretStore(tmp_path / "keys", find=lambda: None)
    file = GrantFile(tmp_path / "grants.json", tmp_path / "grants.key", secrets)
    service = GrantService(file, settings, NamedTools())
    await service.open()
    await service.add("assistant", "fetch", "https://a.example/*")
    await service.add("travel", "write", "<b>bold</b>\u202e")
    await service.add("assistant", "write", "*")
    return service


class Runs:
    """As much of the chat service as is asked here."""

    def __init__(self, grants: list[RunGrant]) -> None:
        self._grants = grants

    def run_grants(self) -> list[RunGrant]:
        return self._grants


def opened(grants: GrantService, work: Work, qtbot: QtBot) -> PermissionsPage:
    dialog = PermissionsPage(grants, Theme(), spawn=work, titles=Titles())
    dialog.show()
    return dialog


def rows(dialog: PermissionsPage) -> list[list[str]]:
    table = dialog.table
    texts = [[item.text() if (item := table.item(row, n)) else "" for n in range(3)] for row in range(table.rowCount())]
    return [texts[row] for row in range(table.rowCount()) if not table.isRowHidden(row)]


async def test_every_grant_is_listed_with_literal_text(grants: GrantService, work: Work, qtbot: QtBot) -> None:
    dialog = opened(grants, work, qtbot)
    assert sorted(rows(dialog)) == [
        ["Assistant", "fetch", "https://a.example/*"],
        ["Assistant", "write", "every call"],
        ["Travel", "write", "<b>bold</b>⟦U+202E⟧"],
    ]
    dialog.search.setText("travel")
    assert [row[0] for row in rows(dialog)] == ["Travel"]
    dialog.search.setText("nothing of the kind")
    assert not dialog.table.isVisible()
    assert dialog.empty.sentence.full_text() == "Nothing matches."
    dialog.close()


async def test_one_click_or_the_delete_key_takes_one_back(grants: GrantService, work: Work, qtbot: QtBot) -> None:
    dialog = opened(grants, work, qtbot)
    first = rows(dialog)[0]
    button = dialog.table.cellWidget(0, 6)
    assert isinstance(button, QPushButton)
    button.click()
    await work.settled()
    assert first not in rows(dialog)
    assert len(grants.grants()) == 2
    QTest.keyClick(dialog.table, Qt.Key.Key_Delete)
    await work.settled()
    assert len(rows(dialog)) == len(grants.grants()) == 1
    dialog.close()


async def test_all_are_taken_back_after_a_question(grants: GrantService, work: Work, qtbot: QtBot) -> None:
    dialog = opened(grants, work, qtbot)
    dialog.revoke_all.click()
    asked = dialog.findChild(AskDialog)
    assert asked is not None
    asked.buttons[""].click()
    await work.settled()
    assert len(grants.grants()) == 3
    dialog.revoke_all.click()
    next(one for one in dialog.findChildren(AskDialog) if one.isVisible()).buttons["yes"].click()
    await work.settled()
    assert grants.grants() == []
    assert not dialog.revoke_all.isEnabled()
    assert "asks" in dialog.empty.sentence.full_text()
    dialog.close()


async def test_what_is_granted_meanwhile_appears(grants: GrantService, work: Work, qtbot: QtBot) -> None:
    dialog = opened(grants, work, qtbot)
    await grants.add("travel", "fetch", "https://new/*")
    assert ["Travel", "fetch", "https://new/*"] in rows(dialog)
    dialog.close()


async def test_what_holds_for_a_run_is_listed_too_and_goes_by_a_click(
    grants: GrantService, work: Work, qtbot: QtBot
) -> None:
    held: list[RunGrant] = []
    held.append(RunGrant("novel", "write", "*", held.clear))
    dialog = PermissionsPage(grants, Theme(), spawn=work, titles=Titles(), runs=Runs(held))
    dialog.show()
    assert rows(dialog)[0] == ["Novel", "write", "every call"]
    item = dialog.table.item(0, 3)
    assert item is not None
    assert item.text() == "for this run"
    dialog.table.cellWidget(0, 6).click()  # type: ignore[attr-defined]
    assert len(rows(dialog)) == 3
    assert len(grants.grants()) == 3
    dialog.close()


async def test_a_tool_is_named_in_words_and_found_by_its_id_too(grants: GrantService, work: Work, qtbot: QtBot) -> None:
    held: list[RunGrant] = []
    held.append(RunGrant("travel", "notes__read_note", "*", held.clear))
    dialog = PermissionsPage(grants, Theme(), spawn=work, titles=Titles(), runs=Runs(held))
    dialog.show()
    for typed in ("read note", "notes__read"):
        dialog.search.setText(typed)
        assert rows(dialog) == [["Travel", "notes: read note", "every call"]], typed
    item = next(dialog.table.item(n, 1) for n in range(dialog.table.rowCount()) if not dialog.table.isRowHidden(n))
    assert item is not None
    assert "notes__read_note" in item.data(Qt.ItemDataRole.ToolTipRole)
    dialog.close()
