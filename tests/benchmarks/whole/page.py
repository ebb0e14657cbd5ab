"""docs/bench.md from what `triptych bench --json` printed.

    python -m tests.benchmarks.whole.page FILE…

Of a figure that stands in several files the last one counts. What the figures were taken on is asked of this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tomllib
from pathlib import Path
from typing import Any

from app.cli.bench import FIGURES

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "bench.md"
NOTES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("notes.toml").read_text("utf-8"))
"""By figure: `of` is what the floor is, `next` the goal after the first one, `limit` what keeps it from that; `shows`
names what is no ratio."""

_HEAD = """# How fast it is

Written by `python -m tests.benchmarks.whole.page` from `triptych bench --json`; not to be edited.

Each figure is a ratio to a floor that was measured in the same run, ours and the floor in turn: what the machine does
besides costs both alike. Taken with Python {python} on {machine}, which other programs
used at the same time; a ratio within a tenth of its goal may fall on either side of it. *next* is the goal that is
worked towards. In a checkout `triptych bench` measures all of them, `triptych bench P5` one, `--short` with fewer
repetitions, `--json` for programs.

| figure | what | floor | ratio | goal | next | |
|---|---|---|---:|---:|---:|---|
"""


def page(rows: dict[str, dict[str, Any]]) -> str:
    machine = f"{os.cpu_count()} cores of {platform.machine()} under {platform.system()}"
    text = _HEAD.format(machine=machine, python=platform.python_version())
    for figure in sorted(FIGURES, key=_order):
        note, row = NOTES[figure.name], rows.get(figure.name, {})
        verdict = "not measured" if row.get("ratio") is None else "held" if row["ok"] else "missed"
        if row.get("form") == "short" and verdict != "not measured":
            verdict += ", short form"
        numbers = (row.get(note.get("shows", "ratio")), row.get("goal"), note.get("next"))
        cells = (figure.name, figure.what, note["of"], *map(_number, numbers), verdict)
        text += f"| {' | '.join(cells)} |\n"
    text += "\n## Beside the ratios\n\n"
    text += "".join(f"* {one.name}: {_further(rows[one.name])}\n" for one in sorted(FIGURES, key=_order)
                    if one.name in rows and _further(rows[one.name]))  # fmt: skip
    text += "\n## What keeps a figure from its next goal\n\n"
    text += "".join(f"* {name}: {note['limit']}\n" for name, note in NOTES.items() if "limit" in note)
    return text


def _order(figure: Any) -> tuple[int, str]:
    digits = "".join(char for char in figure.name if char.isdigit())
    return int(digits), figure.name


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.3g}"


def _further(row: dict[str, Any]) -> str:
    usual = {"name", "what", "ours", "floor", "ratio", "goal", "ok", "form"}
    found = {key: value for key, value in row.items() if key not in usual and isinstance(value, int | float)}
    return ", ".join(f"{key.replace('_', ' ')} {value:.4g}" for key, value in found.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    rows: dict[str, dict[str, Any]] = {}
    for file in parser.parse_args().files:
        rows |= {row["name"]: row for row in json.loads(file.read_text("utf-8"))}
    PAGE.write_text(page(rows), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
