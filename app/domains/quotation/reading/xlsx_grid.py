"""xlsx and xlsm read from their XML: values as shown, merged cells, hidden parts, which cells are formulas."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from .grid import Grid, column_of
from .package import damaged, opened, part, xml

_CELL = re.compile(r"([A-Z]{1,3})(\d+)")
_MOST_ROWS, _MOST_COLUMNS = 300_000, 500
_BUILT_IN_DATES = frozenset({14, 15, 16, 17, 22, 27, 30, 31, 36, 50, 57})


@dataclass(frozen=True, slots=True)
class SheetPart:
    name: str
    part: str
    is_hidden: bool


def sheets_of(archive: zipfile.ZipFile) -> list[SheetPart]:
    root = xml(part(archive, "xl/workbook.xml"))
    targets = targets_of(archive, "xl/_rels/workbook.xml.rels", "xl")
    grids = []
    for sheet in _all(root, "sheet"):
        id = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), "")
        target = targets.get(id, "")
        if target in archive.namelist() and "/worksheets/" in f"/{target}":
            state = sheet.get("state", "visible")
            grids.append(SheetPart(sheet.get("name", ""), target, state != "visible"))
    if not grids:
        raise damaged("it has no sheets")
    return grids


def read(path: Path) -> Iterator[Grid]:
    with opened(path) as archive:
        strings = strings_of(archive)
        formats = formats_of(archive)
        for sheet in sheets_of(archive):
            yield _grid(xml(part(archive, sheet.part)), sheet, strings, formats)


def _grid(root: Any, sheet: SheetPart, strings: list[str], formats: list[str]) -> Grid:
    grid = Grid(sheet.name, [], sheet.is_hidden)
    for columns in _all(root, "col"):
        if columns.get("hidden") in ("1", "true"):
            first, last = int(columns.get("min", "1")), int(columns.get("max", "1"))
            grid.hidden_columns.update(range(first - 1, min(last, _MOST_COLUMNS)))
    at = -1
    for row in _all(root, "row"):
        at = int(row.get("r", at + 2)) - 1
        if at >= _MOST_ROWS:
            break
        if row.get("hidden") in ("1", "true"):
            grid.hidden_rows.add(at)
        while len(grid.rows) <= at:
            grid.rows.append([])
        line, column = grid.rows[at], -1
        for cell in row:
            if not isinstance(cell.tag, str) or not cell.tag.endswith("}c"):
                continue
            place = _CELL.fullmatch(cell.get("r", ""))
            column = (column_of(place[1]) or 0) if place else column + 1
            if column >= _MOST_COLUMNS:
                break
            line.extend([""] * (column + 1 - len(line)))
            line[column] = _value(cell, strings, formats, grid, (at, column))
    for area in _all(root, "mergeCell"):
        ends = _CELL.findall(area.get("ref", ""))
        if len(ends) == 2:
            (left, top), (right, bottom) = ends
            grid.merged.append((int(top) - 1, column_of(left) or 0, int(bottom) - 1, column_of(right) or 0))
    return grid


def _value(cell: Any, strings: list[str], formats: list[str], grid: Grid, place: tuple[int, int]) -> str:
    kind, value, formula, inline = str(cell.get("t", "n")), "", None, None
    for child in cell:
        tag = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if tag == "v":
            value = child.text or ""
        elif tag == "f":
            formula = child
        elif tag == "is":
            inline = _text(child)
    if formula is not None:
        grid.formulas.add(place)
        if not value:
            grid.uncached.add(place)
    text: str
    if inline is not None:
        text = inline
    elif not value:
        return ""
    elif kind == "s":
        text = strings[int(value)] if str(value).isdigit() and int(value) < len(strings) else ""
    elif kind in ("str", "e"):
        text = value
    elif kind == "b":
        return value
    else:
        return _number(value, formats, cell.get("s", "0"))
    if text.strip() and text.strip()[0].isdigit():
        grid.text_cells.add(place)
    return text.strip()


def _number(value: str, formats: list[str], style: str) -> str:
    code = formats[int(style)] if style.isdigit() and int(style) < len(formats) else ""
    try:
        number = float(value)
    except ValueError:
        return value
    if code == "date":
        from datetime import date, timedelta

        return str(date(1899, 12, 30) + timedelta(days=int(number))) if 1 <= number < 2_900_000 else value
    if re.fullmatch(r"0{2,}", code) and number == int(number):
        return str(int(number)).zfill(len(code))
    return f"{number:.15g}" if abs(number) < 1e15 else f"{number:.0f}"


def strings_of(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    return [_text(item) for item in xml(part(archive, "xl/sharedStrings.xml")) if isinstance(item.tag, str)]


def _text(item: Any) -> str:
    """Without the phonetic readings some Asian programs add."""
    texts = []
    for node in item.iter():
        if isinstance(node.tag, str) and node.tag.endswith("}t") and not node.getparent().tag.endswith("}rPh"):
            texts.append(node.text or "")
    return "".join(texts)


def formats_of(archive: zipfile.ZipFile) -> list[str]:
    """Of each style its number format; "date" for dates."""
    if "xl/styles.xml" not in archive.namelist():
        return []
    root = xml(part(archive, "xl/styles.xml"))
    own = {each.get("numFmtId"): each.get("formatCode", "") for each in _all(root, "numFmt")}
    texts = []
    for group in _all(root, "cellXfs"):
        for style in group:
            id = style.get("numFmtId", "0") if isinstance(style.tag, str) else "0"
            code = own.get(id, "")
            bare = re.sub(r'"[^"]*"|\[[^\]]*\]', "", code).lower()
            is_date = (id.isdigit() and int(id) in _BUILT_IN_DATES) or ("y" in bare and ("m" in bare or "d" in bare))
            texts.append("date" if is_date else code)
    return texts


def targets_of(archive: zipfile.ZipFile, name: str, folder: str) -> dict[str, str]:
    values = {}
    for each in xml(part(archive, name)):
        target = str(each.get("Target", ""))
        whole = target.lstrip("/") if target.startswith("/") else str(PurePosixPath(folder) / target)
        values[str(each.get("Id", ""))] = whole
    return values


def _all(root: Any, name: str) -> Iterator[Any]:
    yield from root.iter(f"{{*}}{name}")
