"""Bits flipped anywhere in the file: whatever is asked of it then, it answers, or says in words that it is damaged."""

from __future__ import annotations

import random
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.errors import InternalError, TriptychError
from app.core.run.messages import user_message
from app.storage.stores.session_preview import rows_for_start

from .documents import talked


@pytest.fixture
async def kept(tmp_path: Path) -> Path:
    """A data folder with a few sessions, a run and a copy."""
    services = build(tmp_path / "kept", {})
    await services.open()
    first = await talked(services)
    for n in range(40):
        await services.sessions.add(first, user_message(f"m{n}", f"消息 {n} " + "filler 填充 " * 60, created=float(n)))
    await services.backups.make()
    second = await services.sessions.create("travel")
    await services.sessions.add(second.id, user_message("other", "另一个 question", created=9.0))
    await services.close()
    return tmp_path / "kept"


def flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 5, 50, 500))):
        data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


async def told(work: Callable[..., Awaitable[Any]], *given: Any) -> Any:
    """What it says, or None where it says that it cannot; any other failure is the test's."""
    try:
        return await work(*given)
    except InternalError:
        raise
    except TriptychError:
        return None


async def look_at_everything(folder: Path) -> None:
    services = build(folder, {})
    rows_for_start(folder / "sessions.db")
    try:
        await told(services.open)
        for row in await told(services.sessions.rows) or []:
            await told(services.sessions.messages, row.id)
            for format in ("json", "md", "html"):
                await told(services.transfer.export, [row.id], format)
            for run in await told(services.runs.rows, row.id) or []:
                await told(services.runs.events, run.id)
                await told(services.runs.compare, run.id, run.id)
        await told(services.search.search, "消息")
        await told(services.checks.verify)
        await told(services.runs.usage)
        await told(services.backups.make)
        assert await services.backups.restore() is not None, "there was a copy"
        assert await services.sessions.rows()
    finally:
        await services.close()


async def flip_many(kept: Path, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    for n in range(rounds):
        folder = kept.with_name(f"flipped{n}")
        shutil.copytree(kept, folder)
        flip(folder / "sessions.db", chance)
        await look_at_everything(folder)
        shutil.rmtree(folder)


async def test_R06_R21_bits_flipped_anywhere_are_answered_in_words(kept: Path) -> None:
    await flip_many(kept, 6, seed=6)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
async def test_R06_R21_bits_flipped_anywhere_two_hundred_times(kept: Path) -> None:
    await flip_many(kept, 200, seed=21)
