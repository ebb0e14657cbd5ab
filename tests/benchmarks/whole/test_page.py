"""The page of figures names each of them, and what was missed or not measured says so."""

from __future__ import annotations

from app.cli.bench import FIGURES
from tests.benchmarks.whole.page import NOTES, page


def test_every_figure_has_its_line_and_a_missed_one_is_called_missed() -> None:
    names = {figure.name for figure in FIGURES}
    assert set(NOTES) == names
    rows = {name: {"name": name, "ours": 3.0, "floor": 1.0, "ratio": 3.0, "goal": 2.0, "ok": False} for name in names}
    rows["P1"] |= {"ratio": 1.5, "ok": True, "late": 4}
    del rows["P7"]
    text = page(rows)
    lines = {line.split("|")[1].strip(): line for line in text.splitlines() if line.startswith("| P")}
    assert set(lines) == names
    assert lines["P1"].endswith("| held |")
    assert lines["P2"].endswith("| missed |")
    assert lines["P7"].endswith("| not measured |")
    assert "* P1: late 4" in text
