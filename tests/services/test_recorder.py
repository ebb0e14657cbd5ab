"""A run is written down once, whatever ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import cast

import apsw
import pytest

from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopStart, RunEvent, StepEnd, StepStart, Token
from app.core.run.messages import Message
from app.core.run.run_handle import RunHandle
from app.core.run.transcript import Fold, fold
from app.core.session.summary import SessionRow
from app.services.changes import Changes
from app.services.runs import recorder as recorder_module
from app.services.runs.recorder import Recorder
from app.storage.db.database import Database
from app.storage.folder.errors import DiskFull
from app.storage.stores import run_rows
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore
from tests.fakes import until
from tests.services.test_chat import said

EVENTS: list[RunEvent] = [
    LoopStart("assistant", "react", "m", "q"),
    StepStart(1, 1, 0),
    *(Token(1, f"word {n} ") for n in range(300)),
    StepEnd(1, "stop", Usage(), 10),
    LoopEnd("done", "answered", steps=1),
]


class Played:
    """A run that is over as fast as it is read, in the middle of a write."""

    id, session = "r", "s"

    async def events(self, *, gathered: bool = False) -> AsyncIterator[Stamped]:
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
    recorder = Recorder(cast(RunHandle, Played()), runs, Fold("a", run="r"), saved=Changes())
    await recorder.follow()

    stored = await runs.events("r")
    assert written == [line.seq for line in stored] == list(range(len(stored)))
    assert said(stored) == said([line async for line in Played().events()])
    (message,) = await sessions.messages("s")
    assert message.state == "complete"
    assert fold([line.event for line in stored], "a", run="r", created=1.0) == message
    await runs.close()
    await db.close()


async def test_a_follower_that_is_cancelled_leaves_no_task_and_loses_nothing(tmp_path: Path) -> None:
    db = Database(tmp_path / "sessions.db")
    sessions, runs = SessionStore(db), RunStore(db)
    await sessions.create(SessionRow("s", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("r", "s", Message("a", "assistant", (), 1.0, None, "r", state="streaming"))
    taken: list[Stamped] = []

    class Endless(Played):
        async def events(self, *, gathered: bool = False) -> AsyncIterator[Stamped]:
            async for line in super().events():
                if isinstance(line.event, LoopEnd):
                    await asyncio.Event().wait()
                taken.append(line)
                yield line

    recorder = Recorder(cast(RunHandle, Endless()), runs, Fold("a", run="r"), saved=Changes())
    following = asyncio.create_task(recorder.follow())
    await until(lambda: len(taken) >= len(EVENTS) - 1)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)

    stored = await runs.events("r")
    assert [line.seq for line in stored] == list(range(len(stored)))
    assert said(stored) == said(taken)
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "flush r"]
    await runs.close()
    await db.close()


async def test_text_that_streams_is_on_the_disk_before_the_step_ends(tmp_path: Path) -> None:
    """Within a quarter of a second, and at once where there are two kilobytes of it; a row is many pieces."""
    db = Database(tmp_path / "sessions.db")
    sessions, runs = SessionStore(db), RunStore(db)
    await sessions.create(SessionRow("s", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("r", "s", Message("a", "assistant", (), 1.0, None, "r", state="streaming"))
    go_on, pieces = asyncio.Event(), [f"word {n} " for n in range(500)]

    class Slow(Played):
        async def events(self, *, gathered: bool = False) -> AsyncIterator[Stamped]:
            lines: list[RunEvent] = [LoopStart("assistant", "react", "m", "q"), StepStart(1, 1, 0)]
            lines += [Token(1, piece) for piece in pieces]
            for seq, event in enumerate(lines):
                yield Stamped(seq, 0.1, "r", "s", event)
            await go_on.wait()
            yield Stamped(len(lines), 0.2, "r", "s", StepEnd(1, "stop", Usage(), 10))
            yield Stamped(len(lines) + 1, 0.2, "r", "s", LoopEnd("done", "answered", steps=1))

    recorder = Recorder(cast(RunHandle, Slow()), runs, Fold("a", run="r"), saved=Changes())
    following = asyncio.create_task(recorder.follow())
    stored: list[Stamped] = []
    async with asyncio.timeout(30):
        while sum(len(line.event.text) for line in stored if isinstance(line.event, Token)) < len("".join(pieces)):
            stored = await runs.events("r")
    texts = [line.event.text for line in stored if isinstance(line.event, Token)]
    assert "".join(texts) == "".join(pieces)
    assert len(texts) <= len(pieces) / 50
    go_on.set()
    await following
    await runs.close()
    await db.close()


async def test_a_batch_the_disk_refused_comes_again_before_what_was_said_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = Database(tmp_path / "sessions.db")
    sessions, runs = SessionStore(db), RunStore(db)
    await sessions.create(SessionRow("s", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("r", "s", Message("a", "assistant", (), 1.0, None, "r", state="streaming"))
    append = runs.append
    refused: list[Sequence[Stamped]] = []

    async def sometimes(run: str, lines: Sequence[Stamped], message: Message | None = None) -> None:
        if len(refused) < 2:
            refused.append(lines)
            raise DiskFull("no space left")
        await append(run, lines, message)

    monkeypatch.setattr(runs, "append", sometimes)
    monkeypatch.setattr(recorder_module, "TRY_AGAIN", 0.01)
    told: list[bool] = []
    saved: Changes[bool] = Changes()
    saved.listen(told.append)
    recorder = Recorder(cast(RunHandle, Played()), runs, Fold("a", run="r"), saved=saved)
    await recorder.follow()
    stored = await runs.events("r")
    assert [line.seq for line in stored] == list(range(len(stored)))
    assert said(stored) == said([line async for line in Played().events()])
    assert not told[0]
    assert told[-1]
    await runs.close()
    await db.close()
