"""Versioned documents of the domains."""

from __future__ import annotations

import asyncio

import pytest

from app.core.errors import BadInput
from app.core.stores import DocumentStore
from app.storage.db.database import Database
from app.storage.stores.documents import Documents


@pytest.fixture
def store(db: Database) -> DocumentStore:
    return Documents(db)


async def test_every_write_is_a_new_version(store: DocumentStore) -> None:
    first = await store.put("trip", "t1", {"days": [1, 2]})
    second = await store.put("trip", "t1", {"days": [1]}, base=1)
    assert (first.version, second.version) == (1, 2)
    assert await store.get("trip", "t1") == second
    assert await store.get("trip", "t1", 1) == first
    assert await store.get("trip", "t1", 3) is None
    assert await store.get("plan", "t1") is None


async def test_a_change_of_an_old_version_is_refused(store: DocumentStore) -> None:
    await store.put("trip", "t1", 1)
    await store.put("trip", "t1", 2, base=1)
    with pytest.raises(BadInput) as caught:
        await store.put("trip", "t1", 3, base=1)
    assert caught.value.code == "STALE"
    assert caught.value.params["version"] == 2
    with pytest.raises(BadInput):
        await store.put("trip", "new", 1, base=4)


async def test_of_two_changes_at_once_one_is_told(store: DocumentStore) -> None:
    await store.put("trip", "t1", 0)
    done = await asyncio.gather(*(store.put("trip", "t1", n, base=1) for n in range(2)), return_exceptions=True)
    assert sorted(isinstance(one, BadInput) for one in done) == [False, True]


async def test_the_list_has_the_newest_of_each(store: DocumentStore) -> None:
    await store.put("trip", "a", "a1")
    await store.put("trip", "b", "b1")
    await store.put("trip", "a", "a2")
    await store.put("book", "c", "c1")
    assert [(d.id, d.body) for d in await store.list("trip")] == [("a", "a2"), ("b", "b1")]
    assert await store.list("none") == []


async def test_deleting_takes_all_versions(store: DocumentStore) -> None:
    await store.put("trip", "a", 1)
    await store.put("trip", "a", 2)
    assert await store.delete("trip", "a")
    assert not await store.delete("trip", "a")
    assert await store.get("trip", "a", 1) is None


async def test_T44_a_document_holds_any_text(store: DocumentStore) -> None:
    document = await store.put("book", "三体\ud800", {"字\0": ["\udfff"]})
    assert document.body == {"字␀": ["\ufffd"]}
    assert await store.get("book", document.id) == document
