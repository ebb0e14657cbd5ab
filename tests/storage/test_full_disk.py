"""A disk that is really full, and a folder that really cannot be written."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.run.messages import user_message
from app.core.session.summary import SessionRow
from app.storage.config.settings import SettingsFiles
from app.storage.db.connection import connect
from app.storage.db.database import Database
from app.storage.folder import disk_reserve as ballast
from app.storage.folder.errors import DiskFull
from app.storage.folder.paths import DataFolder
from app.storage.maintenance.verify import check_everything, file_problems
from app.storage.stores.sessions import SessionStore

VOLUME = 3 * 1024 * 1024


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes."""
    place = tmp_path / "volume"
    place.mkdir()
    mount = shutil.which("mount")
    if sys.platform != "linux" or mount is None or os.getuid() != 0:
        pytest.skip("a small disk can only be mounted by root on Linux")
    made = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={VOLUME}", "tmpfs", str(place)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("this machine does not let us mount a small disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path, leave: int) -> Path:
    """Nothing but `leave` bytes are left."""
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        file.write(b"x" * max(0, shutil.disk_usage(place).free - leave))
    return filler


async def until_full(sessions: SessionStore, stored: list[str]) -> None:
    for _ in range(2000):
        id = f"m{len(stored)}"
        await sessions.add_message("s1", user_message(id, "word " * 500, created=0.0))
        stored.append(id)


async def test_R04_at_whatever_point_the_disk_fills_nothing_that_was_stored_is_lost(volume: Path) -> None:
    chance = random.Random(4)
    folder = DataFolder(volume / "data")
    folder.create()
    settings = SettingsFiles(folder.root)
    settings.save("preferences", {"zoom": 100, "filler": "y" * 9000})
    db = Database(folder.database)
    sessions = SessionStore(db)
    await sessions.create(SessionRow("s1", "", "", "", "", 1.0, 1.0))
    stored: list[str] = []
    try:
        for _ in range(12):
            filler = fill(volume, chance.randrange(60_000))
            with pytest.raises(DiskFull):
                await until_full(sessions, stored)
            assert [message.id for message in await sessions.messages("s1")] == stored
            fill(volume, 0)
            before = settings.path("preferences").read_bytes()
            with pytest.raises(DiskFull):
                settings.save("preferences", {"zoom": chance.randrange(1000)})
            assert settings.path("preferences").read_bytes() == before
            filler.unlink()
            await sessions.add_message("s1", user_message(f"m{len(stored)}", "later", created=0.0))
            stored.append(f"m{len(stored)}")
        assert await file_problems(db) == []
    finally:
        await db.close()
    again = connect(folder.database)
    assert again.pragma("integrity_check") == "ok"
    assert again.execute("SELECT count(*) FROM message").get == len(stored)
    again.close()


async def test_R04_the_reserve_lets_something_be_deleted_on_a_full_disk(
    volume: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ballast, "SIZE", 512 * 1024)
    monkeypatch.setattr(ballast, "KEPT_FREE", 0)
    folder = DataFolder(volume / "data")
    folder.create()
    db = Database(folder.database)
    sessions = SessionStore(db)
    for id in ("s1", "s2"):
        await sessions.create(SessionRow(id, "", "", "", "", 1.0, 1.0))
    for n in range(20):
        await sessions.add_message("s2", user_message(f"old{n}", "word " * 1000, created=0.0))
    ballast.fill_ballast(folder.root)
    fill(volume, 0)
    await sessions.purge("s2")
    assert not (folder.root / "ballast").exists()
    assert [row.id for row in await sessions.rows()] == ["s1"]
    await sessions.add_message("s1", user_message("m", "the final word", created=0.0))
    await db.close()


LOOK = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import asyncio
from app.core.run.messages import Message
from app.storage.stores import message_rows as bodies
from app.storage.db.database import Database
from app.storage.stores.sessions import SessionStore
from app.storage.stores.session_preview import rows_for_start
if os.getuid() == 0:
    os.setuid(65534)
