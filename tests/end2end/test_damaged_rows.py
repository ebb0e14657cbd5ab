"""B3: one wrong value in a row, and the window opens, paints every line and can be used."""

from __future__ import annotations

from pathlib import Path

from tests.rigs import damaged_rows

from .conftest import Open


async def test_R21_a_window_opens_over_a_list_in_which_every_column_is_damaged_in_every_way(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    await driver.asked("the one that is whole")
    services = driver.desk._services
    edits = [one for one in damaged_rows.edits() if one[0] == "session"]
    ids = [(await services.sessions.create("assistant")).id for _ in edits]
    await driver.application.close()
    database = tmp_path / "data" / "sessions.db"
    for id, one in zip(ids, edits, strict=True):
        damaged_rows.edit(database, *one, where=f"id = '{id}'")

    driver = await open_window()
    view, model = driver.window.sessions.list, driver.window.sessions.model
    await driver.until(lambda: model.rowCount() > 1, "the list")
    for key in list(model.folders()):
        model.toggle(key, True)
    shown = len([row for row in driver.sessions() if row.id in ids])
    assert shown > len(ids) * 0.8, "those that were not archived"
    bar = view.verticalScrollBar()
    for place in range(0, bar.maximum() + view.height(), view.height()):
        bar.setValue(place)
        view.viewport().grab()
    for row in driver.sessions()[:: max(1, shown // 12)]:
        await driver.desk.conversation.open(row.id)
        assert driver.desk.conversation.row.id == row.id
    driver.desk.new_session()
    await driver.asked("and goes on")
    assert driver.answers() == ["yes"]


async def test_R21_conversations_in_which_every_column_is_damaged_are_shown(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window()
    edits = [one for one in damaged_rows.edits() if one[0] in ("message", "body", "run", "event")][::12]
    sessions: list[str] = []
    for _ in edits:
        driver.desk.new_session()
        await driver.asked("a question")
        sessions.append(driver.desk.conversation.row.id)
    await driver.application.close()
    database = tmp_path / "data" / "sessions.db"
    damaged = [
        (session, one)
        for session, one in zip(sessions, edits, strict=True)
        if damaged_rows.edit(database, *one, where=damaged_rows.of_session(one[0], session))
    ]
    assert len(damaged) > len(edits) * 0.7

    driver = await open_window()
    for session, one in damaged:
        await driver.desk.conversation.open(session)
        assert driver.rows(), f"nothing is shown because of {one}"
        driver.window.grab()
