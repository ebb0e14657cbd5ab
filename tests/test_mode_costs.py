"""The figures on the pages of the modes are those of the program."""

from __future__ import annotations

import re

import pytest

from building import mode_costs


def test_what_the_pages_say_a_mode_costs_is_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests and calls to the one; tokens within a quarter, so that a changed word of a prompt is no news."""
    monkeypatch.setenv("TRIPTYCH_OFFLINE", "1")
    faults = []
    for mode, found in mode_costs.costs().items():
        for ending in mode_costs.HEADS:
            written = figures((mode_costs.PAGES / f"{mode}{ending}.md").read_text("utf-8"))
            measured = figures(mode_costs.BEGIN + mode_costs.table(mode, found, ending) + mode_costs.END)
            if not written or len(written) != len(measured):
                faults.append(f"{mode}{ending}: {len(written)} rows for {len(measured)}")
            for one, other in zip(written, measured, strict=False):
                same = all(abs(ours - theirs) <= 0.25 * theirs for ours, theirs in zip(one[2:], other[2:], strict=True))
                if one[:2] != other[:2] or not same:
                    faults.append(f"{mode}{ending}: the page says {one}, measured {other}")
    assert faults == [], "python -m building.mode_costs writes them anew"


def figures(page: str) -> list[list[int]]:
    inside = page.partition(mode_costs.BEGIN)[2].partition(mode_costs.END)[0]
    rows = [line.split("|")[2:6] for line in inside.splitlines() if line.startswith("|")][2:]
    return [[int(re.sub(r"\D", "", cell)) for cell in row] for row in rows]
