"""Power cuts: what the disk holds is any beginning of what was written."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from app.core.run.messages import user_message
from app.core.session.summary import SessionRow
from app.storage.db.connection import connect
from app.storage.db.database import Database
from app.storage.folder.paths import DataFolder
from app.storage.stores.sessions import SessionStore

CUTS = 60


async def test_R03_any_beginning_of_the_log_opens_with_every_acknowledged_message(
    folder: DataFolder, tmp_path: Path
) -> None:
    chance = random.Random(3)
    wal = folder.database.with_name("sessions.db-wal")
    db = Database(folder.database)
    sessions = SessionStore(db)
    await sessions.create(SessionRow("s1", "", "", "", "", 1.0, 1.0))
    acknowledged: list[tuple[int, str]] = []
    for n in range(40):
        await sessions.add_message("s1", user_message(f"m{n}", "word " * chance.randrange(2000), created=0.0))
        acknowledged.append((wal.stat().st_size, f"m{n}"))
    main, log = folder.database.read_bytes(), wal.read_bytes()
    await db.close()
    for n in range(CUTS):
        cut = chance.randrange(acknowledged[0][0], len(log) + 1)
        # What came after the cut was on its way: nothing of it arrived, or zeros, or noise.
        tail = (b"", bytes(4096), chance.randbytes(4096))[n % 3]
        check(tmp_path / f"cut{n}", main, log[:cut] + tail, [id for size, id in acknowledged if size <= cut])


def check(place: Path, main: bytes, log: bytes, expected: list[str]) -> None:
    place.mkdir()
    (place / "sessions.db").write_bytes(main)
    (place / "sessions.db-wal").write_bytes(log)
    connection = connect(place / "sessions.db")
    assert connection.pragma("integrity_check") == "ok"
    found = [row[0] for row in connection.execute("SELECT id FROM message ORDER BY seq").fetchall()]
    connection.close()
    assert found[: len(expected)] == expected
    shutil.rmtree(place)


SAVING = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from app.storage.config.settings import SettingsFiles
files = SettingsFiles(Path(sys.argv[2]))
for n in range(10**9):
    files.save("preferences", {"n": n, "same": n, "filler": "x" * (n % 5000)})
    if n == 2:  # both files are there
        print("ready", flush=True)
"""


def kill_while_saving(place: Path, seconds: float) -> None:
    top = Path(__file__).resolve().parents[2]
    with subprocess.Popen([sys.executable, "-c", SAVING, str(top), str(place)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(seconds)
        process.kill()


@pytest.mark.parametrize("times", [8, pytest.param(100, marks=pytest.mark.soak)])
def test_R15_kill_9_while_settings_are_saved_leaves_a_whole_file(tmp_path: Path, times: int) -> None:
    chance = random.Random(15)
    for _ in range(times):
        kill_while_saving(tmp_path, chance.uniform(0.0, 0.15))
        for name in ("preferences.toml", "preferences.last-good.toml"):
            values = tomllib.loads((tmp_path / name).read_text())
            assert values["n"] == values["same"]
            assert len(values["filler"]) == values["n"] % 5000
