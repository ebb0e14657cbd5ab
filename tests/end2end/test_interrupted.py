"""After a crash: what was cut off is shown as it is, going on is offered, and nothing is done twice."""

from __future__ import annotations

import time
from pathlib import Path

from app.compose import build
from app.core.run.event_line import Stamped
from app.core.run.events import LoopStart, RunEvent, StepStart, Token, ToolCalled, ToolStarted
from app.core.run.messages import user_message
from app.core.run.transcript import Fold
from app.storage.db.owner import Owner
from app.storage.stores.runs import RunStore
from app.ui.chat.rows.items import NotePart, ToolPart
from app.ui.chat.rows.row_actions import Follow, Plain
from tests.end2end.conftest import Open

GONE = 4_000_000
"""No process has such a number."""


async def crash(folder: Path, run: str, question: str) -> str:
    """What a process leaves behind that is killed while a tool runs; returns the session."""
    services = build(folder, {})
    await services.open()
    row = await services.sessions.create("assistant")
    await services.sessions.add(row.id, user_message(f"q-{run}", question, created=time.time()))
    runs = RunStore(services.database, Owner(pid=GONE, born="long ago"))
    fold = Fold(f"a-{run}", created=time.time(), run=run, parent=f"q-{run}")
    await runs.start(run, row.id, fold.message(), "assistant", "react", "script/x")
    events: tuple[RunEvent, ...] = (
        LoopStart("assistant", "react", "script/x", question),
        StepStart(1, 8, 1),
        Token(1, "I write the file."),
        ToolCalled(1, "c1", "write_file", {"path": "report.md"}),
        ToolStarted(1, "c1", "write_file"),
    )
    await runs.append(run, [Stamped(n, n / 10, run, row.id, event) for n, event in enumerate(events)])
    await services.database.close()
    return row.id


async def test_T27_a_cut_off_answer_offers_to_go_on_and_repeats_nothing_by_itself(
    open_window: Open, tmp_path: Path
) -> None:
    session = await crash(tmp_path / "data", "r1", "write the report")
    driver = await open_window({"content": "Going on."}, session=session)
    await driver.until(driver.answers, "the answer that was cut off")
    row = driver.last()
    calls = [part for part in row.parts if isinstance(part, ToolPart)]
    assert [(call.name, call.state, call.summary) for call in calls] == [("write_file", "unknown", "Outcome unknown")]
    note = next(part for part in row.parts if isinstance(part, NotePart))
    assert "Whether write_file took effect is not known" in note.hint
    assert [action.what for action in note.actions] == [Plain.CONTINUE, Follow("regenerate")]
    assert driver.answers() == ["I write the file."], "nothing has gone on by itself"
    assert driver.notice() == ""
    driver.desk.chat.row_action.emit(row.id, Plain.CONTINUE)
    await driver.until(lambda: driver.answers() and driver.answers()[-1].endswith("Going on."), "the answer goes on")
    await driver.done()
    assert driver.answers()[-1].startswith("I write the file."), "what it had is kept"
    assert driver.questions() == ["write the report"]
    services = driver.services
    assert services is not None
    states = {run.id: run.state for run in await services.runs.rows()}
    assert states.pop("r1") == "interrupted"
    assert list(states.values()) == ["complete"]


async def test_a_cut_off_answer_in_another_session_is_told_and_one_press_away(
    open_window: Open, tmp_path: Path
) -> None:
    first = await crash(tmp_path / "data", "r1", "write the report")
    await crash(tmp_path / "data", "r2", "write the letter")
    driver = await open_window(session=first)
    assert driver.notice().startswith("An answer in “write the letter” was cut off when Triptych ended")
    driver.presses_notice()
    await driver.until(lambda: driver.questions() == ["write the letter"], "the other session")


async def test_a_start_after_an_orderly_goodbye_tells_nothing(open_window: Open) -> None:
    driver = await open_window({"content": "yes"})
    await driver.asked("hello")
    await driver.closes()
    again = await open_window()
    assert again.notice() == ""
