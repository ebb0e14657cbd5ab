"""A data folder that is moved, and a clock that jumps: everything is there, in its order."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from app.compose import build
from app.core.run.messages import user_message
from app.core.system.clock import Clock
from app.services.container import Services

from .documents import talked

TEN_YEARS = 10 * 365 * 86_400.0


async def test_R19_a_data_folder_that_was_moved_has_everything(tmp_path: Path) -> None:
    services = build(tmp_path / "old", environ={})
    await services.open()
    id = await talked(services)
    before = await services.transfer.export([id], "json")
    await services.backups.make()
    await services.close()
    shutil.move(tmp_path / "old", tmp_path / "另一个 folder")
    moved = build(tmp_path / "另一个 folder", environ={})
    await moved.open()
    assert await moved.transfer.export([id], "json") == before
    assert await moved.search.search("是什么")
    assert await moved.checks.verify() == []
    assert (await moved.backups.restore()).damaged is None
    assert await moved.transfer.export([id], "json") == before
    await moved.close()
    assert not (tmp_path / "old").exists(), "nothing is made where it was"


async def test_R28_a_clock_that_jumps_changes_no_order_and_deletes_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, id = time.time, (await services.sessions.create("assistant")).id
    trashed = (await services.sessions.create("assistant")).id
    await services.sessions.bin.trash(trashed)
    for n, jump in enumerate((0.0, TEN_YEARS, -TEN_YEARS, 0.0)):
        monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
        monkeypatch.setattr(services.backups, "_clock", Clock())
        message = user_message(f"m{n}", f"text {n}", created=time.time())
        await services.sessions.add(id, message)
        await services.run_store.recover()
        await services.backups.make()
    assert [message.text for message in await services.sessions.messages(id)] == [f"text {n}" for n in range(4)]
    await services.sessions.bin.restore(trashed)
    assert len(await services.sessions.rows()) == 2
    rows = services.backups.rows()
    assert [row.number for row in rows] == [4, 3, 2, 1], "nothing was pruned, the newest is first"
    assert (await services.backups.restore()).backup.number == 4
