"""What is found in the data folder at start: ours, somebody else's, damaged, or nothing at all."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from app.core.errors import DataDamaged, DataNewer
from app.core.run.messages import user_message
from app.core.session.summary import SessionRow
from app.storage.db.connection import connect
from app.storage.db.database import Database
from app.storage.folder.paths import DataFolder
from app.storage.maintenance.verify import file_problems
from app.storage.stores.session_preview import COUNT, open_for_start, rows_for_start
from app.storage.stores.sessions import SessionStore


@pytest.fixture
async def used(folder: DataFolder) -> DataFolder:
    """A folder in which somebody has talked."""
    db = Database(folder.database)
    sessions = SessionStore(db)
    await sessions.create(SessionRow("s1", "Trip", "travel", "", "", 1.0, 1.0))
    for n in range(50):
        await sessions.add_message("s1", user_message(f"m{n}", f"question {n} " * 60, created=0.0))
    await db.close()
    return folder


async def opened(folder: DataFolder) -> None:
    db = Database(folder.database)
    try:
        await db.open()
    finally:
        await db.close()


def files(folder: DataFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.root.iterdir() if path.is_file()}


@pytest.mark.parametrize("how", ["missing", "zero-length"])
async def test_R07_a_database_that_is_gone_is_no_first_start(used: DataFolder, how: str) -> None:
    used.database.unlink()
    if how == "zero-length":
        used.database.touch()
    before = files(used)
    with pytest.raises(DataDamaged, match=str(used.database)):
        await opened(used)
    assert files(used) == before


async def test_R07_a_backup_alone_says_that_there_was_data(used: DataFolder) -> None:
    copy = used.backups / "sessions-1.db"
    shutil.move(used.database, copy)
    used.marker.unlink()
    with pytest.raises(DataDamaged) as caught:
        await opened(used)
    assert caught.value.params["copy"] == str(copy)
    assert not used.database.exists()


async def test_R07_a_damaged_marker_still_says_that_there_was_data(used: DataFolder) -> None:
    used.database.unlink()
    used.marker.write_bytes(b"\0\0\0")
    with pytest.raises(DataDamaged):
        await opened(used)


async def test_R07_a_database_somebody_emptied_is_noticed(used: DataFolder, tmp_path: Path) -> None:
    fresh = DataFolder(tmp_path / "fresh")
    fresh.create()
    await opened(fresh)
    shutil.copy(fresh.database, used.database)
    with pytest.raises(DataDamaged, match="holds no message"):
        await opened(used)


async def test_R07_a_session_deleted_by_the_person_is_not_damage(used: DataFolder) -> None:
    db = Database(used.database)
    await SessionStore(db).purge("s1")
    await db.close()
    await opened(used)


async def test_a_first_start_in_an_empty_folder_works(folder: DataFolder) -> None:
    folder.database.touch()
    await opened(folder)
    assert folder.database.stat().st_size > 0


def _overwrite(start: int, data: bytes) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        whole = bytearray(path.read_bytes())
        whole[start : start + len(data)] = data
        path.write_bytes(whole)

    return damage


def _sql(text: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        connection = apsw.Connection(str(path))
        connection.execute(text)
        connection.close()

    return damage


DAMAGE: dict[str, Callable[[Path], object]] = {
    "header": _overwrite(0, b"garbage garbage!"),
    "random": lambda path: path.write_bytes(bytes(range(256)) * 64),
    "text": lambda path: path.write_text("hello"),
    "page size": _overwrite(16, b"\x00\x03"),
    "first page": _overwrite(100, b"\xff" * 400),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:3000]),
    "application id": _sql("PRAGMA application_id = 7"),
    "file format": _overwrite(18, b"\x06"),
    "trigger": _sql("CREATE TRIGGER evil AFTER INSERT ON message BEGIN DELETE FROM session; END"),
    "view": _sql("CREATE VIEW evil AS SELECT 1"),
}


@pytest.mark.parametrize("how", DAMAGE)
async def test_R06_a_damaged_or_foreign_database_is_named_and_left_as_it_is(used: DataFolder, how: str) -> None:
    DAMAGE[how](used.database)
    before = used.database.read_bytes()
    with pytest.raises(DataDamaged, match=str(used.database)) as caught:
        await opened(used)
    assert caught.value.params["path"] == str(used.database)
    assert caught.value.exit_code == 6
    assert used.database.read_bytes() == before


async def test_R06_a_page_damaged_in_the_middle_is_found_by_the_check(used: DataFolder) -> None:
    size = used.database.stat().st_size
    _overwrite(size // 2 // 4096 * 4096, b"\xee" * 4096)(used.database)
    db = Database(used.database)
    try:
        found = await file_problems(db)
    except DataDamaged as damaged:
        found = [damaged.message]
    await db.close()
    assert found != []


async def test_R06_garbage_in_the_shared_memory_file_does_no_harm(used: DataFolder) -> None:
    used.database.with_name("sessions.db-shm").write_bytes(b"\xa5" * 32768)
    assert len(rows_for_start(used.database)) == 1
    await opened(used)


async def test_R10_a_newer_database_is_refused_with_the_reason(used: DataFolder) -> None:
    _sql("PRAGMA user_version = 999")(used.database)
    with pytest.raises(DataNewer, match="made by a newer version"):
        await opened(used)
    assert DataNewer.exit_code != DataDamaged.exit_code


async def test_a_folder_in_place_of_the_database_is_told(folder: DataFolder) -> None:
    from app.storage.folder.errors import FolderUnusable

    folder.database.mkdir()
    with pytest.raises(FolderUnusable):
        await opened(folder)


async def test_two_first_starts_at_once_share_one_database(folder: DataFolder) -> None:
    first, second = Database(folder.database), Database(folder.database)
    await asyncio.gather(first.open(), second.open())
    await SessionStore(first).create(SessionRow("a", "", "", "", "", 1.0, 1.0))
    assert [row.id for row in await SessionStore(second).rows()] == ["a"]
    await first.close()
    await second.close()
    assert [path for path in folder.root.iterdir() if path.name.endswith(".tmp")] == []


async def test_a_first_start_of_another_process_is_seen_at_every_moment(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.storage.db import backup, opening

    async def other() -> None:
        db = Database(folder.database)
        await SessionStore(db).create(SessionRow("theirs", "", "", "", "", 1.0, 1.0))
        await db.close()

    looked = backup.backups_in

    def meanwhile(backups: Path) -> object:
        monkeypatch.setattr(opening, "backups_in", looked)
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, other()).result()
        return looked(backups)

    # Between the look for the file and the look for traces of it.
    monkeypatch.setattr(opening, "backups_in", meanwhile)
    db = Database(folder.database)
    assert [row.id for row in await SessionStore(db).rows()] == ["theirs"]
    await db.close()


def test_the_first_paint_makes_nothing(tmp_path: Path) -> None:
    assert rows_for_start(tmp_path / "none" / "sessions.db") == ()
    assert open_for_start(tmp_path / "sessions.db") is None
    assert list(tmp_path.iterdir()) == []


async def test_the_first_paint_reads_the_rows(used: DataFolder) -> None:
    assert [row.title for row in rows_for_start(used.database)] == ["Trip"]


async def test_the_first_paint_reads_no_more_than_a_screen_shows_and_all_in_folders(used: DataFolder) -> None:
    """Each row is read, arranged and measured before anything is on the screen; the rest follows."""
    database = Database(used.database)
    sessions = SessionStore(database)
    for n in range(COUNT + 50):
        await sessions.create(SessionRow(f"more{n}", "", "", "", "", 1.0, 1_000.0 - n))
    await sessions.create(SessionRow("pinned", "", "", "", "", 1.0, 2.0, pinned=True))
    await sessions.create(SessionRow("inside", "", "", "", "", 1.0, 1.0, folder="Work"))
    await sessions.create(SessionRow("away", "", "", "", "", 1.0, 5_000.0, archived=True, folder="Work"))
    every = [row.id for row in await sessions.rows()]
    await database.close()
    first = [row.id for row in rows_for_start(used.database)]
    assert first[:-1] == every[:COUNT]
    assert first[-1] == "inside", "a folder shows how many are in it"


@pytest.mark.parametrize("how", ["header", "random", "first page", "truncated"])
async def test_the_first_paint_is_not_stopped_by_damage(used: DataFolder, how: str) -> None:
    DAMAGE[how](used.database)
    assert rows_for_start(used.database) == ()


async def test_R05_history_is_shown_from_a_read_only_folder(used: DataFolder) -> None:
    used.database.chmod(0o400)
    used.root.chmod(0o500)
    try:
        assert [row.title for row in rows_for_start(used.database)] == ["Trip"]
    finally:
        used.root.chmod(0o700)


async def test_the_first_paint_sees_what_a_killed_process_left_in_its_log(used: DataFolder) -> None:
    """The write-ahead log of a process that did not close is part of the data."""
    left = connect(used.database)
    left.execute("UPDATE session SET title = 'from the log'")
    copy = DataFolder(used.root.parent / "copy")
    copy.create()
    for name in ("sessions.db", "sessions.db-wal"):
        shutil.copy(used.root / name, copy.root / name)
    left.close()
    assert [row.title for row in rows_for_start(copy.database)] == ["from the log"]


def test_reading_the_rows_does_not_load_the_core_of_runs() -> None:
    import subprocess
    import sys

    code = (
        "import sys, app.storage.stores.session_preview, app.storage.folder.paths; "
        "print([m for m in ('pydantic', 'asyncio', 'app.core.run.events', 'app.core.run.messages', 'tomlkit',"
        " 'keyring')"
        " if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.strip() == "[]"
