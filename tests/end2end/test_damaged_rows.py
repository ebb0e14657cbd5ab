"""B3: one wrong value in a row, and the window opens, paints every line and can be used."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.core.errors import InternalError, TriptychError
from app.ui.dialogs.data.recovery import RecoveryDialog
from tests.rigs import damaged_rows, flips

from .conftest import Driver, Open
from .test_newer_data import take_back


async def test_R21_a_window_opens_over_a_list_in_which_every_column_is_damaged_in_every_way(
    open_window: Open, tmp_path: Path
) -> None:
    driver = await open_window()
    await driver.asked("the one that is whole")
    services = driver.services
    edits = [one for one in damaged_rows.edits() if one[0] == "session"]
    ids = [(await services.sessions.create("assistant")).id for _ in edits]
    await driver.closes()
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
    for row in driver.sessions()[:: max(1, shown // 6)]:
        await driver.desk.conversation.open(row.id)
        assert driver.session == row.id
    driver.command("new")
    await driver.asked("and goes on")
    assert driver.answers() == ["yes"]


async def test_R21_conversations_in_which_every_column_is_damaged_are_shown(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window()
    edits = [one for one in damaged_rows.edits() if one[0] in ("message", "body", "run", "event")][::47]
    sessions: list[str] = []
    for _ in edits:
        driver.command("new")
        await driver.asked("a question")
        sessions.append(driver.session)
    await driver.closes()
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
        driver.picture()


WRONG: tuple[Any, ...] = (None, "", "understandinw", -1, 1e300, 10**30, True, [], [None], {}, {"x": None})


def wrong_fields(body: Any) -> Iterator[Any]:
    """The JSON with one value in it, at any depth, of another kind or beyond all bounds."""
    match body:
        case dict():
            for name, value in body.items():
                yield from ({**body, name: wrong} for wrong in WRONG)
                yield from ({**body, name: inner} for inner in wrong_fields(value))
        case list():
            for n, value in enumerate(body):
                yield from ([*body[:n], inner, *body[n + 1 :]] for inner in (*WRONG, *wrong_fields(value)))


async def show_wrong_fields(open_window: Open, folder: Path, every: int) -> None:
    """Of the log of a run, and of its message."""
    driver = await open_window(
        {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}, {"content": "**42**"}
    )
    await driver.asked("six by seven")
    shown = driver.session
    driver.command("new")
    await driver.asked("another")
    other = driver.session
    connection = apsw.Connection(str(folder / "sessions.db"))
    connection.set_busy_timeout(5_000)
    count = 0
    for table, column in (("event", "body"), ("body", "json")):
        rows: Any = connection.execute(f"SELECT rowid, {column} FROM {table}" if table == "body" else EVENTS).fetchall()
        for key, text in rows:
            for wrong in wrong_fields(json.loads(text)):
                count += 1
                if count % every:
                    continue
                write(connection, table, key, json.dumps(wrong))
                await driver.desk.conversation.open(other)
                await driver.desk.conversation.open(shown)
                assert driver.questions() or table == "body", f"nothing is shown with {wrong}"
                driver.picture()
            write(connection, table, key, text)
    connection.close()


EVENTS = "SELECT seq, body FROM event WHERE run = (SELECT min(n) FROM run)"


def write(connection: apsw.Connection, table: str, key: int, text: str) -> None:
    if table == "event":
        connection.execute("UPDATE event SET body = ? WHERE seq = ? AND run = (SELECT min(n) FROM run)", (text, key))
    else:
        connection.execute("UPDATE body SET json = ? WHERE message = ?", (text, key))


async def test_R21_a_conversation_is_shown_whatever_its_log_holds(open_window: Open, tmp_path: Path) -> None:
    await show_wrong_fields(open_window, tmp_path / "data", 613)


@pytest.mark.soak
@pytest.mark.timeout(7_200)
async def test_R21_a_conversation_is_shown_whatever_any_field_of_its_log_holds(
    open_window: Open, tmp_path: Path
) -> None:
    await show_wrong_fields(open_window, tmp_path / "data", 1)


SESSIONS = 6


async def open_flipped(open_window: Open, folder: Path, rounds: int, seed: int) -> None:
    """After each flipped bit the window opens: with the list, or with the way back to a sound copy; and so does
    every conversation in it."""
    driver = await open_window()
    for n in range(SESSIONS):
        driver.command("new")
        await driver.asked(f"question {n}")
    await driver.services.backups.make()
    await driver.closes()
    database, chance = folder / "sessions.db", random.Random(seed)
    whole, pages = database.read_bytes(), flips.pages_of(database, *flips.METADATA)
    for _ in range(rounds):
        restore(database, whole)
        at = flips.flip(database, chance, pages)
        driver = await open_window(ready=False)
        await opened(driver, f"after the flip at {at}")
        rows = driver.sessions()
        assert len(rows) >= SESSIONS - 2, f"after the flip at {at}"
        driver.picture()
        for row in rows:
            try:
                await driver.desk.conversation.open(row.id)
            except InternalError:
                raise
            except TriptychError as error:
                # The bit is in the name by which it is looked up, or on a page that cannot be read: said in words.
                print(f"after the flip at {at}: {error}")
            driver.picture()
        await driver.leave()


def restore(database: Path, whole: bytes) -> None:
    for journal in database.parent.glob("sessions.db-*"):
        journal.unlink()
    database.write_bytes(whole)


async def opened(driver: Driver, when: str) -> None:
    opening = asyncio.ensure_future(driver.application.ready())
    await driver.until(lambda: opening.done() or driver.window.findChildren(RecoveryDialog), f"an opening {when}")
    if not opening.done():
        await take_back(driver, driver.window.findChildren(RecoveryDialog)[0])
    await opening


async def test_R06_a_list_that_cannot_be_read_is_not_shown_as_an_empty_one(open_window: Open, tmp_path: Path) -> None:
    database = tmp_path / "data" / "sessions.db"
    driver = await open_window()
    await driver.asked("is it kept?")
    await driver.services.backups.make()
    await driver.leave()
    data = bytearray(database.read_bytes())
    (page,) = flips.pages_of(database, "session")
    data[(page - 1) * int.from_bytes(data[16:18], "big")] = 0  # no kind of page
    restore(database, bytes(data))
    driver = await open_window(ready=False)
    opening = asyncio.ensure_future(driver.application.ready())
    await driver.until(lambda: driver.all_of(RecoveryDialog), "the way back")
    assert not opening.done()
    await take_back(driver, driver.window.findChildren(RecoveryDialog)[0])
    await opening
    assert [row.title for row in await driver.listed()] == ["is it kept?"]


@pytest.mark.expects_log_errors("what cannot be read is logged, too")
async def test_R21_a_window_opens_after_a_flipped_bit(open_window: Open, tmp_path: Path) -> None:
    await open_flipped(open_window, tmp_path / "data", 2, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@pytest.mark.expects_log_errors("what cannot be read is logged, too")
async def test_R21_a_window_opens_after_each_of_two_hundred_flipped_bits(open_window: Open, tmp_path: Path) -> None:
    await open_flipped(open_window, tmp_path / "data", 200, seed=200)
