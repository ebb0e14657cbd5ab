"""An inquiry as lines: of a sheet, a pasted table, or plain text. What is no line is named with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_

from ..matching.measures import measures
from ..model.quotation import Line
from .csv_grid import table
from .grid import Grid, letters
from .headers import TOTALS, Header, find_header, flat, meaning
from .numbers import quantity, shown, unit_of
from .price_list import apply_mapping
from .sheets import read_grids
from .spaced_rows import spaced_rows

MOST_LINES = 5_000
_UNIT = (
    r"个|只|件|支|套|根|米|条|台|把|张|块|片|卷|箱|包|盒|瓶|桶|袋|吨|公斤|千克|kg|m|pcs?|pieces?|ea|sets?|rolls?|"
    r"boxes|box|units?|nos?|pairs?|双|对|付|副|捆|扎|升|平方|方"
)
_NUMBERING = re.compile(r"^\s*(?:[（(]?\d{1,3}\s*[.、)）](?!\d)|[-•·*▪●]|[①-⑳])\s*")
_TIMES = re.compile(
    rf"(?:^|\s|[,，:：]|(?<=[^\x00-\x7f])|(?<=[\"'寸]))\s*[×✕xX*＊]\s*(?P<n>\d[\d,]*(?:\.\d+)?)\s*(?P<u>{_UNIT})?\s*$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"[\s,，:：、(（]+(?:数量|共|要|需|qty|quantity|各)?\s*[:：=]?\s*(?P<n>\d[\d,]*(?:\.\d+)?|[一二两三四五六七八九十百千万]+)\s*(?P<u>{_UNIT})\s*[)）。.]?\s*$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"[\s,，]*(?:数量|qty|quantity)\s*[:：=]?\s*(?P<n>\d[\d,]*(?:\.\d+)?)\s*(?P<u>[^\d\s]{0,4})\s*$", re.IGNORECASE
)
_AHEAD = re.compile(rf"^\s*(?P<n>\d[\d,]*)\s*(?:(?P<u>{_UNIT})|[x×*])\s+(?:of\s+)?(?=\D)", re.IGNORECASE)
_DASH = re.compile(r"\s+[-–—:：]+\s*(?P<n>\d[\d,]*(?:\.\d+)?)\s*(?P<u>[^\d\s.]{0,6})\s*$")


@dataclass(frozen=True, slots=True)
class Skipped:
    row: int
    reason: str
    raw: str

    def to_json(self) -> dict[str, Any]:
        return {"row": self.row, "reason": self.reason, "raw": self.raw}


REASONS = {
    "total": N_("a row of totals"), "heading": N_("a heading"), "no_name": N_("no product is named"),
    "no_line": N_("no product and no quantity"), "hidden": N_("a hidden row"), "header": N_("the header again"),
}  # fmt: skip


@dataclass(slots=True)
class Inquiry:
    lines: list[Line]
    skipped: list[Skipped]
    sheet: str = ""
    header_row: int = 0
    """From 1; 0 where there is none."""
    columns: dict[str, str] = field(default_factory=dict)
    """Field and letters of its column, those to be filled among them."""
    width: int = 0
    is_from_picture: bool = False
    """A model has read it: each line is asked of the person."""


def read_inquiry(path: Path, sheet: str = "", mapping: Mapping[str, Any] | None = None) -> Inquiry:
    """Blocks. Raises ToolError FORMAT, NO_LINES."""
    grids = read_grids(path)
    best: Inquiry | None = None
    for grid in grids:
        if (sheet and grid.sheet != sheet) or (grid.is_hidden and not sheet):
            continue
        inquiry = of_grid(grid, mapping)
        if inquiry is not None and (best is None or len(inquiry.lines) > len(best.lines)):
            best = inquiry
    if best is None or not best.lines:
        if path.suffix.lower() in (".csv", ".txt", ".tsv"):
            return of_text("\n".join("  ".join(filter(None, row)) for row in grids[0].rows))
        raise ToolError("NO_LINES", N_("no line of the sheet names a product with a quantity"))
    return best


def of_text(text: str) -> Inquiry:
    """A pasted table with a header, or one product per line. Raises ToolError NO_LINES."""
    for rows in (table(text), spaced_rows(text) or []):
        if max(map(len, rows), default=0) > 1:
            from_table = of_grid(Grid("", [row + [""] * (max(map(len, rows)) - len(row)) for row in rows]), None)
            if from_table is not None and from_table.lines:
                return from_table
    inquiry = Inquiry([], [])
    for number, row in enumerate(text.splitlines(), 1):
        for piece in re.split(r"[;；]", row):
            if not piece.strip():
                continue
            line = _text_line(piece, number)
            if isinstance(line, Skipped):
                inquiry.skipped.append(line)
            else:
                inquiry.lines.append(line)
    inquiry.lines = [_numbered(line, n) for n, line in enumerate(inquiry.lines[:MOST_LINES], 1)]
    if not inquiry.lines:
        raise ToolError("NO_LINES", N_("no line of the text names a product with a quantity"))
    return inquiry


def _numbered(line: Line, number: int) -> Line:
    from dataclasses import replace

    return replace(line, no=number)


def _text_line(piece: str, row: int) -> Line | Skipped:
    raw = " ".join(piece.split())
    if TOTALS.match(raw):
        return Skipped(row, "total", raw)
    text = _NUMBERING.sub("", raw)
    for pattern in (_NAMED, _TIMES, _BEHIND, _DASH, _AHEAD):
        match = pattern.search(text)
        if match is None:
            continue
        amount = quantity(match["n"])
        name = (text[: match.start()] + " " + text[match.end() :]).strip(" ,，:：、-")
        if amount is not None and name:
            return Line(0, row, name, "", shown(amount), (match["u"] or "").strip(), raw=raw)
    read = measures(text)
    if read.sizes or read.quantities or re.search(r"[A-Za-z]+\d|\d+[A-Za-z]", text):
        return Line(0, row, text, "", "", "", raw=raw)
    return Skipped(row, "no_line", raw)


def of_grid(grid: Grid, mapping: Mapping[str, Any] | None) -> Inquiry | None:
    grid.fill_merged()
    header = find_header(grid, ("name", "qty")) or (Header(-1, texts=[]) if mapping else None)
    if header is not None and mapping:
        header = apply_mapping(header, mapping, grid)
    if header is None or not {"name", "code"} & header.columns.keys():
        return None
    inquiry = Inquiry([], [], grid.sheet, header.row + 1, _named(header), grid.width)
    for row in range(header.row + 1, len(grid.rows)):
        line = _grid_line(grid, header, row)
        if isinstance(line, Skipped):
            inquiry.skipped.append(line)
        elif line is not None:
            inquiry.lines.append(_numbered(line, len(inquiry.lines) + 1))
        if len(inquiry.lines) >= MOST_LINES:
            break
    return inquiry


def _named(header: Header) -> dict[str, str]:
    named = {name: letters(column) for name, column in header.columns.items()}
    if header.prices:
        named["price"] = letters(next(iter(header.prices.values())))
    return named


def _grid_line(grid: Grid, header: Header, row: int) -> Line | Skipped | None:
    cells = grid.rows[row]
    filled = [cell for cell in cells if cell]
    if not filled:
        return None
    raw = " | ".join(filled)[:500]
    if row in grid.hidden_rows:
        return Skipped(row + 1, "hidden", raw)
    if any(TOTALS.match(cell) for cell in filled[:2]):
        return Skipped(row + 1, "total", raw)
    if [flat(cell) for cell in cells] == [flat(text) for text in header.texts] or sum(
        bool(meaning(c)) for c in filled
    ) >= 3:
        return Skipped(row + 1, "header", raw)
    cell = _cells(grid, header, row)
    name, spec, code = cell("name"), cell("spec"), cell("code")
    amount = quantity(cell("qty")) if cell("qty") else None
    if not name and not code:
        return Skipped(row + 1, "no_name", raw)
    if amount is None and "qty" in header.columns and not cell("qty") and not spec and not code:
        return Skipped(row + 1, "heading", raw)
    unit = cell("unit") or unit_of(cell("qty"))
    if amount is None and "qty" not in header.columns:
        read = _text_line(name, row + 1)
        if isinstance(read, Line) and read.qty:
            return Line(0, row + 1, read.name, spec, read.qty, read.unit or unit, code, cell("about"), raw)
    return Line(
        0, row + 1, name or code, spec, shown(amount) if amount is not None else "", unit, code, cell("about"), raw
    )


def _cells(grid: Grid, header: Header, row: int) -> Any:
    def cell(name: str) -> str:
        column = header.columns.get(name)
        return " ".join(grid.at(row, column).split()) if column is not None else ""

    return cell


def reasons(skipped: Sequence[Skipped]) -> Iterator[str]:
    yield from dict.fromkeys(one.reason for one in skipped)


__all__ = ["REASONS", "Inquiry", "Skipped", "of_text", "read_inquiry"]
