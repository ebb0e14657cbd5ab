"""Cells written into a copy of an xlsx: the bytes of the target sheet are spliced, every other part is taken over.

A library that reads and writes a workbook drops what it does not know. Here the XML of one sheet is changed at the
places of the target cells and nowhere else; styles stay, a cell with a formula is never touched, and a text is an
inline string, which no program takes for a formula.
"""

from __future__ import annotations

import copy
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape

from app.core.errors import ToolError
from app.core.text.i18n import N_

from ..reading.grid import column_of, letters
from ..reading.package import damaged, opened, part
from ..reading.xlsx_grid import sheets_of

Value = Decimal | str
_REF = re.compile(r"([A-Z]{1,3})(\d+)")
_KINDS = {
    "sheets": "xl/worksheets/", "drawings": "xl/drawings/", "charts": "xl/charts/", "images": "xl/media/",
    "pivots": "xl/pivot", "macros": "xl/vbaProject", "comments": "xl/comments", "tables": "xl/tables/",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CellChange:
    row: int
    """From 1."""
    column: str
    value: Value
    over: bool = False
    """A value that is there is replaced; a formula never is."""


@dataclass(slots=True)
class Filled:
    content: bytes
    changed: list[str] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)
    """Cells that were not written, with the code of the reason: formula, filled, merged."""
    warnings: list[str] = field(default_factory=list)
    parts: dict[str, int] = field(default_factory=dict)
    """How many parts of each kind are the same byte for byte."""


@dataclass(slots=True)
class _Cell:
    start: int
    content: int
    end: int
    style: str
    is_empty: bool
    is_formula: bool
    is_closed: bool
    """Written as `<c …/>`."""


@dataclass(slots=True)
class _Row:
    number: int
    start: int
    content: int
    """Where its cells begin."""
    end: int
    is_closed: bool
    """Written as `<row …/>`."""
    cells: dict[int, _Cell] = field(default_factory=dict)


def fill_workbook(path: Path, sheet: str, changes: Sequence[CellChange]) -> Filled:
    """One sheet of it. Blocks. Raises ToolError FORMAT."""
    return fill_sheets(path, {sheet: changes})


def fill_sheets(path: Path, changes: Mapping[str, Sequence[CellChange]]) -> Filled:
    """Blocks. Raises ToolError FORMAT."""
    filled = Filled(b"")
    with opened(path) as archive:
        places = {each.name: each.part for each in sheets_of(archive)}
        replaced: dict[str, bytes] = {}
        for sheet, wanted in changes.items():
            if sheet not in places:
                raise ToolError("FORMAT", N_("there is no sheet {sheet}; there are: {names}"),
                                values={"sheet": sheet, "names": ", ".join(places)})  # fmt: skip
            target = places[sheet]
            replaced[target] = _spliced(part(archive, target), wanted, filled)
            filled.warnings += [each for each in _losses(archive, target) if each not in filled.warnings]
        workbook = part(archive, "xl/workbook.xml")
        if (again := _calculated_on_opening(workbook, archive)) != workbook:
            replaced["xl/workbook.xml"] = again
            filled.warnings.insert(0, "recalculated")
        filled.content = _repacked(archive, replaced)
        filled.parts = compare(archive, filled.content, set(replaced))
    return filled


def compare(before: zipfile.ZipFile, content: bytes, changed: set[str]) -> dict[str, int]:
    """Parts of each kind that are the same. Raises ToolError FORMAT where one is not that should be."""
    same = dict.fromkeys(_KINDS, 0)
    with zipfile.ZipFile(io.BytesIO(content)) as after:
        if before.namelist() != after.namelist():
            raise damaged("the copy has other parts")
        for name in before.namelist():
            if name in changed:
                continue
            if before.read(name) != after.read(name):
                raise damaged(name)
            for kind, head in _KINDS.items():
                same[kind] += name.startswith(head) and not name.endswith(".rels")
    return {kind: count for kind, count in same.items() if count}


