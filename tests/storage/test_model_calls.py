"""Requests are kept with the newest runs only, and go with their run."""

from __future__ import annotations

import pytest

from app.core.run.model_call import ModelCall
from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.stores import model_calls
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore


async def test_only_the_newest_runs_keep_their_requests(
    db: Database, sessions: SessionStore, runs: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_calls, "RUNS_KEPT", 2)
    await sessions.create(SessionRow("s9", "", "assistant", "", "", 1.0, 1.0))
    for n in range(3):
        await runs.start(f"run{n}", "s9", None)
        await runs.save_model_calls(f"run{n}", [ModelCall(1, 1, body="x" * 100), ModelCall(2, 2)])
    assert [len(await runs.model_calls(f"run{n}")) for n in range(3)] == [0, 2, 2]
    assert (await runs.model_calls("run2"))[0] == ModelCall(1, 1, body="x" * 100)


async def test_a_request_that_cannot_be_read_is_passed_over(
    db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    await sessions.create(SessionRow("s9", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("run", "s9", None)
    await runs.save_model_calls("run", [ModelCall(1, 1), ModelCall(2, 2)])
    await db.write(lambda cursor: cursor.execute("UPDATE model_call SET body = x'00ff' WHERE number = 1").fetchall())
    assert [call.number for call in await runs.model_calls("run")] == [2]


async def test_requests_go_with_their_session(db: Database, sessions: SessionStore, runs: RunStore) -> None:
    await sessions.create(SessionRow("s9", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("run", "s9", None)
    await runs.save_model_calls("run", [ModelCall(1, 1)])
    await sessions.purge("s9")
    assert await db.read(lambda cursor: cursor.execute("SELECT count(*) FROM model_call").get) == 0
