"""A run is written down once, whatever ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import cast

import apsw
import pytest

from app.core.chat_model import Usage
from app.core.events import LoopEnd, LoopStart, RunEvent, RunHandle, Stamped, StepEnd, StepStart, Token, event_to_json
from app.core.messages import Message
from app.core.session import SessionRow
from app.core.transcript import Fold
from app.services.recorder import Recorder
from app.storage import run_rows
from app.storage.database import Database
from app.storage.runs import RunStore
from app.storage.sessions import SessionStore
from tests.fakes import until

EVENTS: list[RunEvent] = [
    LoopStart("assistant", "react", "m", "q"),
    StepStart(1, 1, 0),
    *(Token(1, f"word {n} ") for n in range(300)),
    StepEnd(1, "stop", Usage(), 10),
    LoopEnd("done", "answered", steps=1),
]


class Played:
    """A run that is over as fast as it is read, in the middle of a write."""

    id = "r"

    async def events(self) -> AsyncIterator[Stamped]:
        for seq, event in enumerate(EVENTS):
            await asyncio.sleep(0)
            yield Stamped(seq, 0.1, "r", "s", event)

    def full_result(self, call_id: str) -> None:
        return None


async def test_a_run_that_ends_while_a_write_is_going_on_is_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    insert = run_rows.insert_events

    def counted(cursor: apsw.Cursor, run: int, lines: Sequence[Stamped]) -> None:
        written.extend(line.seq for line in lines)
        insert(cursor, run, lines)

    monkeypatch.setattr(run_rows, "insert_events", counted)
    db = Database(tmp_path / "sessions.db")
    sessions, runs = SessionStore(db), RunStore(db)
    await sessions.create(SessionRow("s", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("r", "s", Message("a", "assistant", (), 1.0, None, "r", state="streaming"))
    recorder = Recorder(cast(RunHandle, Played()), runs, Fold("a", run="r"), saved=lambda _: None)
    await recorder.follow()

    assert written == list(range(len(EVENTS)))
    stored = [event_to_json(line.event) for line in await runs.events("r")]
    assert stored == [event_to_json(event) for event in EVENTS]
    (message,) = await sessions.messages("s")
    assert message.state == "complete"
    await runs.close()
    await db.close()


async def test_a_follower_that_is_cancelled_leaves_no_task_and_loses_nothing(tmp_path: Path) -> None:
    db = Database(tmp_path / "sessions.db")
    sessions, runs = SessionStore(db), RunStore(db)
    await sessions.create(SessionRow("s", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("r", "s", Message("a", "assistant", (), 1.0, None, "r", state="streaming"))
    taken: list[Stamped] = []

    class Endless(Played):
        async def events(self) -> AsyncIterator[Stamped]:
            async for line in super().events():
                if isinstance(line.event, LoopEnd):
                    await asyncio.Event().wait()
                taken.append(line)
                yield line

    recorder = Recorder(cast(RunHandle, Endless()), runs, Fold("a", run="r"), saved=lambda _: None)
    following = asyncio.create_task(recorder.follow())
    await until(lambda: len(taken) >= len(EVENTS) - 1)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)

    assert [line.seq for line in await runs.events("r")] == [line.seq for line in taken]
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "flush r"]
    await runs.close()
    await db.close()
