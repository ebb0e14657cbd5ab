"""What becomes of answers whose process is gone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.run.events import LoopError, LoopStart, RunEvent, Token
from app.core.run.messages import Call, Message, Text, user_message
from app.core.run.transcript import fold
from app.storage.db import owner as owner_module
from app.storage.db.database import Database
from app.storage.db.owner import Owner
from app.storage.folder.processes import born, host
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore
from tests.grammar import check_grammar

from .talk import CALL, START, STARTED, WHOLE, stamped, streaming


@pytest.fixture(scope="module")
def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    return process.pid


@pytest.fixture
async def dead(db: Database, sessions: SessionStore, dead_pid: int) -> RunStore:
    """The runs of a process that was killed."""
    return RunStore(db, Owner(pid=dead_pid, born="12345", nonce="dead"))


async def kill(store: RunStore) -> None:
    """Its lease is never given back."""
    if store._renewal is not None:
        store._renewal.cancel()


async def test_R24_an_answer_in_progress_becomes_interrupted_and_keeps_its_text(
    db: Database, sessions: SessionStore, dead: RunStore, runs: RunStore
) -> None:
    await dead.start("r1", "s1", streaming(parent="q1"))
    await dead.append("r1", stamped(WHOLE[:7]))
    await kill(dead)
    assert await runs.recover() == ["s1"]
    (message,) = await sessions.messages("s1")
    assert (message.state, message.text, message.parent, message.created) == ("interrupted", "It is ", "q1", 5.0)
    assert isinstance(message.end, LoopError)
    assert (message.end.error.code, message.end.partial) == ("INTERRUPTED", "It is ")
    lines = await runs.events("r1")
    assert lines[:7] == stamped(WHOLE[:7])
    assert [line.seq for line in lines] == list(range(9)), "the open step and the run are ended"
    assert fold([line.event for line in lines], "a1", run="r1", created=5.0) == replace(message, parent=None)
    (row,) = await runs.rows()
    assert (row.state, row.reason, row.steps, row.ended is None) == ("interrupted", "internal", 1, False)
    assert await runs.recover() == []


async def test_R24_a_run_killed_before_its_first_word_is_no_blank(
    sessions: SessionStore, dead: RunStore, runs: RunStore
) -> None:
    await sessions.add_message("s1", user_message("q1", "why?", created=1.0))
    await dead.start("r1", "s1", replace(streaming(), parent="q1"), "travel", "plan", "m")
    await kill(dead)
    await runs.recover()
    message = (await sessions.messages("s1"))[-1]
    assert message.state == "interrupted"
    assert isinstance(message.end, LoopError)
    lines = await runs.events("r1")
    check_grammar(lines)
    assert lines[0].event == LoopStart("travel", "plan", "m", "why?")
    assert (message.start, message.parent) == (lines[0].event, "q1")


async def test_a_tool_that_was_running_has_an_unknown_outcome(
    sessions: SessionStore, dead: RunStore, runs: RunStore
) -> None:
    second = replace(CALL, id="c2")
    await dead.start("r1", "s1", streaming())
    await dead.intents.propose("r1", "c1", "search", "h")
    await dead.intents.propose("r1", "c2", "search", "h")
    await dead.intents.mark("r1", "c1", "running")
    await dead.append("r1", stamped([START, CALL, second, STARTED]))
    await kill(dead)
    await runs.recover()
    assert [(i.call_id, i.state) for i in await runs.intents.of_run("r1")] == [("c1", "unknown"), ("c2", "failed")]
    (message,) = await sessions.messages("s1")
    calls = [part.result for part in message.parts if isinstance(part, Call)]
    assert [result.status if result else None for result in calls] == ["unknown", "interrupted"]


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits in the background, as `triptych run` may beside a window."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


async def test_an_answer_of_a_living_process_is_left_alone(
    db: Database, sessions: SessionStore, other: subprocess.Popen[bytes]
) -> None:
    store = RunStore(db, Owner(pid=other.pid, born=born(other.pid) or "", nonce="other"))
    await store.start("r1", "s1", streaming())
    await store.append("r1", stamped(WHOLE[:7]))
    await kill(store)
    # It slept past its lease (a closed laptop), and is there all the same.
    await db.write(lambda c: c.execute("UPDATE owner SET lease = 0").fetchall())
    assert await RunStore(db).recover() == []
    assert [m.state for m in await sessions.messages("s1")] == ["streaming"]
    other.kill()
    other.wait()
    assert await RunStore(db).recover() == ["s1"]


async def test_a_process_number_given_to_another_process_is_not_the_owner(
    db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    if not born(os.getpid()):
        pytest.skip("this system does not tell when a process began")
    store = RunStore(db, Owner(born="1", nonce="before"))
    await store.start("r1", "s1", streaming())
    await kill(store)
    assert await runs.recover() == ["s1"]


@pytest.mark.parametrize(
    ("its_host", "lease", "changed"),
    [
        ("elsewhere/x", 10.0, []),
        ("elsewhere/x", -1.0, ["s1"]),
        ("elsewhere/x", 10 * owner_module.LEASE, ["s1"]),
        (host().partition("/")[0] + "/the boot before", 10.0, ["s1"]),
    ],
    ids=["other machine", "lease over", "clock set back", "machine restarted"],
)
async def test_a_lease_counts_where_the_process_cannot_be_seen(
    db: Database, sessions: SessionStore, runs: RunStore, its_host: str, lease: float, changed: list[str]
) -> None:
    store = RunStore(db, Owner(host=its_host, pid=1, born="1"))
    await store.start("r1", "s1", streaming())
    await kill(store)
    await db.write(lambda c: c.execute("UPDATE owner SET lease = ?", (time.time() + lease,)).fetchall())
    assert await runs.recover() == changed


async def test_own_answers_are_never_recovered(sessions: SessionStore, runs: RunStore) -> None:
    await runs.start("r1", "s1", streaming())
    assert await runs.recover() == []


async def test_R25_a_process_taken_for_dead_goes_on_and_loses_nothing(
    db: Database, sessions: SessionStore, dead: RunStore, runs: RunStore
) -> None:
    await dead.start("r1", "s1", streaming())
    await dead.append("r1", stamped(WHOLE[:4]))
    await runs.recover()
    await dead.append("r1", stamped(WHOLE[4:6], first=4))
    assert [row.state for row in await runs.rows()] == ["streaming"]
    await dead.finish("r1", stamped(WHOLE[6:], first=6), fold(WHOLE, "a1", run="r1"))
    assert await runs.events("r1") == stamped(WHOLE)
    (message,) = await sessions.messages("s1")
    assert (message.state, message.text) == ("complete", "It is done.")


async def test_R25_a_damaged_log_does_not_shorten_what_the_message_shows(
    db: Database, sessions: SessionStore, dead: RunStore, runs: RunStore
) -> None:
    await dead.start("r1", "s1", streaming())
    events: list[RunEvent] = [START, Token(1, "one "), Token(1, "two "), Token(1, "three")]
    await dead.append("r1", stamped(events), fold(events, "a1", run="r1"))
    await kill(dead)
    await db.write(lambda c: c.execute("UPDATE event SET body = 'x' WHERE seq = 2").fetchall())
    await runs.recover()
    (message,) = await sessions.messages("s1")
    assert (message.state, message.text) == ("interrupted", "one two three")


async def test_a_message_in_progress_without_a_run_is_ended_too(sessions: SessionStore, runs: RunStore) -> None:
    await sessions.add_message("s1", Message("a9", "assistant", (Text("so far"),), state="streaming"))
    assert await runs.recover() == ["s1"]
    (message,) = await sessions.messages("s1")
    assert (message.state, message.text) == ("interrupted", "so far")
