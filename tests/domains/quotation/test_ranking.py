"""The order of the products that score best, by learned weights."""

from __future__ import annotations

import csv
from pathlib import Path

from app.domains.quotation.matching.decide import Request, Thresholds, match
from app.domains.quotation.matching.index import MatchIndex
from app.domains.quotation.matching.lexicon import lexicon
from app.domains.quotation.reading.price_list import read_price_list

DATA = Path(__file__).parents[2] / "data" / "quotation"


def test_no_candidate_shows_more_than_the_one_before_it_and_the_right_one_is_first() -> None:
    """Of our English list: the score alone put the right one first in 0.958 of the lines."""
    items = read_price_list(DATA / "english_products.csv").items
    index, limits = MatchIndex(items, lexicon()), Thresholds()
    with (DATA / "english_labelled.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["code"]]
    first, falling = 0, []
    for row in rows:
        found = match(index, Request(row["name"]), limits, {}).candidates
        first += bool(found) and items[found[0].place].code in row["code"].split()
        values = [one.value for one in found]
        falling += [row["name"]] if values != sorted(values, reverse=True) else []
    assert falling == []
    assert first / len(rows) >= 0.958
