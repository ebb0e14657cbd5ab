"""How many turns of travellers the offline rules answer rightly (rated_turns.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.domains.travel.rated_turns import rated, report, talks

SETS = ("tune", "check", "unseen")


@pytest.mark.soak
async def test_every_turn_rated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prints every turn that is not right, and the shares."""
    for name in SETS:
        ratings = await rated(talks(name), tmp_path / name, monkeypatch)
        print(f"\n== {name}\n{report(ratings)}")
