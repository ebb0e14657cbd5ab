"""Event logs of runs, and the messages that are their projections."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import apsw
import pytest

from app.core.errors import UnknownName
from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.events import Notice, Token
from app.core.run.messages import user_message
from app.core.run.transcript import fold
from app.core.session.summary import SessionRow
from app.core.tools.tool import ToolResult
from app.storage.db.database import Database
from app.storage.folder.errors import FolderUnusable
from app.storage.stores import runs as runs_module
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore

from .talk import END, START, WHOLE, stamped, streaming


async def test_a_whole_run_is_stored_as_it_happened(sessions: SessionStore, runs: RunStore) -> None:
    await runs.start("r1", "s1", streaming(parent="q1"), "assistant", "react", "script/x.json")
    lines = stamped(WHOLE)
    await runs.append("r1", lines[:3])
    await runs.append("r1", lines[3:6], fold(WHOLE[:6], "a1", run="r1", created=5.0))
    (halfway,) = await sessions.messages("s1")
    assert halfway.state == "streaming"
    message = fold(WHOLE, "a1", run="r1", created=5.0)
    await runs.finish("r1", lines[6:], message)

    assert await runs.events("r1") == lines
    assert await sessions.messages("s1") == [message]
    (row,) = await runs.rows("s1")
    assert (row.id, row.session, row.message, row.mode, row.state, row.reason, row.steps) == (
        "r1", "s1", "a1", "react", "complete", "answered", 1,
    )  # fmt: skip
    assert row.ended is not None
    assert (await sessions.get("s1")).preview == "It is done."


async def test_a_message_is_the_fold_of_its_log(sessions: SessionStore, runs: RunStore) -> None:
    await runs.start("r1", "s1", streaming())
    await runs.finish("r1", stamped(WHOLE), fold(WHOLE, "a1", run="r1", created=5.0))
    events = [line.event for line in await runs.events("r1")]
    assert [fold(events, "a1", run="r1", created=5.0)] == await sessions.messages("s1")


async def test_R24_after_finish_nothing_is_left_in_progress(
    db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    await runs.start("r1", "s1", streaming())
    await runs.finish("r1", stamped(WHOLE), fold(WHOLE, "a1", run="r1"))
    open_rows = "SELECT (SELECT count(*) FROM run WHERE state = 'streaming' OR owner IS NOT NULL)"
    assert await db.read(lambda c: c.execute(open_rows).get) == 0
    assert await db.read(lambda c: c.execute("SELECT count(*) FROM message WHERE owner IS NOT NULL").get) == 0
    assert await db.read(lambda c: c.execute("SELECT count(*) FROM owner").get) == 0
    assert not [task for task in asyncio.all_tasks() if "lease" in task.get_name()]


async def test_log_and_projection_are_written_together_or_not_at_all(
    db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    await runs.start("r1", "s1", streaming())
    await db.write(
        lambda c: c.execute(
            "CREATE TRIGGER stop BEFORE UPDATE ON body BEGIN SELECT raise(ABORT, 'stop'); END"
        ).fetchall()
    )
    with pytest.raises(Exception, match="stop"):
        await runs.append("r1", stamped(WHOLE[:3]), fold(WHOLE[:3], "a1", run="r1"))
    assert await runs.events("r1") == []
    await db.write(lambda c: c.execute("DROP TRIGGER stop").fetchall())


async def test_a_run_inside_another_has_its_own_log_and_no_message(sessions: SessionStore, runs: RunStore) -> None:
    await runs.start("r1", "s1", streaming())
    await runs.start("r2", "s1", None, "research", "react", parent="r1")
    lines = [Stamped(0, 0.0, "r2", "s1", Token(1, "x"), "r1"), Stamped(1, 0.1, "r2", "s1", END, "r1")]
    await runs.finish("r2", lines, fold([line.event for line in lines], "none", run="r2"))
    assert await runs.events("r2") == lines
    assert [(row.id, row.parent, row.state) for row in await runs.rows()] == [
        ("r2", "r1", "complete"),
        ("r1", None, "streaming"),
    ]
    assert len(await sessions.messages("s1")) == 1


async def test_rows_are_the_newest_of_one_session_or_of_all(sessions: SessionStore, runs: RunStore) -> None:
    for n in range(4):
        await runs.start(f"r{n}", "s1", streaming(f"a{n}", f"r{n}"))
    assert [row.id for row in await runs.rows(limit=2)] == ["r3", "r2"]
    assert await runs.rows("elsewhere") == []


async def test_whole_results_are_kept_beside_the_log(sessions: SessionStore, runs: RunStore) -> None:
    await runs.start("r1", "s1", streaming())
    result = ToolResult.success({"rows": list(range(1000))}, "a thousand", as_of="2026-11-20")
    await runs.save_result("r1", "c1", result.to_json())
    await runs.save_result("r1", "c1", result.to_json())
    assert await runs.result("r1", "c1") == result.to_json()
    assert await runs.result("r1", "c2") is None
    assert await runs.result("r9", "c1") is None


async def test_what_a_tool_is_about_to_do_is_written_before_it_does_it(sessions: SessionStore, runs: RunStore) -> None:
    await runs.start("r1", "s1", streaming())
    await runs.intents.propose("r1", "c1", "write_file", "h1", permit="once")
    await runs.intents.propose("r1", "c2", "search", "h2")
    assert [i.state for i in await runs.intents.of_run("r1")] == ["proposed", "proposed"]
    await runs.intents.mark("r1", "c1", "running")
    await runs.intents.mark("r1", "c1", "done")
    first, second = await runs.intents.of_run("r1")
    assert (first.name, first.args_hash, first.state, second.state) == ("write_file", "h1", "done", "proposed")
    assert first.started is not None
    assert first.ended is not None


async def test_unknown_runs_are_named(sessions: SessionStore, runs: RunStore) -> None:
    with pytest.raises(UnknownName):
        await runs.events("r9")
    with pytest.raises(UnknownName):
        await runs.append("r9", stamped(WHOLE[:1], "r9"))
    with pytest.raises(UnknownName):
        await runs.start("r9", "s9", streaming(run="r9"))


async def test_a_log_damaged_in_the_middle_is_read_up_to_there(
    db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    await runs.start("r1", "s1", streaming())
    await runs.append("r1", stamped(WHOLE))
    await db.write(lambda c: c.execute("UPDATE event SET body = '{' WHERE seq = 4").fetchall())
    assert await runs.events("r1") == stamped(WHOLE)[:4]


async def test_deleting_a_session_takes_its_runs_with_it(db: Database, sessions: SessionStore, runs: RunStore) -> None:
    await sessions.add_message("s1", user_message("q1", "?", created=0.0))
    await runs.start("r1", "s1", streaming())
    await runs.save_result("r1", "c1", {"ok": True})
    await runs.intents.propose("r1", "c1", "search", "h")
    await runs.finish("r1", stamped(WHOLE), fold(WHOLE, "a1", run="r1"))
    await sessions.purge("s1")
    for table in ("session", "message", "body", "run", "event", "result", "tool_intent"):
        count = f"SELECT count(*) FROM {table}"
        assert await db.read(partial(_get, count)) == 0, table


def _get(sql: str, cursor: apsw.Cursor) -> Any:
    return cursor.execute(sql).get


async def test_the_lease_is_renewed_while_a_run_goes_on(
    db: Database, sessions: SessionStore, runs: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "RENEW_EVERY", 0.01)
    await runs.start("r1", "s1", streaming())
    await db.write(lambda c: c.execute("UPDATE owner SET lease = 0").fetchall())
    for _ in range(500):
        await asyncio.sleep(0.01)
        if await db.read(lambda c: c.execute("SELECT lease FROM owner").get) > 0:
            break
    else:
        pytest.fail("the lease was not renewed")


async def test_a_disk_that_fails_is_told_to_who_appends(db: Database, sessions: SessionStore, runs: RunStore) -> None:
    await runs.start("r1", "s1", streaming())
    writer = db._get_writer()
    writer.pragma("query_only", True)
    with pytest.raises(FolderUnusable):
        await runs.append("r1", [Stamped(0, 0.0, "r1", "s1", Notice("x"))])
    writer.pragma("query_only", False)
    await runs.append("r1", [Stamped(0, 0.0, "r1", "s1", Notice("x"))])
    assert len(await runs.events("r1")) == 1


async def test_what_was_spent_by_day_agent_and_model(sessions: SessionStore, runs: RunStore) -> None:
    end = replace(END, usage=Usage(input=100, output=7))
    for n, parent in enumerate((None, None, "r0")):
        id = f"r{n}"
        await runs.start(id, "s1", None, "travel", "react", "x/y", parent=parent)
        await runs.finish(id, stamped([START, end], id), fold([START, end], f"a{n}", run=id))
    (row,) = await runs.usage("s1")
    assert (row.agent, row.model, row.runs, row.input, row.output) == ("travel", "x/y", 2, 200, 14)
    assert await runs.usage("s1", since=1e11) == []
    assert await runs.usage("another") == []
    assert len(await runs.usage()) == 1
    await sessions.create(SessionRow("s2", "Other", "travel", "", "", 1.0, 1.0))
    await runs.start("r9", "s2", None, "travel", "react", "x/y")
    await runs.finish("r9", stamped([START, end], "r9"), fold([START, end], "a9", run="r9"))
    assert len(await runs.usage()) == 1
    by_session = await runs.usage(by_session=True)
    assert sorted((row.session, row.title, row.runs) for row in by_session) == [("s1", "", 2), ("s2", "Other", 1)]
