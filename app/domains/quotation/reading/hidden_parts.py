"""Which rows and columns are hidden in `.ods` and `.xls`, of which the reader of their values says nothing."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .compound_file import SIGNATURE, stream

_MOST_ROWS, _MOST_COLUMNS = 300_000, 16_384
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_BEGIN, _END, _SHEET, _ROW, _COLUMNS = 0x809, 0x0A, 0x85, 0x208, 0x7D
"""Records of an `.xls` workbook; the numbers are those of the format."""
_ROW_HIDDEN, _COLUMN_HIDDEN = 0x20, 0x01


@dataclass(slots=True)
class HiddenParts:
    rows: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)


def hidden_parts(path: Path) -> list[HiddenParts]:
    """Of each sheet, in their order; empty where the form of the file tells nothing."""
    with path.open("rb") as file:
        begin = file.read(8)
    try:
        if begin == SIGNATURE:
            return list(_of_xls(stream(path.read_bytes(), ("Workbook", "Book"))))
        if begin.startswith(b"PK\x03\x04"):
            return _of_ods(path)
    except (ValueError, struct.error, IndexError, KeyError, OSError, RuntimeError, zlib.error, zipfile.BadZipFile):
        pass  # what the values are read from may still be whole
    return []


def _of_ods(path: Path) -> list[HiddenParts]:
    import lxml.etree

    sheets: list[HiddenParts] = []
    with zipfile.ZipFile(path) as archive:
        if "content.xml" not in archive.namelist():
            return []
        with archive.open("content.xml") as content:
            row = column = 0
            depth = 0
            tags = (f"{_TABLE}table", f"{_TABLE}table-column", f"{_TABLE}table-row")
            events = lxml.etree.iterparse(
                content, ("start", "end"), tag=tags, resolve_entities=False, no_network=True, huge_tree=True
            )
            try:
                for event, element in events:
                    if element.tag == tags[0]:
                        depth += 1 if event == "start" else -1
                        if event == "start" and depth == 1:
                            sheets.append(HiddenParts())
                            row = column = 0
                    elif event == "end" and depth == 1:
                        if element.tag == tags[1]:
                            column = _add_ods(element, "columns", column, sheets[-1].columns, _MOST_COLUMNS)
                        else:
                            row = _add_ods(element, "rows", row, sheets[-1].rows, _MOST_ROWS)
                            element.clear()
            except lxml.etree.XMLSyntaxError:
                return []
    return sheets


def _add_ods(element: Any, what: str, at: int, hidden: set[int], most: int) -> int:
    """Where the next one begins."""
    times = element.get(f"{_TABLE}number-{what}-repeated", "1")
    end = min(most, at + (int(times) if times.isdecimal() else 1))
    if element.get(f"{_TABLE}visibility", "visible") != "visible":
        hidden.update(range(at, end))
    return end


def _of_xls(workbook: bytes) -> Iterator[HiddenParts]:
    for kind, begin, _size in list(_records(workbook, 0)):
        if kind != _SHEET:
            continue
        hidden = HiddenParts()
        (position,) = struct.unpack_from("<I", workbook, begin)
        for inner, at, size in _records(workbook, position):
            if inner == _ROW and size >= 14:
                row, options = struct.unpack_from("<H10xH", workbook, at)
                if options & _ROW_HIDDEN:
                    hidden.rows.add(row)
            elif inner == _COLUMNS and size >= 10:
                first, last, options = struct.unpack_from("<HH4xH", workbook, at)
                if options & _COLUMN_HIDDEN:
                    hidden.columns.update(range(first, min(last, _MOST_COLUMNS - 1) + 1))
        yield hidden


def _records(workbook: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """Kind, place and size of the records of one part; charts within a sheet are parts of their own."""
    depth = 0
    while at + 4 <= len(workbook):
        kind, size = struct.unpack_from("<HH", workbook, at)
        depth += (kind == _BEGIN) - (kind == _END)
        if depth == 1:
            yield kind, at + 4, size
        at += 4 + size
        if depth <= 0:
            return
