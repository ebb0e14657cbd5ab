"""Databases of every released version open, and a step that fails leaves the old one usable."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest

from app.core.run.messages import Call
from app.storage.db import migrations, opening
from app.storage.db.connection import connect
from app.storage.db.database import Database
from app.storage.db.migrations import MIGRATIONS, Migration
from app.storage.folder.paths import DataFolder
from app.storage.maintenance.verify import file_problems
from app.storage.stores.documents import Documents
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore

DATABASES = sorted((Path(__file__).parents[1] / "data" / "databases").glob("v*.db"))


def add_column(cursor: apsw.Cursor) -> None:
    cursor.execute("ALTER TABLE session ADD COLUMN colour TEXT NOT NULL DEFAULT ''")


def fail_half_way(cursor: apsw.Cursor) -> None:
    cursor.execute("ALTER TABLE session ADD COLUMN mood TEXT")
    cursor.execute("DELETE FROM session").fetchall()
    raise RuntimeError("power cut")


@pytest.fixture
def old(folder: DataFolder) -> DataFolder:
    shutil.copy(DATABASES[0], folder.database)
    return folder


def use(monkeypatch: pytest.MonkeyPatch, *steps: Migration) -> None:
    """As if the next version of the program had these steps too."""
    monkeypatch.setattr(migrations.migrate, "__defaults__", ((*MIGRATIONS, *steps),))
    monkeypatch.setattr(migrations.refuse_newer, "__defaults__", ((*MIGRATIONS, *steps),))


def test_there_is_a_database_of_every_version() -> None:
    assert [path.stem for path in DATABASES] == [f"v{n}" for n in range(1, len(MIGRATIONS) + 1)]


@pytest.mark.parametrize("path", DATABASES, ids=lambda path: path.stem)
async def test_R10_a_database_of_each_released_version_opens_with_everything_in_it(
    folder: DataFolder, path: Path
) -> None:
    shutil.copy(path, folder.database)
    db = Database(folder.database)
    sessions, runs, documents = SessionStore(db), RunStore(db), Documents(db)
    try:
        assert await runs.recover() == ["s2"]
        assert [(row.id, row.title, row.pinned) for row in await sessions.rows()] == [
            ("s1", "杭州三日游", True),
            ("s2", "an unfinished question", False),
        ]
        question, answer = await sessions.messages("s1")
        assert question.text == "杭州三日游，两个人"
        assert (answer.state, answer.text, answer.parent) == ("complete", "It is done.", question.id)
        assert [part.call.name for part in answer.parts if isinstance(part, Call)] == ["search"]
        assert len(await runs.events("r1")) == 9
        assert await runs.result("r1", "c1") == {"ok": True, "data": [1, 2, 3]}
        (_, cut) = await sessions.messages("s2")
        assert (cut.state, cut.text) == ("interrupted", "It is ")
        assert [i.state for i in await runs.intents.of_run("r2")] == ["unknown"]
        newest = await documents.get("trip", "t1")
        assert newest is not None
        assert (newest.version, newest.body) == (2, {"city": "杭州", "days": 3})
        assert await file_problems(db) == []
    finally:
        await runs.close()
        await db.close()


def shape(path: Path) -> list[tuple[object, ...]]:
    connection = connect(path)
    try:
        return connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
    finally:
        connection.close()


async def test_an_old_database_and_a_new_one_have_the_same_schema(old: DataFolder, tmp_path: Path) -> None:
    fresh = Database(tmp_path / "fresh" / "sessions.db")
    await fresh.open()
    await fresh.close()
    db = Database(old.database)
    await db.open()
    await db.close()
    assert shape(old.database) == shape(fresh.path)


async def test_R08_R10_a_copy_is_made_before_a_step_is_taken(old: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, add_column)
    db = Database(old.database)
    assert await db.read(lambda cursor: cursor.execute("PRAGMA user_version").get) == len(MIGRATIONS) + 1
    assert await db.read(lambda cursor: cursor.execute("SELECT count(*) FROM session WHERE colour = ''").get) == 2
    await db.close()
    (copy,) = old.backups.iterdir()
    assert copy.suffix == ".db"
    assert copy.stat().st_mode & 0o777 == 0o600
    there = connect(copy)
    assert there.pragma("user_version") == 1
    assert there.pragma("integrity_check") == "ok"
    assert there.execute("SELECT count(*) FROM message").get == 4
    there.close()


async def test_R10_a_step_that_fails_leaves_the_old_database_as_it_was(
    old: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, add_column, fail_half_way)
    db = Database(old.database)
    with pytest.raises(RuntimeError, match="power cut"):
        await db.open()
    await db.close()
    monkeypatch.undo()
    left = connect(old.database)
    assert left.pragma("user_version") == len(MIGRATIONS) + 1, "the first step is whole, the second did not happen"
    assert left.execute("SELECT count(*) FROM session").get == 2
    left.close()
    assert len(list(old.backups.iterdir())) == 1


async def test_a_first_start_makes_no_copy(folder: DataFolder) -> None:
    db = Database(folder.database)
    await db.open()
    await db.close()
    assert list(folder.backups.iterdir()) == []


async def test_R10_a_kill_while_the_first_database_is_made_leaves_no_half_of_one(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(opening, "_publish", killed)
    db = Database(folder.database)
    with pytest.raises(KeyboardInterrupt):
        db._make_ready()
    assert not folder.database.exists()
    monkeypatch.undo()
    await db.open()
    await db.close()
