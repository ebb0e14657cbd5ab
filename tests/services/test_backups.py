"""Copies: made in time, checked, pruned by the rule, and taken back whatever happened to the database."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import apsw
import pytest

from app.compose import build
from app.core.errors import BadInput, DataDamaged, DataNewer, UnknownName
from app.core.run.messages import user_message
from app.services.container import Services
from app.services.data import backups as backups_module
from app.services.data.backups import BackupService
from app.storage.db import opening
from app.storage.db.backup import is_sound
from app.storage.folder.errors import DiskFull
from app.storage.maintenance.verify import file_problems
from tests.fakes import FakeClock


async def say(services: Services, *texts: str) -> str:
    row = await services.sessions.create("assistant")
    for text in texts:
        await services.sessions.add(row.id, user_message(f"m-{text[:20]}", text, created=1.0))
    return row.id


async def texts(services: Services) -> set[str]:
    rows = await services.sessions.rows()
    return {message.text for row in rows for message in await services.sessions._store.messages(row.id)}


async def test_R08_a_copy_holds_everything_and_is_listed(services: Services) -> None:
    await say(services, "one")
    copy = await services.backups.make()
    assert [row.name for row in services.backups.rows()] == [copy.name]
    assert is_sound(copy.path, 99)
    if os.name == "posix":
        assert copy.path.stat().st_mode & 0o777 == 0o600
    assert await services.backups.newest_good() == copy


async def test_a_copy_is_made_while_an_answer_is_written(services: Services) -> None:
    id = await say(services, "one")

    async def write() -> None:
        for n in range(60):
            await services.sessions.add(id, user_message(f"w{n}", "word " * 50, created=1.0))

    _, *copies = await asyncio.gather(write(), services.backups.make(), services.backups.make())
    assert all(is_sound(copy.path, 99) for copy in copies)


async def test_R08_a_copy_is_made_when_the_data_changed_and_half_an_hour_passed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(services, "one")
    assert await services.backups.make_if_due() is not None
    await say(services, "two")
    assert await services.backups.make_if_due() is None, "too soon"
    import time

    hour = time.time() + 3_600
    for path in services.data_dir.glob("sessions.db*"):
        os.utime(path, (hour, hour))
    monkeypatch.setattr(services.backups, "_clock", FakeClock(hour + 1))
    assert await services.backups.make_if_due() is not None


async def test_a_copy_made_unasked_never_takes_the_last_space(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(services, "one")
    monkeypatch.setattr(backups_module, "SPARED", 10**18)
    assert await services.backups.make_if_due() is None
    assert await services.backups.make() is not None, "asked for, it is tried"


async def test_R08_a_window_makes_a_copy_at_its_goodbye_a_command_does_not(tmp_path: Path) -> None:
    for name, watches in (("window", True), ("command", False)):
        services = build(tmp_path / name, environ={})
        await services.open()
        if watches:
            services.backups.watch()
        await say(services, "one")
        await services.backups.make()
        await asyncio.sleep(1.1)  # names tell seconds
        await say(services, "two")
        await services.close()
        assert len(services.backups.rows()) == (2 if watches else 1)


async def test_a_restore_takes_everything_back_and_copies_what_was_there(services: Services) -> None:
    await say(services, "old")
    copy = await services.backups.make()
    await say(services, "new")
    done = await services.backups.restore(copy.name)
    assert await texts(services) == {"old"}
    assert done.before is not None
    assert done.damaged is None
    await say(services, "newer")
    await services.backups.restore(done.before.name)
    assert await texts(services) == {"old", "new"}
    assert await services.checks.verify() == []


async def test_a_restored_copy_of_an_older_version_is_brought_up_to_date(services: Services) -> None:
    old = Path(__file__).parents[1] / "data" / "databases" / "v1.db"
    services.data_dir.joinpath("backups").mkdir(exist_ok=True)
    shutil.copy(old, services.data_dir / "backups" / "sessions-000001-20260101T000000Z-regular.db")
    await say(services, "now")
    await services.backups.restore()
    assert "杭州三日游，两个人" in await texts(services)
    assert await services.search.search("三日游")


class Busy:
    def running_sessions(self) -> set[str]:
        return {"s1"}


async def test_nothing_is_restored_while_an_agent_works(services: Services) -> None:
    await services.backups.make()
    busy = BackupService(services.database, services.data_dir / "backups", Busy())
    with pytest.raises(BadInput):
        await busy.restore()


async def test_R08_a_damaged_copy_is_passed_over(services: Services) -> None:
    await say(services, "one")
    good = await services.backups.make()
    bad = await services.backups.make()
    bad.path.write_bytes(b"\0" * 5_000)
    assert await services.backups.newest_good() == good
    with pytest.raises(DataDamaged):
        await services.backups.restore(bad.name)
    with pytest.raises(UnknownName):
        await services.backups.restore("nothing")
    assert await texts(services) == {"one"}


# ---------------------------------------------------------------- damage


def header(path: Path) -> None:
    path.write_bytes(b"x" * 16 + path.read_bytes()[16:])


def first_page(path: Path) -> None:
    path.write_bytes(os.urandom(4096) + path.read_bytes()[4096:])


def middle_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(6, len(data) // 4096, 7):
        data[page * 4096 : page * 4096 + 4096] = b"\xab" * 4096
    path.write_bytes(data)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def random_bytes(path: Path) -> None:
    path.write_bytes(os.urandom(50_000))


def page_size(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[16:18] = b"\x03\x07"
    path.write_bytes(data)


def zero_bytes(path: Path) -> None:
    path.write_bytes(b"")


def missing(path: Path) -> None:
    path.unlink()


def only_the_wal(path: Path) -> None:
    path.unlink()
    path.with_name("sessions.db-wal").write_bytes(os.urandom(9_000))


def extra_trigger(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM message; END")
    connection.close()


def application_id(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("application_id", 7)
    connection.close()


def emptied(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("DELETE FROM message; DELETE FROM sqlite_sequence").fetchall()
    connection.close()


DAMAGE = [
    header, first_page, middle_pages, truncated, random_bytes, page_size, zero_bytes, missing, only_the_wal,
    extra_trigger, application_id, emptied,
]  # fmt: skip


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A data folder with a copy of one session, and a second session since."""
    services = build(tmp_path / "kept", environ={})
    await services.open()
    await say(services, "in the copy", *(f"{n} " + "filler " * 300 for n in range(20)))
    await services.backups.make()
    await say(services, "since then", *(f"s{n} " + "filler " * 300 for n in range(20)))
    await services.close()
    return tmp_path / "kept"


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
async def test_R06_R07_a_damaged_database_is_put_aside_and_the_newest_copy_taken_back(
    folder: Path, damage: Callable[[Path], None]
) -> None:
    path = folder / "sessions.db"
    damage(path)
    before = sha256(path.read_bytes()).digest() if path.exists() else None
    services = build(folder, environ={})
    try:
        with pytest.raises(DataDamaged) as caught:
            await services.open()
            found, copy = await services.checks.verify(), await services.backups.newest_good()
            raise DataDamaged(found[0], copy=copy.path if copy else None)
        assert caught.value.exit_code == 6
        assert "sessions-000001" in str(caught.value.params["copy"]), "it says where the copy is"
        done = await services.backups.restore()
        assert "in the copy" in await texts(services)
        assert await services.checks.verify() == []
        if damage not in (missing, only_the_wal):
            assert done.damaged is not None
            assert sha256(done.damaged.read_bytes()).digest() == before, "never changed, never deleted"
        if damage in (header, middle_pages):
            assert done.salvaged.messages > 0, "what was written since the copy is read out of the damaged file"
    finally:
        await services.close()


