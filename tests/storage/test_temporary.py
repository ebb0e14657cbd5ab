"""Temporary sessions: all that stored ones can do, and nothing of it on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.errors import UnknownName
from app.core.ids import TEMPORARY, is_temporary, new_id
from app.core.run.messages import user_message
from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.maintenance.session_transfer import TransferStore
from app.storage.stores.attachments import AttachmentStore
from app.storage.stores.ratings import Rating, RatingStore
from app.storage.stores.sessions import SessionStore

CANARY = "canary-7f3a"


def files_with(folder: Path, word: str) -> list[str]:
    """Every file below `folder` that holds the word, in UTF-8 or UTF-16."""
    forms = [word.encode(), word.encode("utf-16-le")]
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path.name for path in found if any(form in path.read_bytes() for form in forms)]


async def temporary(sessions: SessionStore) -> str:
    id = new_id(TEMPORARY)
    await sessions.create(SessionRow(id, "", "assistant", "", "", 1.0, 1.0))
    await sessions.add_message(id, user_message(new_id(id), f"{CANARY} a question", created=2.0))
    return id


def test_an_id_beside_a_temporary_one_is_temporary() -> None:
    assert is_temporary(new_id(new_id(TEMPORARY)))
    assert not is_temporary(new_id(new_id()))


async def test_nothing_of_a_temporary_session_reaches_the_disk(db: Database, sessions: SessionStore) -> None:
    id = await temporary(sessions)
    await sessions.update(id, draft=f"{CANARY} a draft", folder=CANARY)
    await sessions.notes.put(id, "queue", [CANARY])
    message = (await sessions.messages(id))[0]
    await RatingStore(db).put(Rating(message.id, "assistant", "direct", CANARY, 1))
    assert await RatingStore(db).of_session(id) == {message.id: 1}
    await db.back_up("test")
    await db.close()
    assert files_with(db.path.parent, CANARY) == []


async def test_it_stands_in_the_list_and_is_gone_with_the_process(db: Database, sessions: SessionStore) -> None:
    id = await temporary(sessions)
    rows = await sessions.rows()
    assert [row.id for row in rows] == [id, "s1"]
    assert rows[0].is_temporary
    assert not rows[1].is_temporary
    assert [row.id for row in await sessions.rows("question")] == [id]
    await db.close()
    again = Database(db.path)
    assert [row.id for row in await SessionStore(again).rows()] == ["s1"]
    await again.close()


async def test_a_deleted_one_takes_no_file_of_a_stored_one_with_it(db: Database, sessions: SessionStore) -> None:
    kept = db.path.with_name("attachments") / ("a" * 64)
    kept.write_text("of a stored session")
    id = await temporary(sessions)
    await sessions.purge(id)
    assert kept.exists()
    with pytest.raises(UnknownName):
        await sessions.get(id)


async def test_a_file_of_a_temporary_session_is_read_from_memory_and_goes_with_it(db: Database) -> None:
    folder = db.path.with_name("attachments")
    store = AttachmentStore(db, folder)
    sessions = SessionStore(db)
    id = await temporary(sessions)
    ref = await store.put("notes.txt", "text/plain", b"secret", session=id)
    assert await store.read(ref) == b"secret"
    assert list(folder.iterdir()) == []
    kept = await store.put("kept.txt", "text/plain", b"kept", session=new_id())
    assert await AttachmentStore(db, folder).read(kept) == b"kept"
    await sessions.purge(id)
    assert await store.read(ref) is None
    assert await store.read("../sessions.db") is None


async def test_what_was_exported_from_one_comes_in_as_a_stored_session(db: Database, sessions: SessionStore) -> None:
    id = await temporary(sessions)
    store = TransferStore(db)
    inserted = await store.insert([await store.read(id)])
    assert not is_temporary(inserted[0].id)
    assert [message.text for message in await sessions.messages(inserted[0].id)] == [f"{CANARY} a question"]


async def test_several_are_changed_at_once_or_not_at_all(sessions: SessionStore) -> None:
    await sessions.create(SessionRow("s2", "two", "assistant", "", "", 1.0, 1.0, folder="Work"))
    before = await sessions.update_many({"s1": {"folder": "Home"}, "s2": {"folder": "Home"}})
    assert before == {"s1": {"folder": ""}, "s2": {"folder": "Work"}}
    with pytest.raises(UnknownName):
        await sessions.update_many({"s1": {"folder": "Lost"}, "nobody": {"folder": "Lost"}})
    assert {row.folder for row in await sessions.rows()} == {"Home"}
    await sessions.update_many(before)
    assert {row.id: row.folder for row in await sessions.rows()} == {"s1": "", "s2": "Work"}
