"""xls, xlsb and ods by python-calamine: values only, with merged cells where the format tells them, and hidden rows and
columns of xls and ods."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .grid import Grid
from .hidden_parts import hidden_parts
from .package import damaged, opened

_MOST_ROWS = 300_000


def read(path: Path) -> Iterator[Grid]:
    import python_calamine

    with path.open("rb") as file:
        is_zip = file.read(4) == b"PK\x03\x04"
    if is_zip:
        opened(path).close()
    try:
        workbook = python_calamine.CalamineWorkbook.from_path(str(path))
    except python_calamine.PasswordError as error:
        raise damaged("it is protected by a password") from error
    except python_calamine.CalamineError as error:
        raise damaged(str(error)) from error
    states = {each.name: str(each.visible) for each in workbook.sheets_metadata}
    hidden = hidden_parts(path)
    if len(hidden) != len(workbook.sheet_names):
        hidden = []
    for place, name in enumerate(workbook.sheet_names):
        try:
            sheet = workbook.get_sheet_by_name(name)
        except python_calamine.CalamineError:
            continue  # a chart sheet, or one that is damaged: the others are read
        grid = Grid(name, [], is_hidden=not states.get(name, "").endswith("Visible") if name in states else False)
        for number, row in enumerate(sheet.to_python(skip_empty_area=False)):
            if number >= _MOST_ROWS:
                break
            texts = []
            for column, value in enumerate(row):
                if isinstance(value, str) and value.strip()[:1].isdigit():
                    grid.text_cells.add((number, column))
                texts.append(_text(value))
            grid.rows.append(texts)
        if hidden:
            grid.hidden_rows, grid.hidden_columns = hidden[place].rows, hidden[place].columns
        for (top, left), (bottom, right) in getattr(sheet, "merged_cell_ranges", None) or ():
            grid.merged.append((top, left, bottom, right))
        yield grid


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value).strip()
