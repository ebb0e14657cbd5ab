"""Price lists as firms send them: every sample file is read as its entry in expected.json says. Those named libreoffice
were written by it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from app.domains.quotation.reading.hidden_parts import HiddenParts, hidden_parts
from app.domains.quotation.reading.price_list import read_price_list

SAMPLES = Path(__file__).parents[2] / "data" / "quotation" / "lists"


def read(name: str) -> dict[str, Any]:
    """In the form of expected.json."""
    found = read_price_list(SAMPLES / name)
    first = found.items[0]
    return {
        "items": len(found.items), "levels": found.levels,
        "first": [first.code, first.name, first.spec, dict(first.prices)],
        "warnings": sorted(each.code for each in found.warnings), "valid_to": found.valid_to, "tax": found.tax_included,
        "currency": found.currency, "cost": first.cost, "stock": first.stock,
        "codes": [item.code for item in found.items], "prices": [item.prices.get("default") for item in found.items],
    }  # fmt: skip


def test_every_sample_is_read_as_a_person_would() -> None:
    expected = json.loads((SAMPLES / "expected.json").read_text("utf-8"))
    assert len(expected) >= 25
    faults = []
    for name, wanted in expected.items():
        found = read(name)
        faults += [
            f"{name}: {key} is {found[key]!r}, not {value!r}" for key, value in wanted.items() if found[key] != value
        ]
    assert faults == []


def test_the_same_parts_are_hidden_in_each_form_and_a_damaged_file_stops_nothing(
    tmp_path: Path,
) -> None:
    """Cut or changed anywhere, a file may say less, and must neither stop the reader nor hold it up."""
    random = Random(15)
    for name in ("38_libreoffice_hidden.xls", "39_libreoffice_hidden.ods"):
        assert hidden_parts(SAMPLES / name) == [HiddenParts({3}, {2}), HiddenParts()], name
        data = (SAMPLES / name).read_bytes()
        damaged = tmp_path / name
        for turn in range(120):
            changed = bytearray(data)
            for _place in range(random.randint(1, 12)):
                changed[random.randrange(8, 2_000)] = random.choice((0, 1, 0xFE, 0xFF))
            damaged.write_bytes(changed if turn % 2 else data[: random.randrange(len(data))])
            assert isinstance(hidden_parts(damaged), list)
