"""Workbooks (xlsx, xls, ods) by python-calamine: the values of each sheet, hidden ones too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.core.knowledge import Passage

from . import Unreadable
from .packed import opened
from .table import blocks


def passages(path: Path) -> Iterator[Passage]:
    import python_calamine

    if path.suffix.lower() != ".xls":
        opened(path).close()
    try:
        workbook = python_calamine.CalamineWorkbook.from_path(str(path))
    except python_calamine.PasswordError as error:
        raise Unreadable("password") from error
    except python_calamine.CalamineError as error:
        raise Unreadable("damaged") from error
    for name in workbook.sheet_names:
        try:
            rows = workbook.get_sheet_by_name(name).iter_rows()
            yield from blocks((_texts(row) for row in rows), sheet=name)
        except python_calamine.CalamineError:
            continue  # a chart sheet, or one that is damaged: the others are read


def _texts(row: Sequence[object]) -> list[str]:
    return [_text(cell) for cell in row]


def _text(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.15g}"
    return str(cell)
