"""Which cells of a workbook are not to be written: locked ones of a protected sheet, parts of an array formula."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from ..reading.grid import column_of
from ..reading.package import opened, part, xml
from ..reading.xlsx_grid import sheets_of

_CELL = re.compile(r"([A-Z]{1,3})(\d+)")
_MOST = 200_000
EVERYWHERE = (0, 0)
"""Where the fault of all cells stands that have none of their own."""


def guarded_cells(path: Path, sheets: Collection[str]) -> dict[str, dict[tuple[int, int], str]]:
    """Sheet, row from 1 and column from 0, code of the fault. Of a protected sheet every cell is locked that its style
    does not unlock; those stand with an empty code. Blocks."""
    guards: dict[str, dict[tuple[int, int], str]] = {}
    with opened(path) as archive:
        unlocked = _unlocked_styles(archive)
        for sheet in sheets_of(archive):
            if sheet.name not in sheets:
                continue
            root = xml(part(archive, sheet.part))
            guard = guards[sheet.name] = {}
            if _is_protected(root):
                guard[EVERYWHERE] = "PROTECTED"
                guard |= {place: "" for place, style in _styles(root) if style in unlocked}
            guard |= dict.fromkeys(_array_cells(root), "FORMULA")
    return guards


def _is_protected(root: Any) -> bool:
    return any(each.get("sheet") in ("1", "true") for each in root.iter("{*}sheetProtection"))


def _unlocked_styles(archive: Any) -> set[int]:
    if "xl/styles.xml" not in archive.namelist():
        return set()
    styles = [style for group in xml(part(archive, "xl/styles.xml")).iter("{*}cellXfs") for style in group]
    return {
        number for number, style in enumerate(styles)
        if any(each.get("locked") in ("0", "false") for each in style.iter("{*}protection"))
    }  # fmt: skip


def _styles(root: Any) -> Iterator[tuple[tuple[int, int], int]]:
    for cell in root.iter("{*}c"):
        place = _CELL.fullmatch(cell.get("r", ""))
        if place and str(cell.get("s", "")).isdigit():
            yield (int(place[2]), column_of(place[1]) or 0), int(cell.get("s"))


def _array_cells(root: Any) -> Iterator[tuple[int, int]]:
    """Only the first of them has the formula."""
    for formula in root.iter("{*}f"):
        ends = _CELL.findall(formula.get("ref", "")) if formula.get("t") in ("array", "dataTable") else []
        if len(ends) == 2:
            (left, top), (right, bottom) = ends
            columns = range(column_of(left) or 0, (column_of(right) or 0) + 1)
            rows = range(int(top), int(bottom) + 1)
            if len(rows) * len(columns) <= _MOST:
                yield from ((row, column) for row in rows for column in columns)
