"""Comma- and tab-separated tables: blocks of rows, each with the names of its columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from app.core.knowledge import Passage

from .text import decoded

ROWS = 20
"""Rows of one passage."""
_WIDEST = 200


def passages(path: Path) -> Iterator[Passage]:
    text = decoded(path.read_bytes())
    csv.field_size_limit(10_000_000)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(text[:20_000])
    yield from blocks(csv.reader(text.splitlines(), delimiter=delimiter))


def blocks(rows: Iterable[Sequence[str]], sheet: str = "") -> Iterator[Passage]:
    """Each row as `column: value · column: value`, so that a passage says what its numbers are."""
    numbered = ((n, [str(cell).strip() for cell in row[:_WIDEST]]) for n, row in enumerate(rows, 1))
    filled: Iterator[tuple[int, list[str]]] = ((n, row) for n, row in numbered if any(row))
    first = next(filled, None)
    if first is None:
        return
    names = first[1] if _is_header(first[1]) else []
    if not names:
        filled = _with_first(first, filled)
    is_empty = True
    while block := list(islice(filled, ROWS)):
        is_empty = False
        yield Passage("\n".join(_line(names, row) for _, row in block), sheet=sheet, row=block[0][0])
    if is_empty and names:
        yield Passage(_line([], names), sheet=sheet, row=first[0])


def _with_first(first: tuple[int, list[str]], rest: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    yield first
    yield from rest


def _is_header(row: Sequence[str]) -> bool:
    """Names, not values: several, no number among them, none twice."""
    named = [cell for cell in row if cell]
    return len(named) > 1 and len(set(named)) == len(named) and not any(cell[:1].isdigit() for cell in named)


def _line(names: Sequence[str], row: Sequence[str]) -> str:
    cells = []
    for place, cell in enumerate(row):
        if cell:
            name = names[place] if place < len(names) else ""
            cells.append(f"{name}: {cell}" if name else cell)
    return " · ".join(cells)


def _delimiter(head: str) -> str:
    line = next((line for line in head.splitlines() if line.strip()), "")
    return max(",;\t|", key=line.count) if line else ","
