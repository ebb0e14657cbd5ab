"""The writer thread, its transactions and the settings of every connection."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest

from app.core.errors import InternalError
from app.core.run.messages import user_message
from app.core.session.summary import SessionRow
from app.storage.db import connection
from app.storage.db import database as database_module
from app.storage.db.database import Database
from app.storage.folder import disk_reserve as ballast
from app.storage.folder.data_marker import read_marker
from app.storage.folder.errors import DiskFull, FolderUnusable, StorageBusy
from app.storage.folder.paths import DataFolder
from app.storage.maintenance.verify import file_problems
from app.storage.stores.sessions import SessionStore


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 5000),
        ("mmap_size", 0),
        ("trusted_schema", 0),
        ("cell_size_check", 1),
        ("secure_delete", 1),
        ("application_id", connection.APPLICATION_ID),
    ],
)
async def test_R22_the_writer_runs_with_the_settings_the_promises_rest_on(
    db: Database, pragma: str, value: object
) -> None:
    assert await db.write(lambda cursor: cursor.execute(f"PRAGMA {pragma}").get) == value


async def test_R22_sqlite_is_newer_than_the_wal_reset_bug() -> None:
    assert apsw.sqlite_lib_version() >= "3.51.3"
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)


async def test_T39_extensions_cannot_be_loaded_and_the_schema_cannot_be_patched(db: Database) -> None:
    def load(cursor: apsw.Cursor) -> None:
        cursor.execute("SELECT load_extension('anything')")

    def patch(cursor: apsw.Cursor) -> None:
        cursor.execute("PRAGMA writable_schema = ON")
        cursor.execute("UPDATE sqlite_schema SET sql = ''")

    for attack in (load, patch):
        with pytest.raises(InternalError) as caught:
            await db.write(attack)
        assert isinstance(caught.value.__cause__, apsw.Error)
    assert await file_problems(db) == []


async def test_a_unit_of_work_that_fails_leaves_nothing_behind(db: Database, sessions: SessionStore) -> None:
    def half(cursor: apsw.Cursor) -> None:
        cursor.execute("UPDATE session SET title = 'half' WHERE id = 's1'")
        raise LookupError("on purpose")

    with pytest.raises(LookupError):
        await db.write(half)
    assert (await sessions.get("s1")).title == ""
    await sessions.update("s1", title="whole")
    assert (await sessions.get("s1")).title == "whole"


async def test_a_cancelled_waiter_does_not_undo_what_it_asked_for(db: Database, sessions: SessionStore) -> None:
    task = asyncio.create_task(sessions.update("s1", title="done"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await db.write(lambda cursor: cursor.execute("SELECT title FROM session").get) == "done"


async def test_reads_do_not_wait_behind_a_writer(db: Database, sessions: SessionStore) -> None:
    import threading

    let_go = threading.Event()
    writing = asyncio.create_task(db.write(lambda _cursor: let_go.wait(90)))
    try:
        assert [row.id for row in await asyncio.wait_for(sessions.rows(), 30)] == ["s1"]
        assert not writing.done()
    finally:
        let_go.set()
        await writing


async def test_a_reader_cannot_write(db: Database, sessions: SessionStore) -> None:
    with pytest.raises(FolderUnusable):
        await db.read(lambda cursor: cursor.execute("DELETE FROM session").fetchall())
    assert len(await sessions.rows()) == 1


async def test_R11_coroutines_do_not_lose_each_others_updates(db: Database, sessions: SessionStore) -> None:
    async def add(n: int) -> None:
        await sessions.add_message("s1", user_message(f"m{n}", f"text {n}", created=0.0))
        await sessions.update("s1", pinned=bool(n % 2))

    await asyncio.gather(*(add(n) for n in range(60)))
    assert {message.id for message in await sessions.messages("s1")} == {f"m{n}" for n in range(60)}
    seqs = await db.read(lambda cursor: [row[0] for row in cursor.execute("SELECT seq FROM message ORDER BY seq")])
    assert seqs == list(range(1, 61))


def test_nothing_is_made_before_the_first_use(tmp_path: Path) -> None:
    db = Database(tmp_path / "none" / "sessions.db")
    asyncio.run(db.close())
    assert list(tmp_path.iterdir()) == []


async def test_a_closed_database_says_so(db: Database) -> None:
    await db.open()
    await db.close()
    await db.close()
    with pytest.raises(FolderUnusable, match="closed"):
        await db.read(lambda cursor: cursor.execute("SELECT 1").get)


async def test_closing_writes_down_how_much_there_is(db: Database, sessions: SessionStore, folder: DataFolder) -> None:
    await sessions.add_message("s1", user_message("m1", "hello", created=0.0))
    await db.close()
    marker = read_marker(folder.marker)
    assert marker is not None
    assert (marker.messages, marker.highest) == (1, 1)
    assert marker.clean is not None
    assert not folder.database.with_name("sessions.db-wal").exists()


async def test_the_marker_is_kept_up_to_date_while_the_program_runs(
    db: Database, sessions: SessionStore, folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "MARK_EVERY", 3)
    for n in range(3):
        await sessions.add_message("s1", user_message(f"m{n}", "hello", created=0.0))
    marker = read_marker(folder.marker)
    assert marker is not None
    assert marker.highest >= 2
    assert marker.clean is None


async def test_everything_on_the_disk_is_for_the_user_alone(
    db: Database, sessions: SessionStore, folder: DataFolder
) -> None:
    await sessions.add_message("s1", user_message("m1", "hello", created=0.0))
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.root.rglob("*") if path.is_file()}
    assert set(modes.values()) == {0o600}, modes
    assert folder.root.stat().st_mode & 0o777 == 0o700


async def test_a_writer_in_another_process_is_waited_for_and_not_for_ever(
    db: Database, sessions: SessionStore, folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    await db.write(lambda cursor: cursor.connection.set_busy_timeout(20))
    other = connection.connect(folder.database)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageBusy):
        await sessions.update("s1", title="late")
    other.execute("ROLLBACK")
    other.close()
    await sessions.update("s1", title="in time")
    assert (await sessions.get("s1")).title == "in time"


async def test_R04_a_full_disk_is_told_and_nothing_is_lost(db: Database, sessions: SessionStore) -> None:
    await sessions.add_message("s1", user_message("m1", "kept", created=0.0))

    def no_more_pages(cursor: apsw.Cursor) -> None:
        pages = cursor.execute("PRAGMA page_count").get
        cursor.execute(f"PRAGMA max_page_count = {pages}")

    await db.write(no_more_pages)
    with pytest.raises(DiskFull):
        await sessions.add_message("s1", user_message("m2", "x" * 200_000, created=0.0))
    assert [message.text for message in await sessions.messages("s1")] == ["kept"]
    await db.write(lambda cursor: cursor.execute("PRAGMA max_page_count = 1000000").get)
    await sessions.add_message("s1", user_message("m2", "x" * 200_000, created=0.0))
    assert len(await sessions.messages("s1")) == 2
    assert await file_problems(db) == []


async def test_R04_the_reserve_is_given_back_when_the_disk_is_full(
    db: Database, sessions: SessionStore, folder: DataFolder
) -> None:
    ballast.fill_ballast(folder.root)
    assert (folder.root / "ballast").stat().st_size == ballast.SIZE
    tries = []

    def full_once(cursor: apsw.Cursor) -> str:
        tries.append(cursor)
        if len(tries) == 1:
            raise apsw.FullError("no space")
        return "written"

    assert await db.write(full_once) == "written"
    assert not (folder.root / "ballast").exists()


async def test_T40_what_is_erased_is_not_left_in_the_file_or_its_log(
    db: Database, sessions: SessionStore, folder: DataFolder
) -> None:
    mark = "unmistakable-7f3a"
    await sessions.create(SessionRow("s2", mark, "a", "", "", 1.0, 1.0))
    for n in range(40):
        await sessions.add_message("s2", user_message(f"e{n}", f"{mark} {n} " + "long " * 900, created=0.0))
    await sessions.add_message("s1", user_message("m1", "this stays", created=0.0))
    await sessions.purge("s2")
    await sessions.forget()
    found = [path.name for path in folder.root.rglob("*") if path.is_file() and mark.encode() in path.read_bytes()]
    assert found == []
    assert [message.text for message in await sessions.messages("s1")] == ["this stays"]


def test_works_under_a_loop_that_ends_and_under_the_next_one(folder: DataFolder) -> None:
    db = Database(folder.database)

    async def title() -> object:
        await db.write(lambda cursor: cursor.execute("UPDATE meta SET messages = messages + 1").fetchall())
        return await db.read(lambda cursor: cursor.execute("SELECT messages FROM meta").get)

    assert asyncio.run(title()) == 1
    assert asyncio.run(title()) == 2
    asyncio.run(db.close())
