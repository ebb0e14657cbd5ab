"""What becomes of the data at the start and the end of a window."""

from __future__ import annotations

import asyncio
from pathlib import Path

from app.core.run.events import ToolReturned
from app.ui.chat.rows.items import AssistantRow, UserRow
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.data.compare_modes import CompareModesDialog
from app.ui.dialogs.data.export_sheet import ExportDialog, Form
from app.ui.dialogs.data.recovery import RecoveryDialog
from app.ui.dialogs.data.try_agent import TryAgentDialog
from app.ui.dialogs.data.usage import UsagePage
from app.ui.dialogs.data.window import DataPage
from app.ui.main_window.dialogs.replay import ReplayWindow
from tests.ui import screen

from .conftest import Driver, Open


async def test_R08_a_window_makes_a_copy_of_what_changed_when_it_is_closed(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "Yes."})
    await driver.asked("is it kept?")
    await driver.services.backups.make()
    await driver.asked("and this as well?")
    await driver.closes()
    assert len(list((tmp_path / "data" / "backups").glob("*.db"))) == 2


async def test_R06_damaged_data_is_taken_back_from_the_window(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "Yes."})
    await driver.asked("is it kept?")
    await driver.closes()
    database = next((tmp_path / "data").glob("*.db"))
    database.write_bytes(b"\0" * 4_096)

    driver = await open_window({"content": "Yes."}, ready=False)
    opening = asyncio.ensure_future(driver.application.ready())
    dialog = await _recovery(driver)
    assert not driver.window.is_ready
    await driver.until(dialog.restore.isVisible, "the offer of a copy")
    dialog.restore.click()
    await driver.until(lambda: dialog.again.text() == "Continue", "the copy taken back")
    dialog.again.click()
    await opening
    assert [row.title for row in await driver.listed()] == ["is it kept?"]
    assert [path.read_bytes() for path in (tmp_path / "data").glob("*.damaged-*.db")] == [b"\0" * 4_096]


async def test_R07_an_emptied_database_asks_before_anything_is_made_anew(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "Yes."})
    await driver.asked("is it kept?")
    await driver.closes()
    database = next((tmp_path / "data").glob("*.db"))
    database.write_bytes(b"")

    driver = await open_window({"content": "Yes."}, ready=False)
    opening = asyncio.ensure_future(driver.application.ready())
    dialog = await _recovery(driver)
    dialog.anew.click()
    await asyncio.sleep(0.05)
    assert database.stat().st_size == 0
    dialog.anew.click()
    await driver.until(lambda: dialog.again.text() == "Continue", "an empty start")
    dialog.close()
    await opening
    assert driver.sessions() == []
    assert list((tmp_path / "data" / "backups").glob("*.db"))


async def _recovery(driver: Driver) -> RecoveryDialog:
    await driver.until(lambda: driver.all_of(RecoveryDialog), "the recovery dialog")
    return driver.window.findChildren(RecoveryDialog)[0]


async def test_R08_after_a_restore_the_window_shows_what_was_then(open_window: Open) -> None:
    driver = await open_window({"content": "Yes."})
    await driver.asked("first")
    await driver.services.backups.make()
    driver.command("new")
    await driver.asked("second")
    await driver.until(lambda: len(driver.sessions()) == 2, "both sessions")
    driver.command("data")
    dialog = await driver.sees(DataPage)
    await driver.until(lambda: dialog.copies.rowCount() == 1, "the copy")
    dialog.restore.click()
    dialog.window().findChildren(AskDialog)[0].buttons["restore"].click()
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["first"], "the list of then")
    await driver.until(lambda: driver.questions() == [], "an empty chat: its session is not there")


async def test_a_session_is_printed_to_a_pdf_and_written_for_word(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "故宫、**景山**。"})
    driver.chooses_mode("direct")
    await driver.asked("去哪里？")
    starts: dict[Form, bytes] = {"pdf": b"%PDF-", "docx": b"PK"}
    for form, start in starts.items():
        driver.command("export")
        dialog = driver.one(ExportDialog)
        dialog.forms[form].click()
        target = tmp_path / f"out.{form}"
        dialog.export_to(str(target))
        await driver.until(target.exists, "the file")
        assert target.read_bytes().startswith(start)


async def test_what_was_spent_is_shown_by_agent(open_window: Open) -> None:
    driver = await open_window({"content": "Yes."})
    await driver.asked("is it counted?")
    driver.command("usage")
    dialog = await driver.sees(UsagePage)
    dialog.by.setCurrentIndex(1)
    await driver.until(lambda: dialog.bars.accessibleDescription().startswith("Assistant: "), "the sum of the agent")


