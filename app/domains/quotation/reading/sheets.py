"""A file as grids, one reader per format, chosen by what the file is and not only by its name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.core.errors import ToolError
from app.core.text.i18n import N_

from . import calamine_grid, csv_grid, xlsx_grid
from .grid import Grid

LARGEST = 60 * 1024 * 1024
SHEETS = (".xlsx", ".xlsm", ".xltx", ".xls", ".xlsb", ".ods", ".csv", ".tsv", ".txt")


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
    if head.startswith(b"PK\x03\x04") and suffix in (".xlsx", ".xlsm", ".xltx", ".csv", ".txt", ".xls"):
        yield from xlsx_grid.read(path)
    elif head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        yield from calamine_grid.read(path)
    else:
        yield csv_grid.read(path)
