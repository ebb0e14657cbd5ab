"""Single cells of a sheet set in a copy: which cells are meant, what stands there, and why one of them cannot be set.

All cells are checked before anything is written, and one fault refuses them all: half an edit is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from app.core.errors import ToolError
from app.core.text.i18n import N_

from ..reading.grid import Grid, column_of
from ..reading.sheets import read_grids
from .guarded import guarded_cells
from .table import fill_table
from .workbook import CellChange, Filled, Value, fill_sheets

WORKBOOKS = (".xlsx", ".xlsm")
TABLES = (".csv", ".tsv", ".txt")
_PLACE = re.compile(r"(?:(?P<sheet>.+)!)?\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>[1-9]\d{0,6})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?")
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384


@dataclass(frozen=True, slots=True)
class CellEdit:
    cell: str
    """As `B2`, `$B$2` or `Sheet1!B2`."""
    value: str
    sheet: str = ""
    expect_old: str | None = None


@dataclass(frozen=True, slots=True)
class SetCell:
    sheet: str
    change: CellChange
    old: str

    @property
    def place(self) -> str:
        return f"{self.change.column}{self.change.row}"

    @property
    def new(self) -> str:
        value = self.change.value
        return f"{value:f}" if isinstance(value, Decimal) else value


@dataclass(slots=True)
class CellEdits:
    """What is to be set, nothing of it written yet."""

    path: Path
    cells: list[SetCell] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    """Cells that hold the value already."""
    left: list[tuple[str, str]] = field(default_factory=list)
    """Cells that hold another value where only empty ones are filled, with the code of the reason."""

    def written(self) -> Filled:
        """The content of the copy. Blocks."""
        changes: dict[str, list[CellChange]] = {}
        for one in self.cells:
            changes.setdefault(one.sheet, []).append(one.change)
        if self.path.suffix.lower() in TABLES:
            return fill_table(self.path, [change for those in changes.values() for change in those])
        return fill_sheets(self.path, changes)


def edits_of(path: Path, edits: Sequence[CellEdit], *, empty_only: bool) -> CellEdits:
    """Blocks. Raises ToolError FORMAT, EXPECT_MISMATCH, PROTECTED, MERGED_PART, FORMULA, BAD_ARGUMENTS."""
    suffix = path.suffix.lower()
    if suffix not in (*WORKBOOKS, *TABLES):
        raise ToolError("FORMAT", N_("{kind} is not written: save it as xlsx"), values={"kind": suffix or path.name})
    grids = {grid.sheet: grid for grid in read_grids(path)}
    found = CellEdits(path)
    places = [_place(edit, grids, is_table=suffix in TABLES) for edit in edits]
    guards = guarded_cells(path, {sheet for sheet, _column, _row in places}) if suffix in WORKBOOKS else {}
    faults: dict[str, list[str]] = {}
    seen: set[tuple[str, str, int]] = set()
    for edit, (sheet, column, row) in zip(edits, places, strict=True):
        name = f"{sheet}!{column}{row}" if len(grids) > 1 else f"{column}{row}"
        grid, index = grids[sheet], column_of(column) or 0
        old = grid.at(row - 1, index)
        change = CellChange(row, column, _value(edit.value), over=True)
        one = SetCell(sheet, change, old)
        if (sheet, column, row) in seen:
            faults.setdefault("TWICE", []).append(name)
        seen.add((sheet, column, row))
        why = _fault(edit, grid, (row, index), old, guards.get(sheet), is_table=suffix in TABLES)
        if why == "FORMULA" and empty_only:
            found.left.append((name, "formula"))
        elif why:
            faults.setdefault(why, []).append(f"{name} ({old[:40]})" if why == "EXPECT_MISMATCH" else name)
        elif _same(old, one.new):
            found.unchanged.append(name)
        elif empty_only and old:
            found.left.append((name, "filled"))
        else:
            found.cells.append(one)
    for code, words in _WORDS.items():
        if code in faults:
            raise ToolError(code if code in _CODES else "BAD_ARGUMENTS", words,
                            values={"cells": ", ".join(faults[code][:12])}, retryable=True)  # fmt: skip
    return found


_WORDS = {
    "EXPECT_MISMATCH": N_("nothing was written: these cells hold something else: {cells}"),
    "PROTECTED": N_("nothing was written: the sheet is protected, and these cells are locked: {cells}"),
    "MERGED_PART": N_("nothing was written: these cells are parts of a merged cell: {cells}"),
    "FORMULA": N_("nothing was written: these cells hold formulas, which are never replaced: {cells}"),
    "TWICE": N_("nothing was written: these cells are named twice: {cells}"),
    "NO_ROW": N_("nothing was written: these rows are behind the end of the table: {cells}"),
}
_CODES = frozenset({"EXPECT_MISMATCH", "PROTECTED", "MERGED_PART", "FORMULA"})


def _fault(
    edit: CellEdit, grid: Grid, place: tuple[int, int], old: str, guard: Mapping[tuple[int, int], str] | None, *,
    is_table: bool,
) -> str:  # fmt: skip
    row, column = place
    if edit.expect_old is not None and not _same(old, edit.expect_old):
        return "EXPECT_MISMATCH"
    if is_table:
        return "NO_ROW" if row > len(grid.rows) else ""
    if any(
        top <= row - 1 <= bottom and left <= column <= right and (row - 1, column) != (top, left)
        for top, left, bottom, right in grid.merged
    ):
        return "MERGED_PART"
    if (row - 1, column) in grid.formulas:
        return "FORMULA"
    return guard.get((row, column), guard.get((0, 0), "")) if guard else ""


def _place(edit: CellEdit, grids: Mapping[str, Grid], *, is_table: bool) -> tuple[str, str, int]:
    found = _PLACE.fullmatch(edit.cell.strip())
    column = found["column"].upper() if found else ""
    if found is None or (column_of(column) or 0) >= _LAST_COLUMN or int(found["row"]) > _LAST_ROW:
        raise ToolError("BAD_ARGUMENTS", N_("{cell} is no cell, as B2 is"), values={"cell": edit.cell[:40]})
    sheet = (found["sheet"] or "").strip().strip("'").replace("''", "'") or edit.sheet.strip()
    visible = [grid.sheet for grid in grids.values() if not grid.is_hidden]
    if is_table:
        sheet = next(iter(grids))
    elif not sheet and len(visible) == 1:
        sheet = visible[0]
    elif sheet not in grids:
        sheet = next((name for name in grids if name.casefold() == sheet.casefold()), sheet)
    if sheet not in grids:
        words = N_("there is no sheet {sheet}; there are: {names}") if sheet else N_("name the sheet: {names}")
        raise ToolError("FORMAT", words, values={"sheet": sheet[:60], "names": ", ".join(grids)})
    return sheet, column, int(found["row"])


def _value(text: str) -> Value:
    """A plain number is one; 007 and what begins like a formula are texts."""
    if _NUMBER.fullmatch(text.strip()):
        return Decimal(text.strip())
    return "".join(_printable(text.replace("\r\n", "\n").replace("\r", "\n")))


def _printable(text: str) -> Iterator[str]:
    return (char for char in text if char in "\n\t" or (char >= " " and not "\ud800" <= char <= "\udfff"))


def _same(one: str, other: str) -> bool:
    left, right = " ".join(one.split()), " ".join(other.split())
    if left == right:
        return True
    return bool(_NUMBER.fullmatch(left) and _NUMBER.fullmatch(right)) and Decimal(left) == Decimal(right)
