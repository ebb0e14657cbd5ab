"""The kit of the domains: files that never leave their folder, documents with versions, tables and answers."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext
from app.domains.kit.cards import as_answer, key_values_card
from app.domains.kit.documents import DocumentKind
from app.domains.kit.files import file_name, write_file
from app.domains.kit.tables import Column, csv_file, table_card
from tests.domains.travel.async_calls import MemoryDocuments

NOTES = DocumentKind("note", absent=N_("there is no trip {what}"), stale=N_("the trip {id} is at version {newest}"))


def context(language: str = "en", **seams: Any) -> ToolContext:
    return ToolContext(language=language, documents=MemoryDocuments(), **seams)


async def test_a_file_is_new_whole_and_inside_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ctx = context("zh_CN", resources={"exports": tmp_path / "exports"})
    first = await write_file(ctx, "成都/行程", ".csv", b"a", example="a.csv")
    second = await write_file(ctx, "成都/行程.csv", ".csv", b"bb", example="a.csv")
    assert [(file.path.name, file.path.read_bytes()) for file in (first, second)] == [
        ("行程.csv", b"a"), ("行程 (2).csv", b"bb"),
    ]  # fmt: skip
    assert second.data() == {"file": str(second.path), "format": "csv", "bytes": 2}
    assert second.card("2 行").payload == {"name": "行程 (2).csv", "path": str(second.path), "bytes": 2, "note": "2 行"}
    refused = []
    for wanted in ("../a", "/etc/a", "C:\\a", "~/a", "con", "a\u202eb", ".a", " ", "a" * 2000):
        with pytest.raises(ToolError) as caught:
            await write_file(ctx, wanted, ".csv", b"x", example="a.csv")
        refused.append((caught.value.tool_code, caught.value.hint))
    assert set(refused) == {("PATH_DENIED", "例如 a.csv 这样的文件名")}
    assert len(list(tmp_path.rglob("*.csv"))) == 2  # noqa: ASYNC240

    def full(*_args: Any, **_named: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    with pytest.raises(ToolError, match="磁盘已满"):
        await write_file(ctx, "b", ".csv", b"x", example="a.csv")
    with pytest.raises(ToolError) as caught:
        await write_file(context(), "b", ".csv", b"x", example="a.csv")
    assert caught.value.tool_code == "PATH_DENIED"


def test_a_title_becomes_the_name_of_a_file() -> None:
    names = ["3 days: Xi'an / Chengdu?", "CON", "…", "西安、成都 3日", "x" * 300]
    assert [file_name(name, "trip") for name in names] == [
        "3 days Xi an Chengdu", "trip", "trip", "西安、成都 3日", "x" * 80,
    ]  # fmt: skip


async def test_a_change_on_an_older_version_is_refused_and_loses_nothing() -> None:
    ctx = context()
    id = NOTES.id_of({"text": "a"})
    assert id == NOTES.id_of({"text": "a"}) != NOTES.id_of({"text": "b"})
    first = await NOTES.put(ctx, id, {"text": "a"})
    await NOTES.put(ctx, id, {"text": "b"}, base=first.version)
    with pytest.raises(ToolError) as caught:
        await NOTES.put(ctx, id, {"text": "c"}, base=first.version)
    assert caught.value.tool_code == "STALE"
    assert (await NOTES.get(ctx, id)).body == {"text": "b"}
    assert (await NOTES.get(ctx, id, 1)).body == {"text": "a"}
    with pytest.raises(ToolError) as caught:
        await NOTES.get(ctx, "note-unknown")
    assert (caught.value.tool_code, caught.value.hint) == ("NOT_FOUND", f"id: {id}")
    with pytest.raises(ToolError, match="nothing to keep it in"):
        await NOTES.all(ToolContext())


def test_a_table_is_a_card_and_a_file_of_the_same_columns() -> None:
    columns = [Column("name", "Name"), Column("price", "Price", is_number=True)]
    rows: list[dict[str, Any]] = [{"name": "=1+1", "price": 3, "more": "x"}, {"name": "b\x00"}]
    assert table_card("t", columns, rows).payload == {
        "title": "t",
        "columns": [{"key": "name", "label": "Name"}, {"key": "price", "label": "Price", "align": "right"}],
        "rows": [{"name": "=1+1", "price": 3}, {"name": "b\x00", "price": ""}],
    }
    assert csv_file(columns, rows).decode("utf-8-sig") == "Name,Price\r\n'=1+1,3\r\nb,\r\n"


def test_an_answer_card_cannot_be_built_wrong() -> None:
    save = CardAction("save", "Save", "save_it")
    card = as_answer(key_values_card("t", {"a": 1, "b": ""}), "first\nsecond", [save])
    assert (card.role, card.summary, len(card.payload["items"])) == ("answer", "first\nsecond", 1)
    named = Card("timeline", {"groups": [{"items": [{"title": "x", "actions": ["gone"]}]}]})
    taking = CardAction("keep", "Keep", "save_it", takes=("itinerary",))
    wrong: list[tuple[Card, str, list[CardAction]]] = [
        (card, "", []),
        (card, "1\n2\n3", []),
        (card, "1", [save, save]),
        (named, "1", [save]),
        (card, "1", [taking]),
    ]
    for one, summary, buttons in wrong:
        with pytest.raises(ValueError, match=r"summary|called|no button|shared"):
            as_answer(one, summary, buttons)
