"""How many turns of travellers the offline rules answer rightly (rated_turns.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.domains.travel.rated_turns import rated, report, talks

SETS = ("tune", "check", "unseen", "fresh", "strange", "last", "wide", "kept")
SAMPLE = ("disney", "two_places_without_data", "opening", "lodging_ask")
"""Talks of the first set, each a kind that went wrong before."""


async def test_a_sample_of_the_turns_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [talk for talk in talks("tune") if talk["id"] in SAMPLE]
    ratings = await rated(chosen, tmp_path, monkeypatch)
    assert len(ratings) == len(SAMPLE)
    assert [one for one in ratings if one.verdict != "right"] == []


@pytest.mark.soak
async def test_every_turn_rated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prints every turn that is not right, and the shares."""
    for name in SETS:
        ratings = await rated(talks(name), tmp_path / name, monkeypatch)
        print(f"\n== {name}\n{report(ratings)}")