async def test_a_question_is_tried_in_several_modes_from_the_window(open_window: Open) -> None:
    driver = await open_window({"content": "Yes."})
    driver.writes("is it so?")
    driver.command("compare_modes")
    (dialog,) = driver.window.findChildren(CompareModesDialog)
    dialog.modes["plan"].setChecked(False)
    dialog.start.click()
    column = dialog.columns["react"]
    await driver.until(column.open.isVisible, "the answers")
    column.open.click()
    await driver.until(lambda: driver.answers() == ["Yes."], "the session of that mode")
    dialog.close()


async def test_an_agent_is_tried_with_a_handful_of_questions_from_the_window(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "It is 42."})
    driver.writes("What is 6*7? => 42\nAnd the sea? => blue\nAnything?")
    driver.command("try_agent")
    dialog = driver.one(TryAgentDialog)
    dialog.rounds.setText("many")
    screen.click(dialog.start)
    await driver.until(lambda: "0" in dialog.told.text() and "10" in dialog.told.text(), "what rounds are")
    dialog.rounds.setText("0, 1")
    dialog.modes["direct"].setChecked(False)
    await driver.until(dialog.start.isEnabled, "another try")
    screen.click(dialog.start)
    await driver.until(dialog.save.isEnabled, "all answers")
    rows = [[dialog.figures.item(row, column).text() for column in range(4)] for row in range(2)]  # type: ignore[union-attr]
    assert [row[1:3] for row in rows] == [["2/3", "67 % (0 %–100 %)"]] * 2
    assert dialog.answers.rowCount() == 6
    dialog.answers.selectRow(0)
    assert dialog.whole.toPlainText() == "It is 42."
    report = tmp_path / "trial.html"
    dialog.save_to(str(report))
    await driver.until(report.exists, "the report")
    assert await driver.services.sessions.rows() == []  # tried, not kept
    dialog.close()


async def test_M12_a_stored_run_is_played_again_without_asking_anybody(open_window: Open) -> None:
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    driver = await open_window(call, {"content": "It is **42**."})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    runs = len(await driver.services.runs.rows())
    driver.command("replay")
    (replay,) = driver.window.findChildren(ReplayWindow)
    await driver.until(lambda: replay.player.count, "the run")
    replay.step.click()
    assert replay.player.place == 1
    assert not replay.player.is_playing
    replay.speed.setCurrentIndex(1)
    replay.play.click()
    assert replay.player.is_playing
    await driver.until(lambda: replay.player.is_over, "its end")
    question, *_plan, answer = replay.chat.rows()
    assert isinstance(question, UserRow)
    assert question.text == "what is 6*7?"
    assert isinstance(answer, AssistantRow)
    assert answer.actions == ()
    told = driver.last()
    assert (answer.parts, answer.mode, answer.tokens) == (told.parts, told.mode, told.tokens)
    assert len(await driver.services.runs.rows()) == runs
    replay.close()


async def test_M12_from_a_place_of_the_replay_the_run_goes_once_more(open_window: Open) -> None:
    call = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
    driver = await open_window(call, {"content": "It is 42."})
    driver.chooses_mode("react")
    await driver.asked("what is 6*7?")
    driver.command("replay")
    (replay,) = driver.window.findChildren(ReplayWindow)
    await driver.until(lambda: replay.player.count, "the run")
    assert replay.from_here.text() == "Run again from request 1"
    replay.end.click()
    assert replay.from_here.text() == "Run again from request 2"
    replay.from_here.click()
    await driver.until(driver.is_running, "another run")
    await driver.done()
    second, first = await driver.services.runs.rows()
    runs = [await driver.services.runs.events(run.id) for run in (first, second)]
    results = [[line.event for line in run if isinstance(line.event, ToolReturned)] for run in runs]
    assert results[1][0] == results[0][0], "what the first step brought stands in it as it was"
    assert driver.last().variant is not None
    replay.close()
    await driver.until(lambda: not driver.window.findChildren(ReplayWindow), "the window gone")
    driver.command("replay")
    (replay,) = driver.window.findChildren(ReplayWindow)
    await driver.until(lambda: replay.choice.count() == 2, "both runs")
    replay.choice.setCurrentIndex(1)
    await driver.until(lambda: replay.player.count == len(runs[0]), "the first run")
    question = replay.chat.rows()[0]
    assert isinstance(question, UserRow), "though its answer is not read in the conversation any more"
    assert question.text == "what is 6*7?"
    replay.close()


async def test_R07_who_quits_over_damaged_data_leaves_it_as_it_is(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "Yes."})
    await driver.asked("is it kept?")
    await driver.closes()
    database = next((tmp_path / "data").glob("*.db"))
    database.write_bytes(b"")

    driver = await open_window({"content": "Yes."}, ready=False)
    waiting = asyncio.ensure_future(driver.application.ready())
    dialog = await _recovery(driver)
    dialog.quit.click()
    await driver.until(lambda: not driver.is_open(), "the end")
    assert database.read_bytes() == b""
    waiting.cancel()
