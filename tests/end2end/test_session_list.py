"""Several sessions at once, folders and the archive, from the left pane to the disk and back."""

from __future__ import annotations

from app.core.session.summary import SessionRow
from tests.end2end.conftest import Driver, Open


async def with_sessions(open_window: Open, *titles: str) -> Driver:
    driver = await open_window()
    services = driver.services
    assert services is not None
    for title in titles:
        row = await services.sessions.create("assistant")
        await services.sessions.rename(row.id, title)
    await driver.until(lambda: sorted(row.title for row in driver.sessions()) == sorted(titles), "the sessions")
    return driver


def by_title(driver: Driver) -> dict[str, SessionRow]:
    return {row.title: row for row in driver.window.sessions.model.rows.values()}


async def test_several_go_to_the_bin_and_come_back_with_one_undo(open_window: Open) -> None:
    driver = await with_sessions(open_window, "one", "two", "three")
    rows = by_title(driver)
    driver.window.sessions.delete_asked.emit([rows["one"].id, rows["three"].id])
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["two"], "one session left")
    assert driver.notice() == "2 sessions were moved to the bin."
    driver.presses_notice()
    await driver.until(lambda: len(driver.sessions()) == 3, "all of them back")


async def test_a_new_folder_is_named_in_place_moved_to_the_archive_and_undone(open_window: Open) -> None:
    driver = await with_sessions(open_window, "one", "two", "three")
    panel, ids = driver.window.sessions, [row.id for row in by_title(driver).values() if row.title != "two"]
    panel.new_folder_asked.emit(ids)
    await driver.until(lambda: panel.model.folders() == ["New folder"], "the folder")
    panel.folder_rename_asked.emit("New folder", "Bolts & nuts")
    await driver.until(lambda: panel.model.folders() == ["Bolts & nuts"], "its name")
    panel.archive_asked.emit(ids, True)
    await driver.until(lambda: [row.title for row in driver.sessions()] == ["two"], "the archive is closed")
    driver.presses_notice()
    await driver.until(lambda: len(driver.sessions()) == 3, "out of the archive again")
    assert {row.folder for row in by_title(driver).values() if row.title != "two"} == {"Bolts & nuts"}
    panel.folder_dissolve_asked.emit("Bolts & nuts")
    await driver.until(lambda: panel.model.folders() == [], "no folder")


async def test_which_folders_are_closed_is_remembered(open_window: Open) -> None:
    driver = await with_sessions(open_window, "one", "two")
    panel = driver.window.sessions
    panel.folder_asked.emit([by_title(driver)["one"].id], "Work")
    await driver.until(lambda: panel.model.folders() == ["Work"], "the folder")
    panel.model.toggle("Work")
    await driver.closes()
    again = await open_window()
    await again.until(lambda: [row.title for row in again.sessions()] == ["two"], "the folder closed as it was")


async def test_a_session_deleted_while_it_answers_stops_and_is_open_again_with_undo(open_window: Open) -> None:
    driver = await open_window({"chunks": ["word "] * 2_000, "delay": 0.05})
    driver.chooses_mode("direct")
    driver.ask("go on for long")
    await driver.until(lambda: driver.is_running() and driver.answers()[-1:] > [""], "the first words")
    session, handle = driver.session, driver.desk.conversation.run.handle
    driver.command("delete")
    await driver.until(lambda: not handle.is_running, "the run stopped")
    await driver.until(lambda: driver.questions() == [], "another session in its place")
    await driver.until(lambda: driver.sessions() == [], "its row gone")
    await driver.until(driver.notice, "the way back")
    driver.presses_notice()
    await driver.until(lambda: driver.questions() == ["go on for long"], "the session open again")
    assert driver.session == session
    await driver.until(lambda: driver.last().stop_reason, "how it ended")
    assert driver.answers()[0].startswith("word")
    assert driver.last().stop_reason.startswith("Stopped by you")
