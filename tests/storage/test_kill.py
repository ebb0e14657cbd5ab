"""Processes that are killed, and processes that write at the same time."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.core.run.messages import Message
from app.storage.db.database import Database
from app.storage.folder.paths import DataFolder
from app.storage.maintenance.verify import file_problems
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore

CHILD = Path(__file__).with_name("child.py")


def child(folder: DataFolder, number: int | str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(folder.root), str(number)], stdout=subprocess.PIPE, text=True
    )


def kill_after(process: subprocess.Popen[str], seconds: float, *, answers: int = 0) -> list[list[str]]:
    """What it had said to be on the disk so long after its first word, or after so many whole answers."""
    assert process.stdout is not None
    heard: list[str] = []
    while not heard or sum(line.startswith('["complete"') for line in heard) < answers:
        heard.append(process.stdout.readline())
        assert heard[-1], "the child ended by itself"
    time.sleep(seconds)
    process.kill()
    heard += process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    process.wait()
    return [json.loads(line) for line in heard if line.endswith("\n")]


async def check(folder: DataFolder, said: list[list[str]]) -> None:
    db = Database(folder.database)
    sessions, runs = SessionStore(db), RunStore(db)
    try:
        assert await file_problems(db) == []
        await runs.recover()
        stored: dict[str, Message] = {}
        for row in await sessions.rows():
            stored |= {message.id: message for message in await sessions.messages(row.id)}
        await compare(stored, said)
        unsettled = "SELECT (SELECT count(*) FROM message WHERE state IN ('pending', 'streaming'))"
        assert await db.read(lambda cursor: cursor.execute(unsettled).get) == 0
        running = "SELECT count(*) FROM tool_intent WHERE state IN ('running', 'proposed')"
        assert await db.read(lambda cursor: cursor.execute(running).get) == 0
        for run in await runs.rows(limit=3):
            lines = await runs.events(run.id)
            assert [line.seq for line in lines] == list(range(len(lines)))
    finally:
        await runs.close()
        await db.close()


async def compare(stored: dict[str, Message], said: list[list[str]]) -> None:
    for what, id, *text in said:
        message = stored[id]
        if what == "user":
            assert message.state == "complete"
        elif what == "complete":
            assert (message.state, message.text) == ("complete", text[0])
        else:
            # Everything that was acknowledged is there, and possibly the batch that was on its way.
            assert message.text.startswith(text[0])
            assert message.state in ("complete", "interrupted")


async def kill_many(folder: DataFolder, times: int, seed: int) -> None:
    chance = random.Random(seed)
    said: list[list[str]] = []
    for number in range(times):
        process = await asyncio.to_thread(child, folder, number)
        said += await asyncio.to_thread(kill_after, process, chance.uniform(0.0, 0.2), answers=number % 2)
        if number % 5 == 4 or number == times - 1:
            await check(folder, said)
    assert sum(line[0] == "complete" for line in said) >= times // 2


async def test_R01_R24_kill_9_loses_no_acknowledged_message_and_no_acknowledged_text(folder: DataFolder) -> None:
    await kill_many(folder, 10, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(900)
async def test_R01_kill_9_two_hundred_times(folder: DataFolder) -> None:
    await kill_many(folder, 200, seed=2)


async def test_R11_two_processes_write_at_the_same_time_and_lose_nothing(folder: DataFolder) -> None:
    db = Database(folder.database)
    await db.open()
    processes = [child(folder, name) for name in ("x", "y")]
    try:
        said = await asyncio.gather(*(asyncio.to_thread(kill_after, process, 0.5, answers=1) for process in processes))
    finally:
        await db.close()
    assert all(sum(line[0] == "complete" for line in lines) >= 1 for lines in said)
    await check(folder, [line for lines in said for line in lines])


async def test_R11_processes_that_all_make_the_first_start_share_one_database(folder: DataFolder) -> None:
    processes = [child(folder, name) for name in "abcd"]
    said = await asyncio.gather(*(asyncio.to_thread(kill_after, process, 0.5) for process in processes))
    assert all(said)
    await check(folder, [line for lines in said for line in lines])
    assert list(folder.root.glob("*.tmp")) == []


async def test_R02_what_was_acknowledged_is_in_the_file_or_its_log_at_once(
    folder: DataFolder, sessions: SessionStore
) -> None:
    from app.core.run.messages import user_message

    for n in range(100):
        text = f"acknowledged-{n}-acknowledged"
        await sessions.add_message("s1", user_message(f"m{n}", text, created=0.0))
        files = (folder.database, folder.database.with_name("sessions.db-wal"))
        assert any(text.encode() in path.read_bytes() for path in files if path.exists())
