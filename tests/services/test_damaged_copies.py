"""B4: copies and exports that are cut or changed are taken back or refused in words, and nothing is lost by it."""

from __future__ import annotations

import io
import random
import shutil
import time
import zipfile
from pathlib import Path

import apsw
import pytest

from app.compose import build
from app.core.errors import InternalError, TriptychError
from app.core.run.messages import user_message
from app.services.container import Services

from .documents import exported, talked


@pytest.fixture
async def kept(tmp_path: Path) -> Path:
    """A folder with a copy, and a session that is newer than that."""
    services = build(tmp_path / "kept", {})
    await services.open()
    first = await talked(services)
    for n in range(25):
        text = f"消息 {n} " + "filler 填充 " * 40
        await services.sessions.add(first, user_message(f"m{n}", text, created=float(n)))
    (tmp_path / "export.json").write_bytes(await exported(services, first))
    await services.backups.make()
    newer = await services.sessions.create("assistant")
    await services.sessions.add(newer.id, user_message("newer", "than the copy", created=9.0))
    await services.close()
    return tmp_path / "kept"


def damage(data: bytes, chance: random.Random) -> bytes:
    """Cut, changed, emptied, or something else."""
    changed = bytearray(data)
    match chance.randrange(8):
        case 0:
            return data[: chance.randrange(len(data))]
        case 1:
            return b""
        case 2:
            return chance.randbytes(len(data))
        case 3:
            return data + chance.randbytes(5_000)
        case 4:
            return chance.choice((b"\0", b"[", b"{")) * chance.randrange(1, 200_000)
        case 5:
            start = chance.randrange(len(data))
            changed[start : start + 4096] = bytes(4096)
    for _ in range(chance.choice((1, 5, 50, 500))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


async def texts(services: Services) -> set[str]:
    rows = await services.sessions.rows()
    return {message.text for row in rows for message in await services.sessions.messages(row.id)}


async def restore_damaged(kept: Path, n: int, chance: random.Random) -> str:
    """What became of it: `restored` or `refused`."""
    folder = kept.with_name(f"damaged{n}")
    shutil.copytree(kept, folder)
    services = build(folder, {})
    try:
        await services.open()
        before = await texts(services)
        (row,) = services.backups.rows()
        row.path.write_bytes(damage(row.path.read_bytes(), chance))
        try:
            done = await services.backups.restore(chance.choice((row.name, "latest")))
        except InternalError:
            raise
        except TriptychError:
            assert await texts(services) == before, "what is refused changes nothing"
            return "refused"
        assert done.before is not None
        assert await services.sessions.rows()
        await services.backups.restore(done.before.name)
        assert await texts(services) == before, "and back again"
        return "restored"
    finally:
        await services.close()
        shutil.rmtree(folder)


async def restore_over_damage(kept: Path, n: int, chance: random.Random) -> str:
    """The copy is sound, the database is not: all of the copy is there, and the damaged file too."""
    folder = kept.with_name(f"damaged{n}")
    shutil.copytree(kept, folder)
    database = folder / "sessions.db"
    damaged = damage(database.read_bytes(), chance)
    database.write_bytes(damaged)
    services = build(folder, {})
    try:
        try:
            await services.open()
        except InternalError:
            raise
        except TriptychError:
            pass
        done = await services.backups.restore()
        shown = await texts(services)
        assert {f"消息 {m} " + "filler 填充 " * 40 for m in range(25)} <= shown
        assert done.before is not None or done.damaged is not None, "what was there is kept"
        return "restored"
    finally:
        await services.close()
        shutil.rmtree(folder)


async def import_damaged(kept: Path, n: int, chance: random.Random) -> str:
    folder = kept.with_name(f"damaged{n}")
    shutil.copytree(kept, folder)
    services = build(folder, {})
    try:
        await services.open()
        before = await texts(services)
        data = (kept.parent / "export.json").read_bytes()
        if n % 2:
            data = zipped(data)
        try:
            await services.transfer.import_data([damage(data, chance)])
        except InternalError:
            raise
        except TriptychError:
            assert await texts(services) == before, "what is refused changes nothing"
            return "refused"
        assert await texts(services) >= before
        assert await services.checks.verify() == []
        return "restored"
    finally:
        await services.close()
        shutil.rmtree(folder)


def zipped(data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversation.json", data)
    return target.getvalue()


async def restore_many(kept: Path, rounds: int, seed: int) -> None:
    chance, ends = random.Random(seed), {"restored": 0, "refused": 0}
    for n in range(rounds):
        kind = (restore_damaged, restore_over_damage, import_damaged)[n % 3]
        try:
            ends[await kind(kept, n, chance)] += 1
        except Exception as error:
            error.add_note(f"round {n} of seed {seed}: {kind.__name__}")
            raise
    assert min(ends.values()) > rounds // 10, ends


async def test_R06_R08_damaged_copies_and_exports_are_taken_or_refused(kept: Path) -> None:
    await restore_many(kept, 12, seed=4)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
async def test_R06_R08_three_hundred_damaged_copies_and_exports(kept: Path) -> None:
    await restore_many(kept, 300, seed=int(time.time()))


async def test_R06_a_copy_that_is_another_programs_database_is_refused(kept: Path) -> None:
    services = build(kept, {})
    await services.open()
    before = await texts(services)
    (row,) = services.backups.rows()
    row.path.unlink()
    connection = apsw.Connection(str(row.path))
    connection.execute("CREATE TABLE notes (text); PRAGMA user_version = 5").fetchall()
    connection.close()
    with pytest.raises(TriptychError, match="damaged"):
        await services.backups.restore(row.name)
    assert await texts(services) == before
    await services.close()
