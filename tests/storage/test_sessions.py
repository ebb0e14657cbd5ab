"""Sessions in the list, and the messages in them."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import UnknownName
from app.core.run.events import Notice
from app.core.run.messages import Attachment, Fact, Message, Text, user_message
from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.folder.errors import IdTaken
from app.storage.maintenance.verify import file_problems
from app.storage.stores.sessions import SessionStore
from app.storage.stores.titles import LIMIT, title_from


def row(id: str, **fields: object) -> SessionRow:
    base: dict[str, object] = {
        "title": id,
        "agent": "assistant",
        "mode": "",
        "model": "",
        "created": 1.0,
        "updated": 1.0,
    }
    return SessionRow(id=id, **(base | fields))  # type: ignore[arg-type]  # a row of a test


@pytest.fixture
async def store(db: Database) -> SessionStore:
    return SessionStore(db)


async def test_a_row_comes_back_as_it_went_in(store: SessionStore) -> None:
    whole = row(
        "s", title="三联", mode="plan", model="env/x", pinned=True, folder="work", preview="p", draft="unsent\ntext"
    )
    await store.create(whole)
    assert await store.get("s") == whole
    assert await store.rows() == [whole]


async def test_pinned_come_first_then_the_newest_and_the_bin_is_apart(store: SessionStore) -> None:
    for id, updated in (("old", 1.0), ("new", 3.0), ("pinned", 2.0), ("binned", 9.0), ("away", 8.0)):
        await store.create(row(id, updated=updated))
    await store.update("pinned", pinned=True)
    await store.update("away", archived=True)
    await store.trash("binned")
    assert [r.id for r in await store.rows()] == ["pinned", "new", "old"]
    assert [r.id for r in await store.rows(archived=True)] == ["pinned", "away", "new", "old"]
    assert [r.id for r in await store.rows(trashed=True)] == ["binned"]
    assert [r.id for r in await store.rows(limit=1)] == ["pinned"]


async def test_R18_a_session_comes_back_from_the_bin_with_its_messages(store: SessionStore) -> None:
    await store.create(row("s"))
    await store.add_message("s", user_message("m", "hello", created=0.0))
    await store.trash("s")
    assert (await store.get("s")).trashed == pytest.approx(time.time(), abs=60)
    await store.restore("s")
    assert (await store.get("s")).trashed is None
    assert [m.text for m in await store.messages("s")] == ["hello"]


async def test_every_word_of_a_query_is_in_title_preview_or_folder(store: SessionStore) -> None:
    await store.create(row("a", title="杭州三日游", preview="West Lake"))
    await store.create(row("b", title="100% cotton_shirt", folder="Shop\\Floor"))
    for query, found in [
        ("三日", ["a"]), ("west 杭州", ["a"]), ("WEST", ["a"]), ("100%", ["b"]), ("n_s", ["b"]), ("p\\f", ["b"]),
        ("%", ["b"]), ("_", ["b"]), ("west cotton", []), ("'; --", []), ("", ["b", "a"]),
    ]:  # fmt: skip
        assert [r.id for r in await store.rows(query)] == found, query


async def test_update_refuses_what_a_session_does_not_have(store: SessionStore) -> None:
    await store.create(row("s"))
    with pytest.raises(TypeError):
        await store.update("s", **{"id = 'x', title": "y"})
    with pytest.raises(UnknownName):
        await store.update("gone", title="x")
    await store.update("s")


async def test_the_first_question_names_the_session_and_later_ones_do_not(store: SessionStore) -> None:
    await store.create(row("s", title=""))
    await store.add_message("s", user_message("m1", "  \n# Plan a trip\nto Xi'an", created=0.0))
    await store.add_message("s", user_message("m2", "and another\nthing", created=0.0))
    stored = await store.get("s")
    assert stored.title == "Plan a trip"
    assert stored.preview == "and another thing"
    assert stored.updated > 1.0
    await store.update("s", title="Mine")
    await store.add_message("s", user_message("m3", "x", created=0.0))
    assert (await store.get("s")).title == "Mine"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("\n\n  \n", ""),
        ("short", "short"),
        ("one  two\tthree", "one two three"),
        ("字" * 100, "字" * LIMIT + "…"),
        ("word " * 30, "word word word word word word word word word…"),
        ("x" * 3_000_000, "x" * LIMIT + "…"),
    ],
)
def test_titles_are_one_short_line(text: str, title: str) -> None:
    assert title_from(text) == title


async def test_messages_keep_their_order_whatever_the_clock_says(store: SessionStore) -> None:
    await store.create(row("s"))
    for n, created in enumerate([5.0, 1.0, 9e9, -3.0]):
        await store.add_message("s", user_message(f"m{n}", str(n), created=created))
    assert [m.text for m in await store.messages("s")] == ["0", "1", "2", "3"]
    assert [m.created for m in await store.messages("s")] == [5.0, 1.0, 9e9, -3.0]


async def test_single_messages_are_loaded_in_the_order_asked_for(store: SessionStore) -> None:
    await store.create(row("s"))
    await store.create(row("other"))
    for n in range(30):
        await store.add_message("s", user_message(f"m{n}", "x" * n, created=0.0))
    await store.add_message("other", user_message("elsewhere", "y", created=0.0))
    some = await store.load("s", ["m29", "gone", "m3", "elsewhere"])
    assert [m.id for m in some] == ["m29", "m3"]


async def test_variants_name_their_parent(store: SessionStore) -> None:
    await store.create(row("s"))
    await store.add_message("s", user_message("q", "?", created=0.0))
    for id in ("a1", "a2"):
        await store.add_message("s", Message(id, "assistant", (Text(id),), 1.0, parent="q"))
    assert [(m.id, m.parent) for m in await store.messages("s")] == [("q", None), ("a1", "q"), ("a2", "q")]


async def test_deleting_leaves_the_others_and_their_places(store: SessionStore) -> None:
    await store.create(row("s"))
    for id in ("m1", "m2", "m3"):
        await store.add_message("s", user_message(id, id, created=0.0))
    await store.delete_messages("s", ["m1", "gone"])
    assert [m.text for m in await store.messages("s")] == ["m2", "m3"]
    assert await store.add_message("s", user_message("m4", "", created=0.0)) == 4


async def test_a_message_of_another_session_cannot_be_touched(store: SessionStore) -> None:
    await store.create(row("a"))
    await store.create(row("b"))
    await store.add_message("a", user_message("m", "mine", created=0.0))
    await store.delete_messages("b", ["m"])
    assert [m.text for m in await store.messages("a")] == ["mine"]


async def test_a_taken_id_is_told_and_nothing_is_overwritten(store: SessionStore) -> None:
    await store.create(row("s", title="first"))
    await store.add_message("s", user_message("m", "first", created=0.0))
    with pytest.raises(IdTaken):
        await store.create(row("s", title="second"))
    with pytest.raises(IdTaken):
        await store.add_message("s", user_message("m", "second", created=0.0))
    assert (await store.get("s")).title == "first"
    assert [m.text for m in await store.messages("s")] == ["first"]


async def test_unknown_fields_of_an_imported_message_are_kept(store: SessionStore) -> None:
    await store.create(row("s"))
    message = Message("m", "user", (Text("hi"), Attachment("hash", "a.txt", "text/plain", "A")), extra={"model_x": [1]})
    await store.add_message("s", message)
    assert await store.messages("s") == [message]


@pytest.mark.parametrize(
    ("given_text", "stored"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\udfff", "\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("nul\0here", "nul␀here"),
        ("\\u0000", "\\u0000"),
    ],
)
async def test_T44_text_that_is_no_text_is_repaired_and_not_lost(
    store: SessionStore, given_text: str, stored: str
) -> None:
    await store.create(row("s", title=""))
    await store.add_message("s", user_message("m", given_text, created=0.0))
    await store.update("s", draft=given_text)
    assert [m.text for m in await store.messages("s")] == [stored]
    assert (await store.get("s")).draft == stored


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(text=st.text(st.characters(exclude_categories=())))
async def test_T44_any_text_can_be_stored(store: SessionStore, text: str) -> None:
    id = str(time.monotonic_ns())
    await store.create(row(id, title=""))
    await store.add_message(id, user_message("m" + id, text, created=0.0))
    (back,) = await store.messages(id)
    if text.isprintable() and text.isascii():
        assert back.text == text
    back.text.encode()


def damaged(message: Message) -> str:
    return next(
        str(part.event.params["how"])
        for part in message.parts
        if isinstance(part, Fact) and isinstance(part.event, Notice) and part.event.code == "message_damaged"
    )


async def test_R21_a_flipped_bit_in_a_text_is_noticed_and_hides_nothing(db: Database, store: SessionStore) -> None:
    await store.create(row("s"))
    for n in range(50):
        await store.add_message("s", user_message(f"m{n}", f"text number {n} is here", created=0.0))
    flip = "UPDATE body SET json = replace(json, 'number', 'numbes') WHERE message > 1"
    await db.write(lambda cursor: cursor.execute(flip).fetchall())
    assert await file_problems(db) == []
    first, *others = await store.messages("s")
    assert first.text == "text number 0 is here"
    assert all(not isinstance(part, Fact) for part in first.parts)
    assert len(others) == 49
    assert {damaged(message) for message in others} == {"changed"}
    assert others[0].text == "text numbes 1 is here"


@pytest.mark.parametrize("json", ["", "{", "[]", "null", '{"parts": 3}', '{"parts": [{"kind": "?"}]}', "[" * 50_000])
async def test_one_unreadable_message_does_not_hide_the_session(db: Database, store: SessionStore, json: str) -> None:
    await store.create(row("s"))
    for n in range(3):
        await store.add_message("s", user_message(f"m{n}", f"text {n}", created=0.0))
    await db.write(lambda cursor: cursor.execute("UPDATE body SET json = ? WHERE message = 2", (json,)).fetchall())
    messages = await store.messages("s")
    assert [m.text for m in messages] == ["text 0", "", "text 2"]
    assert damaged(messages[1]) == "unreadable"
