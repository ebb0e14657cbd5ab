"""Killed at an exact statement: a migration or an import has happened whole, or not at all."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.storage.db.backup import backups_in, is_sound
from app.storage.db.connection import connect
from app.storage.db.database import Database
from app.storage.db.migrations import MIGRATIONS
from app.storage.maintenance.verify import file_problems
from app.storage.stores.search import SearchStore
from app.storage.stores.sessions import SessionStore

from .kill_child import MESSAGES, SESSIONS

CHILD = Path(__file__).with_name("kill_child.py")
OLD = Path(__file__).parents[1] / "data" / "databases" / "v1.db"
NEVER = 10**9


def run(what: str, folder: Path, at: int) -> int | None:
    """How many statements there were; None if it was killed."""
    done = subprocess.run(
        [sys.executable, str(CHILD), what, str(folder), str(at)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 9), done.stderr
    return None if done.returncode == 9 else int(json.loads(done.stdout))


def fresh(folder: Path, what: str) -> None:
    folder.mkdir()
    if what == "migrate":
        shutil.copy(OLD, folder / "sessions.db")


async def migration_killed(folder: Path, at: int) -> None:
    fresh(folder, "migrate")
    await asyncio.to_thread(run, "migrate", folder, at)
    left = connect(folder / "sessions.db")
    try:
        assert left.pragma("integrity_check") == "ok"
        assert left.pragma("user_version") in range(1, len(MIGRATIONS) + 1)
        assert left.execute("SELECT count(*) FROM message").get == 4
    finally:
        left.close()
    assert all(is_sound(backup.path, len(MIGRATIONS)) for backup in backups_in(folder / "backups"))
    db = Database(folder / "sessions.db")
    try:
        assert [row.id for row in await SessionStore(db).rows()] == ["s1", "s2"]
        assert await SearchStore(db).search("三日游")
    finally:
        await db.close()


async def import_killed(folder: Path, at: int) -> None:
    fresh(folder, "import")
    await asyncio.to_thread(run, "import", folder, at)
    db = Database(folder / "sessions.db")
    try:
        rows = await SessionStore(db).rows()
        messages = [message for row in rows for message in await SessionStore(db).messages(row.id)]
        assert (len(rows), len(messages)) in ((0, 0), (SESSIONS, SESSIONS * MESSAGES))
        assert len(await SearchStore(db).search("imported", limit=100)) == len(messages)
        assert await file_problems(db) == []
    finally:
        await db.close()


async def points(what: str, folder: Path, many: int) -> list[int]:
    """Statements to be killed at, spread over all there are; the first and the last among them."""
    fresh(folder, what)
    total = await asyncio.to_thread(run, what, folder, NEVER)
    assert total is not None
    inner = random.Random(4).sample(range(2, total), min(many, total - 2))
    return sorted({1, total, *inner})


async def test_R10_a_migration_killed_anywhere_leaves_a_database_that_opens(tmp_path: Path) -> None:
    for at in await points("migrate", tmp_path / "whole", 6):
        await migration_killed(tmp_path / str(at), at)


async def test_I22_an_import_killed_anywhere_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    for at in await points("import", tmp_path / "whole", 6):
        await import_killed(tmp_path / str(at), at)


@pytest.mark.soak
@pytest.mark.timeout(900)
async def test_R10_I22_killed_at_a_hundred_points(tmp_path: Path) -> None:
    for what, kill in (("migrate", migration_killed), ("import", import_killed)):
        for at in await points(what, tmp_path / what, 100):
            await kill(tmp_path / f"{what}{at}", at)
