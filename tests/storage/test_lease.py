"""Two machines, one folder: the second reads until the first has gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.session.summary import SessionRow
from app.storage.db import lease, opening
from app.storage.db.connection import connect_for_reading
from app.storage.db.database import Database
from app.storage.db.lease import LASTS
from app.storage.folder.errors import FolderUnusable
from app.storage.folder.sync_detection import Danger
from app.storage.stores.sessions import SessionStore


def test_R17_a_second_machine_is_refused_until_the_first_has_left(tmp_path: Path) -> None:
    lease.take(tmp_path, me="desk", now=1000.0)
    lease.take(tmp_path, me="desk", now=1010.0)
    with pytest.raises(FolderUnusable, match="in use on another computer"):
        lease.take(tmp_path, me="laptop", now=1020.0)
    lease.leave(tmp_path, me="laptop")
    with pytest.raises(FolderUnusable):
        lease.take(tmp_path, me="laptop", now=1020.0)
    lease.leave(tmp_path, me="desk")
    lease.take(tmp_path, me="laptop", now=1021.0)


@pytest.mark.parametrize("clock", [1000.0 + LASTS + 1, 1000.0 - 10 * 365 * 86_400])
def test_R17_a_lease_nobody_renews_ends_whatever_the_clock_says(tmp_path: Path, clock: float) -> None:
    lease.take(tmp_path, me="desk", now=1000.0)
    lease.take(tmp_path, me="laptop", now=clock)


@pytest.mark.parametrize("text", ["", "[]", '{"machine": 1}', "[" * 100_000])
def test_R17_a_lease_nobody_can_read_stands_in_nobodys_way(tmp_path: Path, text: str) -> None:
    (tmp_path / lease.NAME).write_text(text)
    lease.take(tmp_path, me="laptop", now=1000.0)


async def test_R17_in_a_synchronised_folder_there_is_no_write_ahead_log_and_a_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "danger_of", lambda _folder: Danger("synced", "Dropbox"))
    db = Database(tmp_path / "sessions.db")
    await SessionStore(db).create(SessionRow("s1", "Trip", "", "", "", 1.0, 1.0))
    await SessionStore(db).update("s1", title="Journey")
    assert (tmp_path / lease.NAME).exists()
    assert not (tmp_path / "sessions.db-wal").exists()
    reading = connect_for_reading(db.path)
    assert reading.pragma("journal_mode") == "delete"
    reading.close()
    await db.close()
    assert not (tmp_path / lease.NAME).exists()


async def test_R17_what_another_machine_works_on_can_be_read_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Database(tmp_path / "sessions.db")
    await SessionStore(first).create(SessionRow("s1", "Trip", "", "", "", 1.0, 1.0))
    await first.close()
    monkeypatch.setattr(opening, "danger_of", lambda _folder: Danger("network", "nfs4"))
    lease.take(tmp_path, me="desk")
    second = Database(tmp_path / "sessions.db")
    assert [row.title for row in await SessionStore(second).rows()] == ["Trip"]
    with pytest.raises(FolderUnusable, match="another computer"):
        await SessionStore(second).update("s1", title="mine")
    lease.leave(tmp_path, me="desk")
    await SessionStore(second).update("s1", title="mine")
    await second.close()
