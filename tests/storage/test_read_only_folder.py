"""A data folder nobody can write: whatever version made it, what is in it is shown, and nothing of it changes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.run.messages import user_message
from app.storage.db import opening
from app.storage.db.connection import connect_for_reading
from app.storage.db.database import Database
from app.storage.db.migrations import MIGRATIONS, version_of
from app.storage.folder.errors import FolderUnusable
from app.storage.stores.search import SearchStore
from app.storage.stores.sessions import SessionStore
from tests.rigs.read_only import Disk, small_disk

DATABASES = sorted((Path(__file__).parents[1] / "data" / "databases").glob("v*.db"))
OLDEST = DATABASES[0]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "data") as disk:
        yield disk
        disk.unlock()


@pytest.mark.parametrize("old", DATABASES, ids=lambda path: path.stem)
async def test_R05_the_history_of_any_version_is_shown_and_searched_from_a_read_only_folder(
    disk: Disk, old: Path
) -> None:
    path = disk.place / "sessions.db"
    shutil.copy(old, path)
    before = path.read_bytes()
    disk.lock()
    db = Database(path)
    sessions = SessionStore(db)
    rows = await sessions.rows(limit=10)
    assert [row.title for row in rows] == ["杭州三日游", "an unfinished question"]
    assert await sessions.messages(rows[0].id)
    assert [hit.session for hit in await SearchStore(db).search("杭州")][:1] == [rows[0].id]
    with pytest.raises(FolderUnusable):
        await sessions.add_message(rows[0].id, user_message("new", "not taken", created=1.0))
    await db.close()
    assert path.read_bytes() == before
    assert [each.name for each in disk.place.iterdir()] == ["sessions.db"]


async def test_R05_a_folder_that_can_be_written_again_is_brought_up_to_date_and_read_anew(disk: Disk) -> None:
    path = disk.place / "sessions.db"
    shutil.copy(OLDEST, path)
    disk.lock()
    db = Database(path)
    sessions = SessionStore(db)
    (row, _) = await sessions.rows(limit=10)
    before = len(await sessions.messages(row.id))
    disk.unlock()
    await sessions.add_message(row.id, user_message("new", "taken", created=1.0))
    assert len(await sessions.messages(row.id)) == before + 1
    await db.close()
    reader = connect_for_reading(path)
    assert version_of(reader) == len(MIGRATIONS)
    reader.close()


async def test_R05_what_is_too_large_for_memory_is_refused_with_a_way_out(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(OLDEST, disk.place / "sessions.db")
    disk.lock()
    monkeypatch.setattr(opening, "LARGEST_IN_MEMORY", 4096)
    db = Database(disk.place / "sessions.db")
    with pytest.raises(FolderUnusable, match="older version") as refused:
        await SessionStore(db).rows(limit=10)
    assert "writable" in refused.value.hint
    await db.close()
