"""A sheet as texts with what a reader must know of it: merged cells, hidden parts, formulas."""

from __future__ import annotations

from dataclasses import dataclass, field

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
        """The value of a merged area in each of its cells that are below one another; not beside one another."""
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