async def test_R10_a_database_of_a_newer_version_is_put_aside_whole_before_an_older_copy_takes_its_place(
    folder: Path,
) -> None:
    connection = apsw.Connection(str(folder / "sessions.db"))
    connection.pragma("user_version", 99)
    connection.close()
    before = (folder / "sessions.db").read_bytes()
    services = build(folder, environ={})
    with pytest.raises(DataNewer, match="newer version"):
        await services.open()
    done = await services.backups.restore()
    assert done.damaged is not None
    assert "damaged" not in done.damaged.name
    assert done.damaged.read_bytes() == before
    with pytest.raises(DataDamaged):
        await services.database.take_back(done.damaged, keep=True)
    assert "in the copy" in await texts(services), "a copy of a newer version is never taken back"
    await services.close()


async def test_R06_a_whole_file_behind_a_broken_header_gives_everything_back(folder: Path) -> None:
    header(folder / "sessions.db")
    services = build(folder, environ={})
    done = await services.backups.restore()
    assert (done.salvaged.sessions, done.salvaged.messages) == (1, 21)
    assert {"in the copy", "since then"} <= await texts(services)
    await services.close()


async def test_R06_messages_whose_session_cannot_be_read_any_more_come_back_with_the_others_or_in_one_of_their_own(
    services: Services,
) -> None:
    id = await say(services, "in the copy")
    copy = await services.backups.make()
    await services.sessions.add(id, user_message("since", "since then", created=2.0))
    other = await say(services, "of a session nobody can read")
    await services.close()
    path = services.database.path
    connection = apsw.Connection(str(path))
    connection.pragma("foreign_keys", False)
    connection.execute("DELETE FROM session").fetchall()
    connection.close()
    header(path)
    again = build(services.data_dir, {})
    done = await again.backups.restore(copy.name)
    assert (done.salvaged.sessions, done.salvaged.messages) == (1, 2)
    rows = {row.id: row for row in await again.sessions.rows()}
    assert {message.text for message in await again.sessions._store.messages(id)} == {"in the copy", "since then"}
    (found,) = set(rows) - {id}
    assert (rows[found].title, rows[found].agent) == ("of a session nobody can read", "assistant")
    assert found != other
    assert [hit.kind for hit in await again.search.search("nobody")] == ["title", "message"]
    assert await again.checks.verify() == []
    await again.close()


