"""What calls for a doctor is seen by words alone, before any model; everyday play is not taken for it."""

from __future__ import annotations

from pathlib import Path

from app.domains.play.rules.red_flags import red_flags

DATA = Path(__file__).parent / "data"


def test_every_red_flag_is_seen_and_nothing_else() -> None:
    faults = []
    for line in (DATA / "red_flags.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kinds, text = line.split("|", 1)
            found = {one.kind for one in red_flags(text)}
            if found != set() if kinds == "none" else not set(kinds.split("+")) <= found:
                faults.append((kinds, text, found))
    assert faults == []