def _repacked(archive: zipfile.ZipFile, replaced: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for info in archive.infolist():
            data = replaced.get(info.filename) or part(archive, info.filename)
            # Writing an entry changes its description, which the archive still needs.
            target.writestr(copy.copy(info), data, compress_type=info.compress_type)
    return out.getvalue()


def _losses(archive: zipfile.ZipFile, target: str) -> list[str]:
    places = []
    if any(name.startswith("_xmlsignatures/") for name in archive.namelist()):
        places.append("signature")
    if b"sheetProtection" in archive.read(target):
        places.append("protected")
    return places


def _calculated_on_opening(workbook: bytes, archive: zipfile.ZipFile) -> bytes:
    """Excel shows stored results of a file of its own version without reckoning again: the sums would be the old ones.
    Other programs' files carry no version and are reckoned anyway."""
    match = re.search(rb"<(?:\w+:)?calcPr\b[^>]*?/?>", workbook)
    if match is None or b"calcId" not in match.group() or b"fullCalcOnLoad" in match.group():
        return workbook
    if not any(b"<f" in archive.read(name) for name in archive.namelist() if name.startswith("xl/worksheets/sheet")):
        return workbook
    tag = match.group().replace(b"calcPr", b'calcPr fullCalcOnLoad="1"', 1)
    return workbook[: match.start()] + tag + workbook[match.end() :]


# ---------------------------------------------------------------- the XML of one sheet


def _spliced(xml: bytes, changes: Sequence[CellChange], filled: Filled) -> bytes:
    rows, data_end, prefix = _scan(xml)
    merged = {(row, column) for row, column in _merged_parts(xml)}
    by_row: dict[int, list[CellChange]] = {}
    for change in changes:
        by_row.setdefault(change.row, []).append(change)
    edits: list[tuple[int, int, bytes]] = []
    numbers = sorted(rows)
    for number in sorted(by_row):
        row = rows.get(number)
        wanted = sorted(by_row[number], key=lambda one: column_of(one.column) or 0)
        if row is None:
            cells = b"".join(_cell_xml(prefix, one, "") for one in wanted)
            after = next((rows[n].start for n in numbers if n > number), data_end)
            edits.append((after, after, b'<%srow r="%d">%s</%srow>' % (prefix, number, cells, prefix)))
            filled.changed += [f"{one.column}{number}" for one in wanted]
            continue
        edits += _row_edits(xml, row, wanted, merged, filled, prefix)
    for start, end, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
        xml = xml[:start] + new + xml[end:]
    return xml


def _row_edits(
    xml: bytes, row: _Row, wanted: Sequence[CellChange], merged: set[tuple[int, int]], filled: Filled, prefix: bytes,
) -> Iterator[tuple[int, int, bytes]]:  # fmt: skip
    added: dict[int, bytes] = {}
    for one in wanted:
        column = column_of(one.column) or 0
        place = f"{one.column}{row.number}"
        cell = row.cells.get(column)
        if (row.number, column) in merged:
            filled.left.append((place, "merged"))
        elif cell is not None and cell.is_formula:
            filled.left.append((place, "formula"))
        elif cell is not None and not cell.is_empty and not one.over:
            filled.left.append((place, "filled"))
        elif cell is not None:
            filled.changed.append(place)
            yield cell.start, cell.end, _cell_xml(prefix, one, cell.style)
        else:
            filled.changed.append(place)
            at = next((row.cells[n].start for n in sorted(row.cells) if n > column), row.end)
            added[at] = added.get(at, b"") + _cell_xml(prefix, one, "")
    if row.is_closed and added:
        tag = xml[row.start : row.content].rstrip()
        head = tag[: tag.rindex(b"/")].rstrip() + b">"
        yield row.start, row.content, head + b"".join(added.values()) + b"</%srow>" % prefix
    else:
        yield from ((at, at, new) for at, new in added.items())


def _cell_xml(prefix: bytes, one: CellChange, style: str) -> bytes:
    head = f'r="{one.column}{one.row}"' + (f' s="{style}"' if style else "")
    p = prefix.decode()
    if isinstance(one.value, Decimal):
        return f"<{p}c {head}><{p}v>{one.value:f}</{p}v></{p}c>".encode()
    if not one.value:
        return f"<{p}c {head}/>".encode()
    text = escape("".join(char for char in one.value if char >= " " or char in "\n\t"))
    return f'<{p}c {head} t="inlineStr"><{p}is><{p}t xml:space="preserve">{text}</{p}t></{p}is></{p}c>'.encode()


def _scan(xml: bytes) -> tuple[dict[int, _Row], int, bytes]:
    """Rows with the places of their cells, where the rows end, and the prefix of the elements."""
    if xml[:2] in (b"\xff\xfe", b"\xfe\xff") or b"<!DOCTYPE" in xml[:2000]:
        raise damaged("its sheet is in a form that is not filled")
    rows: dict[int, _Row] = {}
    state: dict[str, object] = {"row": None, "cell": None, "end": -1, "prefix": b"", "before": 0, "column": -1}
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        local, at = name.rpartition(":")[2], parser.CurrentByteIndex
        close = xml.index(b">", at) + 1
        is_closed = xml[close - 2 : close - 1] == b"/"
        row, cell = state["row"], state["cell"]
        if local == "sheetData":
            state["prefix"] = name[: -len(local)].encode()
            if is_closed:
                raise damaged("its sheet is empty")
        elif local == "row":
            number = int(attributes.get("r", int(str(state["before"])) + 1))
            state["before"], state["column"] = number, -1
            state["row"] = rows[number] = _Row(number, at, close, close, is_closed)
        elif local == "c" and isinstance(row, _Row):
            place = _REF.fullmatch(attributes.get("r", ""))
            column = (column_of(place[1]) or 0) if place else int(str(state["column"])) + 1
            state["column"] = column
            state["cell"] = row.cells[column] = _Cell(
                at, close, close, attributes.get("s", ""), is_empty=True, is_formula=False, is_closed=is_closed
            )
        elif isinstance(cell, _Cell) and local in ("v", "f", "is"):
            cell.is_formula = cell.is_formula or local == "f"
            cell.is_empty = cell.is_empty and local != "f" and is_closed
        elif isinstance(cell, _Cell) and local == "t" and not is_closed:
            cell.is_empty = False

    def text(data: str) -> None:
        cell = state["cell"]
        if isinstance(cell, _Cell) and data.strip():
            cell.is_empty = False

    def end(name: str) -> None:
        local, at = name.rpartition(":")[2], parser.CurrentByteIndex
        row, cell = state["row"], state["cell"]
        if local == "c" and isinstance(cell, _Cell):
            # Behind an empty element, `<c … />`, the parser stands at what follows it.
            cell.end = cell.content if cell.is_closed else xml.index(b">", at) + 1
            state["cell"] = None
        elif local == "row" and isinstance(row, _Row):
            row.end = at if not row.is_closed else row.content
            state["row"] = None
        elif local == "sheetData":
            state["end"] = at

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise damaged(str(error)) from error
    prefix = state["prefix"]
    return rows, int(str(state["end"])), prefix if isinstance(prefix, bytes) else b""


def _merged_parts(xml: bytes) -> Iterator[tuple[int, int]]:
    """Cells of merged areas that are not their first."""
    for area in re.findall(rb'<(?:\w+:)?mergeCell ref="([A-Z]{1,3}\d+:[A-Z]{1,3}\d+)"', xml):
        (left, top), (right, bottom) = _REF.findall(area.decode())
        first, last = column_of(left) or 0, column_of(right) or 0
        if (int(bottom) - int(top) + 1) * (last - first + 1) > 100_000:
            continue
        for row in range(int(top), int(bottom) + 1):
            yield from ((row, column) for column in range(first, last + 1) if (row, column) != (int(top), first))


__all__ = ["CellChange", "Filled", "fill_workbook", "letters"]