@pytest.mark.parametrize("what", ["restore", "begin_empty"])
async def test_R04_R06_what_has_no_room_to_take_the_place_of_a_damaged_file_leaves_that_where_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    random_bytes(folder / "sessions.db")
    before = (folder / "sessions.db").read_bytes()

    def is_full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    services = build(folder, environ={})
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", is_full)
        patch.setattr(opening, "migrate", is_full)
        with pytest.raises(DiskFull):
            await getattr(services.backups, what)()
    assert (folder / "sessions.db").read_bytes() == before
    assert not [name for name in os.listdir(folder) if "damaged" in name or ".tmp" in name]  # noqa: PTH208
    await services.backups.restore()
    assert "in the copy" in await texts(services)
    await services.close()


async def test_R21_one_changed_letter_in_each_message_is_noticed_and_the_others_can_be_read(services: Services) -> None:
    await say(services, *(f"text {n}" for n in range(30)))

    def flip(cursor: apsw.Cursor) -> None:
        cursor.execute("UPDATE body SET json = replace(json, 'text 1', 'text X')").fetchall()

    await services.database.write(flip)
    assert await file_problems(services.database) == [], "SQLite sees none of it"
    found = await services.checks.verify()
    assert len(found) == 11
    assert all("is not what was written" in line for line in found)
    assert "text 2" in await texts(services)


async def test_without_a_copy_the_message_says_so_and_nothing_is_touched(tmp_path: Path) -> None:
    services = build(tmp_path / "d", environ={})
    await services.open()
    await say(services, "one")
    await services.close()
    shutil.rmtree(tmp_path / "d" / "backups")
    random_bytes(tmp_path / "d" / "sessions.db")
    before = (tmp_path / "d" / "sessions.db").read_bytes()
    services = build(tmp_path / "d", environ={})
    with pytest.raises(DataDamaged):
        await services.open()
    with pytest.raises(DataDamaged):
        await services.backups.restore()
    await services.close()
    assert (tmp_path / "d" / "sessions.db").read_bytes() == before


async def test_the_regular_copies_go_on_after_one_that_failed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups_module, "EVERY", 0.01)
    made = asyncio.Event()
    tries = iter(range(100))

    async def make_if_due(*_: object) -> None:
        if next(tries) == 0:
            raise OSError("no space")
        made.set()

    monkeypatch.setattr(services.backups, "make_if_due", make_if_due)
    await say(services, "one")
    services.backups.watch()
    await asyncio.wait_for(made.wait(), 30)
    await services.backups.close()


async def test_R07_who_begins_with_nothing_keeps_the_damaged_file_and_the_copies(services: Services) -> None:
    await say(services, "one")
    copy = await services.backups.make()
    await services.close()
    path = services.database.path
    path.write_bytes(b"no database at all")
    again = build(services.data_dir, {})
    with pytest.raises(DataDamaged):
        await again.open()
    aside = await again.backups.begin_empty()
    await again.open()
    assert await texts(again) == set()
    assert aside is not None
    assert aside.read_bytes() == b"no database at all"
    assert copy in again.backups.rows()
    await again.backups.restore(copy.name)
    assert await texts(again) == {"one"}
    await again.close()
    last = build(services.data_dir, {})
    await last.open()
    assert await texts(last) == {"one"}
    await last.close()
