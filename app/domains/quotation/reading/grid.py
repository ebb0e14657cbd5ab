"""A sheet as texts with what a reader must know of it: merged cells, hidden parts, formulas. One reader per format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.core.errors import ToolError
from app.core.text.i18n import N_

LARGEST = 60 * 1024 * 1024
SHEETS = (".xlsx", ".xlsm", ".xltx", ".xls", ".xlsb", ".ods", ".csv", ".tsv", ".txt")
Place = tuple[int, int]
"""Row and column, from 0."""


@dataclass(slots=True)
class Grid:
    sheet: str
    rows: list[list[str]]
    """Every row as long as the longest."""
    is_hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    """First row and column, last row and column."""
    formulas: set[Place] = field(default_factory=set)
    uncached: set[Place] = field(default_factory=set)
    """Formulas of which the file holds no value."""
    text_cells: set[Place] = field(default_factory=set)
    """Cells that are texts in the file although they look like numbers."""

    @property
    def width(self) -> int:
        return max((len(row) for row in self.rows), default=0)

    def at(self, row: int, column: int) -> str:
        line = self.rows[row] if 0 <= row < len(self.rows) else []
        return line[column] if 0 <= column < len(line) else ""

    def fill_merged(self) -> None:
        """The value of a merged area in each of its cells that stand below one another; not beside one another."""
        for top, left, bottom, _right in self.merged:
            value = self.at(top, left)
            for row in range(top + 1, min(bottom + 1, len(self.rows))):
                if left < len(self.rows[row]) and not self.rows[row][left]:
                    self.rows[row][left] = value


def letters(column: int) -> str:
    """0 is A, 26 is AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def column_of(name: str) -> int | None:
    if not name.isascii() or not name.isalpha() or len(name) > 3:
        return None
    number = 0
    for char in name.upper():
        number = number * 26 + ord(char) - 64
    return number - 1


def read_grids(path: Path) -> list[Grid]:
    """Blocks. Raises ToolError FORMAT, NOT_FOUND, TOO_BIG, ENCODING."""
    try:
        size = path.stat().st_size
        head = _head(path) if path.is_file() else None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ToolError("NOT_FOUND", N_("the file cannot be read: {why}"), values={"why": why}) from error
    if head is None:
        raise ToolError("NOT_FOUND", N_("the file cannot be read: {why}"), values={"why": "no file"})
    if size > LARGEST:
        raise ToolError("TOO_BIG", N_("the file is larger than {n} MB"), values={"n": LARGEST // (1024 * 1024)})
    suffix = path.suffix.lower()
    if suffix not in SHEETS:
        raise ToolError(
            "FORMAT",
            N_("{kind} is no sheet that can be read; xlsx, xls, ods and csv can"),
            values={"kind": suffix or path.name},
        )
    grids = list(_readers(path, suffix, head))
    for grid in grids:
        width = grid.width
        for row in grid.rows:
            row.extend([""] * (width - len(row)))
        while grid.rows and not any(grid.rows[-1]):
            grid.rows.pop()
    return grids


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(8)


def _readers(path: Path, suffix: str, head: bytes) -> Iterator[Grid]:
    from . import calamine_grid, csv_grid, xlsx_grid

    if head.startswith(b"PK\x03\x04") and suffix in (".xlsx", ".xlsm", ".xltx", ".csv", ".txt", ".xls"):
        yield from xlsx_grid.read(path)
    elif head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        yield from calamine_grid.read(path)
    else:
        yield csv_grid.read(path)
