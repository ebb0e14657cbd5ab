"""B3, R21: a value changed beside the texts – a time, a state, who follows whom – is named by `verify`."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import apsw
import pytest

from app.compose import build
from app.core.errors import TriptychError
from app.core.run.messages import user_message
from app.core.run.model_call import ModelCall
from app.services.container import Services
from tests.rigs import flips

from .documents import exported, talked

CHANGES = {
    "session": (
        "id", "title", "agent", "mode", "model", "created", "updated", "pinned", "folder", "archived", "trashed",
        "preview", "draft", "extra",
    ),
    "message": ("id", "session", "seq", "parent", "role", "state", "created", "run", "owner", "text_length"),
    "body": ("json", "checksum"),
    "run": (
        "id", "session", "message", "parent", "agent", "mode", "model", "started", "ended", "state", "reason", "steps",
        "usage", "owner",
    ),
    "event": ("seq", "body"),
    "result": ("run", "call_id", "body"),
    "model_call": ("run", "number", "body"),
    "tool_intent": ("call_id", "name", "args_hash", "state", "permit", "server", "started", "ended"),
    "session_note": ("kind", "body"),
    "rating": ("agent", "mode", "query", "value", "created"),
    "document": ("kind", "id", "version", "body", "created"),
    "attachment": ("hash", "name", "mime", "size", "created"),
    "meta": ("made", "clean", "messages", "highest"),
}  # fmt: skip


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A row in every table, and a copy."""
    services = build(tmp_path / "kept", {})
    await services.open()
    await fill(services)
    await services.backups.make()
    await services.close()
    return tmp_path / "kept"


async def fill(services: Services) -> str:
    id = await talked(services)
    await services.sessions.notes.set_queue(id, ["later"])
    await services.ratings.rate("a1", 1, agent="assistant", mode="react", query="q")
    await services.run_store.intents.propose("r1", "c9", "pay", "hash", permit="once", server="s")
    await services.run_store.save_model_calls("r1", [ModelCall(1, 1, "step", "m", body="{}")])
    picture = await services.attachments.add_image("dot.png", PNG, id)
    assert picture.ref
    await services.prompts.save("Greeting", "hello {name}")
    return id


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c636060606000000005000160f5f5c50000000049454e44ae426082"
)


def change(database: Path, table: str, column: str) -> int:
    """A value that is as good as the one before; returns the number of rows with another one."""
    connection = apsw.Connection(str(database))
    other = (
        f"CASE typeof({column}) WHEN 'text' THEN {column} || 'x' WHEN 'null' THEN 'x'"
        f" WHEN 'blob' THEN {column} || x'00' ELSE {column} + 1000 END"
    )
    try:
        connection.execute(f"UPDATE {table} SET {column} = {other} WHERE rowid = (SELECT max(rowid) FROM {table})")
    except apsw.SQLError:
        connection.execute(f"UPDATE {table} SET {column} = {other}")
    changed = connection.changes()
    connection.close()
    return changed


async def found_in(folder: Path) -> list[str]:
    services = build(folder, {})
    try:
        await services.open()
        return await services.checks.verify()
    except TriptychError as error:
        return [error.message]
    finally:
        await services.close()


async def test_R21_a_changed_value_of_any_column_is_found(folder: Path) -> None:
    database = folder / "sessions.db"
    assert await found_in(folder) == []
    whole, missed = database.read_bytes(), []
    for table, columns in CHANGES.items():
        for column in columns:
            database.write_bytes(whole)
            assert change(database, table, column), f"there is no row in {table}"
            if not await found_in(folder):
                missed.append(f"{table}.{column}")
        database.write_bytes(whole)
        connection = apsw.Connection(str(database))
        connection.execute(f"DELETE FROM {table} WHERE true").fetchall()
        connection.close()
        if not await found_in(folder):
            missed.append(f"{table}: its rows")
    assert missed == []


async def test_R21_what_is_damaged_is_named_until_it_is_mended_however_often_its_row_is_written(folder: Path) -> None:
    connection = apsw.Connection(str(folder / "sessions.db"))
    connection.execute("UPDATE session SET mode = 'plan'").fetchall()
    connection.close()
    services = build(folder, {})
    await services.open()
    (row,) = await services.sessions.rows()
    fault = [f"the row of session {row.id} is not what was written"]
    assert await services.checks.verify() == fault
    await services.sessions.rename(row.id, "another title")
    await services.sessions.add(row.id, user_message("m1", "goes on", created=7.0))
    assert await services.checks.verify() == fault
    await services.close()
    assert await found_in(folder) == fault


async def test_R18_a_changed_time_in_the_bin_deletes_nothing_for_good(folder: Path) -> None:
    services = build(folder, {})
    await services.open()
    (row,) = await services.sessions.rows()
    await services.sessions.bin.trash(row.id)
    await services.close()
    connection = apsw.Connection(str(folder / "sessions.db"))
    connection.execute("UPDATE session SET trashed = 1.0").fetchall()
    connection.close()
    services = build(folder, {})
    await services.open()
    assert [one.id for one in await services.sessions.bin.rows()] == [row.id]
    await services.close()


async def test_R21_whatever_the_program_does_is_as_written(folder: Path) -> None:
    services = build(folder, {})
    await services.open()
    (row,) = await services.sessions.rows()
    fork = await services.sessions.edits.fork(row.id, "a1")
    await services.sessions.update(fork.id, pinned=True, folder="trips", draft="half a", mode="direct")
    before = await services.sessions.change([row.id, fork.id], archived=True)
    await services.sessions.put_back(before)
    await services.sessions.rename_folder("trips", "travels")
    await services.sessions.edits.hide_message(fork.id, (await services.sessions.messages(fork.id))[-1].id)
    data = await exported(services, row.id)
    await services.sessions.bin.purge(row.id)
    await services.transfer.import_data([data])
    await services.ratings.reset()
    await services.sessions.bin.sweep()
    await services.sessions.bin.trash(fork.id)
    await services.sessions.bin.restore(fork.id)
    assert await services.checks.verify() == []
    await services.close()
    assert await found_in(folder) == []


async def test_R21_an_attachment_that_is_changed_or_gone_is_found(folder: Path) -> None:
    (file,) = (folder / "attachments").iterdir()
    file.write_bytes(PNG + b"x")
    assert await found_in(folder) == [f"the file of the attachment {file.name} (dot.png) is not what was written"]
    file.unlink()
    (line,) = await found_in(folder)
    assert "cannot be read" in line


async def flip_metadata(folder: Path, rounds: int, seed: int) -> None:
    """Each flipped bit is found, or changes nothing that is stored; and what can be read is read."""
    chance, database = random.Random(seed), folder / "sessions.db"
    pages, whole, missed = flips.pages_of(database, *flips.METADATA), flips.contents(database), []
    for n in range(rounds):
        place = folder.with_name(f"flipped{n}")
        shutil.copytree(folder, place)
        at = flips.flip(place / "sessions.db", chance, pages)
        is_harmless = flips.contents(place / "sessions.db") == whole
        if not await found_in(place) and not is_harmless:
            missed.append(at)
        shutil.rmtree(place)
    assert missed == []


async def test_R21_a_bit_flipped_in_a_row_is_found_or_harmless(folder: Path) -> None:
    await flip_metadata(folder, 20, seed=3)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
async def test_R21_two_hundred_bits_flipped_in_rows_are_found_or_harmless(folder: Path) -> None:
    await flip_metadata(folder, 200, seed=int(time.time()))
