"""What is stored can be found: titles, messages, results; in Chinese and English."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.core.run.messages import Message, Text, user_message
from app.core.run.transcript import fold
from app.core.session.summary import SessionRow
from app.storage.db import search_index as search_rows
from app.storage.db.database import Database
from app.storage.stores import message_rows
from app.storage.stores.documents import Documents
from app.storage.stores.runs import RunStore
from app.storage.stores.search import SearchStore
from app.storage.stores.session_rows import number_of
from app.storage.stores.sessions import SessionStore

from .talk import END, WHOLE, stamped, streaming


@pytest.fixture
def search(db: Database) -> SearchStore:
    return SearchStore(db)


async def add(sessions: SessionStore, id: str, text: str, session: str = "s1", created: float = 1.0) -> None:
    await sessions.add_message(session, user_message(id, text, created=created))


async def found(search: SearchStore, query: str, **filters: object) -> list[str | None]:
    return [hit.message for hit in await search.search(query, **filters) if hit.kind != "title"]  # type: ignore[arg-type]


async def test_words_phrases_and_chinese_characters_are_found(sessions: SessionStore, search: SearchStore) -> None:
    await add(sessions, "m1", "帮我规划杭州三日游，两个人")
    await add(sessions, "m2", "The quick brown fox; brown quickly")
    await add(sessions, "m3", "三月的日游")
    assert await found(search, "三日游") == ["m1"]
    assert await found(search, "日游") == ["m3", "m1"]
    assert await found(search, "游") == ["m3", "m1"]
    assert await found(search, "BROWN quick") == ["m2"]
    assert await found(search, '"quick brown"') == ["m2"]
    assert await found(search, '"fox quick"') == []
    assert await found(search, "quic") == ["m2"], "the last word may go on"
    assert await found(search, "!!") == []


async def test_A16_what_is_pasted_into_the_search_is_answered_whatever_it_is(
    sessions: SessionStore, search: SearchStore
) -> None:
    words = " ".join(f"word{n}" for n in range(5_000))
    await sessions.add_message("s1", user_message("m-long", words, created=9.0))
    assert [hit.message for hit in await search.search(words)] == ["m-long"]
    for typed in ('" OR AND NOT NEAR( * ^ ) -' * 4_000, "\0\1\x1b" * 30_000, "茶" * 100_000, '"' * 100_001):
        assert await search.search(typed) == []


async def test_a_hit_shows_where_it_is(sessions: SessionStore, search: SearchStore) -> None:
    await add(sessions, "m1", "x" * 200 + " 在西湖边喝茶 " + "y" * 200)
    (hit,) = [hit for hit in await search.search("西湖") if hit.kind == "message"]
    assert [hit.snippet[a:b] for a, b in hit.ranges] == ["西湖"]
    assert (hit.session, hit.role) == ("s1", "user")


async def test_titles_are_found_under_their_newest_name(sessions: SessionStore, search: SearchStore) -> None:
    await sessions.update("s1", title="Autumn in Kyoto")
    await sessions.update("s1", title="Spring in Kyoto")
    assert [hit.session for hit in await search.search("spring kyo")] == ["s1"]
    assert await search.search("autumn") == []


async def test_tool_results_and_finished_answers_are_found(
    sessions: SessionStore, runs: RunStore, search: SearchStore
) -> None:
    await runs.start("r1", "s1", streaming())
    assert await found(search, "hit") == []
    await runs.finish("r1", stamped(WHOLE), fold(WHOLE, "a1", run="r1"))
    (hit,) = await search.search("one hit")
    assert (hit.kind, hit.message) == ("result", "a1")
    assert await found(search, "done") == ["a1"]


async def test_an_answer_cut_by_a_crash_is_found_after_recovery(
    db: Database, sessions: SessionStore, runs: RunStore, search: SearchStore
) -> None:
    await runs.start("r1", "s1", streaming())
    await runs.append("r1", stamped(WHOLE[:-1]))
    await runs.close()
    await db.write(lambda cursor: cursor.execute("DELETE FROM owner").fetchall())
    assert await RunStore(db).recover() == ["s1"]
    assert await found(search, "it is") == ["a1"]


async def test_filters_by_agent_mode_and_date(sessions: SessionStore, runs: RunStore, search: SearchStore) -> None:
    await sessions.create(SessionRow("s2", "", "travel", "plan", "", 1.0, 1.0))
    await add(sessions, "m1", "tea", created=100.0)
    await add(sessions, "m2", "tea", "s2", created=200.0)
    assert await found(search, "tea", agent="travel") == ["m2"]
    assert await found(search, "tea", mode="plan") == ["m2"]
    await runs.start("r1", "s1", streaming(), mode="direct")
    assert await found(search, "tea", mode="direct") == ["m1"]
    assert await found(search, "tea", since=150.0) == ["m2"]
    assert await found(search, "tea", until=150.0) == ["m1"]
    assert [hit.kind for hit in await search.search("tea", limit=3)] == ["title", "title", "message"]


async def test_the_bin_is_not_searched(sessions: SessionStore, search: SearchStore) -> None:
    await add(sessions, "m1", "tea")
    await sessions.trash("s1")
    assert await search.search("tea") == []
    await sessions.restore("s1")
    assert await found(search, "tea") == ["m1"]


async def test_a_changed_message_is_found_by_its_new_text_alone(
    db: Database, sessions: SessionStore, search: SearchStore
) -> None:
    await add(sessions, "m1", "green tea")
    changed = Message("m1", "user", (Text("black coffee"),))
    assert await db.write(lambda cursor: message_rows.update(cursor, number_of(cursor, "s1"), changed))
    assert await found(search, "coffee") == ["m1"]
    assert await found(search, "tea") == []
    await sessions.delete_messages("s1", ["m1"])
    assert await found(search, "coffee") == []


async def test_T40_nothing_of_a_purged_session_is_left_in_the_files(
    db: Database, sessions: SessionStore, search: SearchStore
) -> None:
    for n in range(50):
        await add(sessions, f"k{n}", f"kept {random.Random(n).randbytes(6).hex()}")
    await sessions.create(SessionRow("s2", "", "a", "", "", 1.0, 1.0))
    await add(sessions, "m1", "qqcanaryzz", "s2")
    documents = Documents(db)
    for kind, id, body in (
        ("source:s2", "s-1", {"text": "a page, qqcanaryzz " * 9_000}),
        ("source:s2", "s-1", {"text": "its next version, qqcanaryzz"}),
        ("finding:s2", "f-1", "qqcanaryzz"),
        ("report", "r-1", {"session": "s2", "passage": "qqcanaryzz"}),
        ("report", "r-2", {"session": "s22", "passage": "kept"}),
        ("source:as2", "s-1", {"text": "kept"}),
        ("trip", "s2", {"title": "kept"}),
    ):
        await documents.put(kind, id, body)
    await sessions.purge("s2")
    left = [
        one
        for kind in ("source:s2", "finding:s2", "report", "source:as2", "trip")
        for one in await documents.list(kind)
    ]
    assert [(one.kind, one.id) for one in left] == [("report", "r-2"), ("source:as2", "s-1"), ("trip", "s2")]
    await sessions.forget()
    await db.close()
    for path in db.path.parent.glob("sessions.db*"):
        assert b"canaryzz" not in path.read_bytes(), path


async def test_T40_words_leave_the_index_in_pieces_between_which_others_write(
    db: Database, sessions: SessionStore, search: SearchStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(40)

    def words(count: int) -> str:
        return " ".join(chance.randbytes(5).hex() for _ in range(count))

    await sessions.create(SessionRow("s2", "canary title", "a", "", "", 1.0, 1.0))
    await add(sessions, "m1", "qqcanaryzz " + words(2_000), "s2")
    for n in range(12):
        await add(sessions, f"k{n}", f"kept{n} " + words(1_000))
    monkeypatch.setattr(search_rows, "_AT_ONCE", 2)
    pieces: list[str] = []
    write = db.write

    async def counted(work: Callable[[apsw.Cursor], Any]) -> Any:
        pieces.append("piece")
        if len(pieces) % 10 == 5:
            await sessions.add_message("s1", user_message(f"between{len(pieces)}", "meanwhile", created=0.0))
        return await write(work)

    await sessions.purge("s2")
    assert await db.read(search_rows.has_to_forget)
    monkeypatch.setattr(db, "write", counted)
    await sessions.forget()
    assert len(pieces) > 10, "no transaction writes the whole index"
    assert not await db.read(search_rows.has_to_forget)
    assert await search.search("meanwhile")
    assert await found(search, "kept3") == ["k3"]
    await db.write(lambda cursor: cursor.execute("INSERT INTO search (search) VALUES ('integrity-check')").fetchall())
    await db.close()
    for path in db.path.parent.glob("sessions.db*"):
        assert b"canary" not in path.read_bytes(), path


async def test_a_damaged_body_is_passed_over_when_the_index_is_made(db: Database, sessions: SessionStore) -> None:
    await add(sessions, "m1", "one")
    await add(sessions, "m2", "two")

    def spoil(cursor: apsw.Cursor) -> None:
        cursor.execute("UPDATE body SET json = '[[[' WHERE message = 1").fetchall()
        search_rows.rebuild(cursor)

    await db.write(spoil)
    assert await found(SearchStore(db), "two") == ["m2"]
    assert await found(SearchStore(db), "one") == []


async def test_any_stored_shape_can_be_indexed() -> None:
    for body in ({}, {"parts": 3}, {"parts": [None, {"kind": "tool", "result": []}, {"kind": "text"}]}, {"end": "x"}):
        assert "".join(text for _, text in search_rows.texts_of(body)).strip() == ""


async def test_an_answer_that_is_only_in_the_last_event_is_found(
    sessions: SessionStore, runs: RunStore, search: SearchStore
) -> None:
    events = [WHOLE[0], replace(END, answer="forty-two")]
    await runs.start("r1", "s1", streaming())
    await runs.finish("r1", stamped(events), fold(events, "a1", run="r1"))
    assert await found(search, "forty-two") == ["a1"]


async def test_search_agrees_with_a_plain_scan(sessions: SessionStore, search: SearchStore, tmp_path: Path) -> None:
    chance = random.Random(5)
    texts = {f"m{n}": "".join(chance.choice("三日游北京茶 ") for _ in range(12)) for n in range(200)}
    for id, text in texts.items():
        await add(sessions, id, text)
    for _ in range(60):
        piece = "".join(chance.choice("三日游北京茶") for _ in range(chance.randint(1, 3)))
        there = {id for id, text in texts.items() if piece in text.replace(" ", "")}
        assert set(await found(search, piece, limit=500)) == there
