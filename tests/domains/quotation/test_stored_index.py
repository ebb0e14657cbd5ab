"""The index of a long list lies in a file of its own, so that a program started for one look-up reads no list anew."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from app.domains.quotation.matching import tables
from app.domains.quotation.matching.decide import Request, Thresholds, match
from app.domains.quotation.matching.index import MatchIndex
from app.domains.quotation.matching.lexicon import lexicon
from app.domains.quotation.matching.tables import FORMAT, load, read_tables, save
from app.domains.quotation.model.price_list import Item
from app.domains.quotation.reading.price_list import read_price_list
from app.domains.quotation.tools import store

from .rig import call, program

PRODUCTS = Path(__file__).parents[2] / "data" / "quotation" / "products.csv"


def files(folder: Path) -> list[Path]:
    return list(folder.rglob("*.index"))


def products() -> list[Item]:
    return [
        Item(item.code, item.name, item.spec, item.unit, about=item.name if n % 3 else "")
        for n, item in enumerate(read_price_list(PRODUCTS).items)
    ]


def test_what_is_read_from_the_file_matches_as_what_was_built(tmp_path: Path) -> None:
    items = products()
    built, path = read_tables(items, lexicon()), tmp_path / "a.index"
    save(built, path)
    stored = load(path, items, lexicon())
    assert stored is not None
    one, other = MatchIndex(items, lexicon(), built), MatchIndex(items, lexicon(), stored)
    for item in items[::4]:
        request = Request(item.text)
        first, second = (match(index, request, Thresholds(), {}) for index in (one, other))
        assert (first.status, first.chosen) == (second.status, second.chosen), item
        assert sorted((s.value, s.place) for s in first.candidates) == sorted(
            (s.value, s.place) for s in second.candidates
        ), item


def test_a_file_that_is_damaged_or_of_another_list_is_not_taken(tmp_path: Path) -> None:
    items = products()
    path = tmp_path / "a.index"
    save(read_tables(items, lexicon()), path)
    whole = path.read_bytes()
    assert load(path, items[:-1], lexicon()) is None
    for damaged in (b"", whole[:20], whole[: len(whole) // 2], whole[:-1], b"x" + whole[1:], whole + b"more"):
        path.write_bytes(damaged)
        assert load(path, items, lexicon()) is None, len(damaged)


def test_the_form_of_the_file_is_raised_when_features_come_out_differently() -> None:
    """Fails when a change gives texts other features: raise FORMAT, and put the new digest here."""
    found = read_tables(products(), lexicon())
    rows = [sorted(tables.feature_tokens(one)) for one in found.features]
    digest = hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()[:16]
    assert (FORMAT, digest) == (5, "a44fc2f990fd240f")


async def test_a_program_started_again_reads_no_product_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_STORED_FROM", 5)
    listed = tmp_path / "long.csv"
    listed.write_text("code,name,price\n" + "".join(f"W{n},widget {n} red,{n}.50\n" for n in range(10, 40)), "utf-8")
    answers: list[Any] = []
    list_id = ""
    for start in range(2):
        store._indexes.clear()  # as in another process
        async with program(tmp_path) as services:
            if start == 0:
                list_id = (await call(services, "import_price_list", path=str(listed))).data["list_id"]
            else:
                monkeypatch.setattr(store, "read_tables", lambda *_: pytest.fail("read anew"))
            answers.append((await call(services, "match_price", keywords="widget 25 red")).data["candidates"][0])
            assert len(files(tmp_path)) == 1
            if start == 1:
                await call(services, "remove_price_list", list_id=list_id)
    assert files(tmp_path) == []
    assert answers[0] == answers[1]
    assert answers[0]["code"] == "W25"