path = Path(sys.argv[2]) / "sessions.db"
async def look():
    db = Database(path)
    print([m.text for m in await SessionStore(db).messages("s1")])
    await db.close()
print([row.id for row in rows_for_start(path)])
asyncio.run(look())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_R05_the_history_is_shown_from_a_folder_that_cannot_be_written() -> None:
    import asyncio

    async def talk(path: Path) -> None:
        db = Database(path)
        sessions = SessionStore(db)
        await sessions.create(SessionRow("s1", "", "", "", "", 1.0, 1.0))
        await sessions.add_message("s1", user_message("m", "still here", created=0.0))
        await db.close()

    # Not below pytest's own folder: nobody else may look into that.
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        asyncio.run(talk(place / "sessions.db"))
        (place / "sessions.db").chmod(0o444)
        place.chmod(0o555)
        before = sorted(path.name for path in place.iterdir())
        top = Path(__file__).resolve().parents[2]
        done = subprocess.run([sys.executable, "-c", LOOK, str(top), name], capture_output=True, text=True, check=False)
        assert done.stdout.splitlines() == ["['s1']", "['still here']"], done.stderr
        assert sorted(path.name for path in place.iterdir()) == before
        place.chmod(0o755)


async def test_R04_a_copy_that_does_not_fit_leaves_nothing_behind_and_harms_nothing(volume: Path) -> None:
    folder = DataFolder(volume / "data")
    folder.create()
    db = Database(folder.database)
    sessions = SessionStore(db)
    try:
        await sessions.create(SessionRow("s1", "", "", "", "", 1.0, 1.0))
        for n in range(25):
            await sessions.add_message("s1", user_message(f"m{n}", "word " * 500, created=0.0))
        filler = fill(volume, 60_000)
        with pytest.raises(DiskFull):
            await db.back_up("manual")
        assert list(folder.backups.iterdir()) == []
        filler.unlink()
        assert len(await sessions.messages("s1")) == 25
        await sessions.add_message("s1", user_message("after", "space again", created=0.0))
        assert (await db.back_up("manual")).exists()
    finally:
        await db.close()


async def test_R04_a_start_on_a_disk_without_a_free_byte_shows_the_history_and_changes_nothing(volume: Path) -> None:
    folder = DataFolder(volume / "data")
    folder.create()
    db = Database(folder.database)
    await SessionStore(db).create(SessionRow("s1", "", "", "", "", 1.0, 1.0))
    await SessionStore(db).add_message("s1", user_message("m", "still here", created=0.0))
    copy = await db.back_up("manual")
    await db.close()
    ballast.release_ballast(folder.root)
    filler = fill(volume, 0)
    before = folder.database.read_bytes()
    db = Database(folder.database)
    with pytest.raises(DiskFull):
        await db.open()
    assert [message.text for message in await SessionStore(db).messages("s1")] == ["still here"]
    assert await check_everything(db) == []
    with pytest.raises(DiskFull):
        await db.take_back(copy, keep=False)
    assert folder.database.read_bytes() == before
    assert not list(folder.root.glob("*damaged*"))
    filler.unlink()
    await SessionStore(db).add_message("s1", user_message("m2", "and goes on", created=0.0))
    await db.close()


async def test_R04_the_reserve_lets_a_start_happen_on_a_full_disk(
    volume: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ballast, "SIZE", 512 * 1024)
    monkeypatch.setattr(ballast, "KEPT_FREE", 0)
    folder = DataFolder(volume / "data")
    folder.create()
    db = Database(folder.database)
    await SessionStore(db).create(SessionRow("s1", "", "", "", "", 1.0, 1.0))
    await db.close()
    ballast.fill_ballast(folder.root)
    fill(volume, 0)
    db = Database(folder.database)
    await SessionStore(db).add_message("s1", user_message("m", "the final word", created=0.0))
    assert not (folder.root / "ballast").exists()
    await db.close()
